const ISO = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

let cachedDay = "";
let cachedDayStart = 0;

const TIME_LENGTH = 24;
const DAY_LENGTH = 10;

/**
 * Parses an RFC 3339 time to milliseconds since 1970, `null` if invalid. The usual form is parsed without `Date.parse`,
 * which would take a tenth of the scan.
 */
export function parseTimestamp(text: unknown): number | null {
  if (typeof text !== "string") return null;
  if (text.length !== 24 || !ISO.test(text)) {
    const parsed = Date.parse(text);
    return isWritable(parsed) ? parsed : null;
  }
  const day = text.slice(0, 10);
  if (day !== cachedDay) {
    const start = Date.parse(day);
    if (Number.isNaN(start)) return null;
    cachedDay = day;
    cachedDayStart = start;
  }
  const digits = (at: number) => (text.charCodeAt(at) - 48) * 10 + text.charCodeAt(at + 1) - 48;
  const hours = digits(11);
  const minutes = digits(14);
  const seconds = digits(17);
  if (hours > 23 || minutes > 59 || seconds > 59) return null;
  const milliseconds = (text.charCodeAt(20) - 48) * 100 + digits(21);
  return cachedDayStart + ((hours * 60 + minutes) * 60 + seconds) * 1000 + milliseconds;
}

/**
 * Parses a time from the ASCII of a JSON string without creating a string: only the usual form; `null` for what {@link
 * parseTimestamp} may parse.
 */
export function parseTimestampIn(bytes: Uint8Array, start: number, end: number): number | null {
  if (end - start !== TIME_LENGTH || !isOfCachedDay(bytes, start)) {
    const text = String.fromCharCode(...bytes.subarray(start, Math.min(end, start + TIME_LENGTH)));
    return end - start === TIME_LENGTH && ISO.test(text) ? parseTimestamp(text) : null;
  }
  const hours = digitsAt(bytes, start + 11, ":");
  const minutes = digitsAt(bytes, start + 14, ":");
  const seconds = digitsAt(bytes, start + 17, ".");
  const hundredths = digitsAt(bytes, start + 20);
  const thousandths = digitsAt(bytes, start + 21, "Z") % 10;
  const isTime = bytes[start + DAY_LENGTH] === 0x54 && hours <= 23 && minutes <= 59 && seconds <= 59;
  // NaN propagates.
  const time = ((hours * 60 + minutes) * 60 + seconds) * 1000 + hundredths * 10 + thousandths;
  return isTime && !Number.isNaN(time) ? cachedDayStart + time : null;
}

function isOfCachedDay(bytes: Uint8Array, start: number): boolean {
  if (cachedDay === "") return false;
  for (let at = 0; at < DAY_LENGTH; at++) if (bytes[start + at] !== cachedDay.charCodeAt(at)) return false;
  return true;
}

/** Two digits with the required next character; otherwise `NaN`. */
function digitsAt(bytes: Uint8Array, at: number, sign = ""): number {
  const tens = (bytes[at] ?? 0) - 0x30;
  const ones = (bytes[at + 1] ?? 0) - 0x30;
  const isThere = tens >= 0 && tens <= 9 && ones >= 0 && ones <= 9;
  return isThere && (sign === "" || bytes[at + 2] === sign.charCodeAt(0)) ? tens * 10 + ones : Number.NaN;
}

/** RFC 3339 years have four digits. */
const EARLIEST = Date.parse("0000-01-01T00:00:00.000Z");
const LATEST = Date.parse("9999-12-31T23:59:59.999Z");

/** Whether milliseconds since 1970 can be formatted as RFC 3339. */
export function isWritable(milliseconds: number): boolean {
  return milliseconds >= EARLIEST && milliseconds <= LATEST;
}

/** Formats milliseconds since 1970 as RFC 3339 in UTC; `null` if out of range. */
export function formatTimestamp(milliseconds: number | null): string | null {
  return milliseconds !== null && isWritable(milliseconds) ? new Date(milliseconds).toISOString() : null;
}

/** Clamps milliseconds since 1970 to the range of RFC 3339. */
export function clampToWritable(milliseconds: number): number {
  return Math.min(Math.max(milliseconds, EARLIEST), LATEST);
}
