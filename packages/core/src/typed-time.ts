import { clampToWritable } from "./session/timestamp.ts";

/** Whether amounts such as `7d` count into the past or future. */
export type TimeDirection = "past" | "future";

/**
 * A time typed by a user, in milliseconds since 1970. If invalid, `problem` is the rest of a sentence that starts with
 * the name of the input, without a full stop.
 */
export type TypedTime = { time: number; problem: null } | { time: null; problem: string };

const FORMS = {
  past: "must be a date such as 2026-11-21 or 2026-11, a time such as 2026-11-21T10:00, an amount such as 90min, 24h, 7d, 2w, 3mo or 1y, or a word such as yesterday, monday or last-week",
  future:
    "must be a date such as 2026-11-21 or 2026-11, a time such as 2026-11-21T10:00, an amount such as 90min, 24h, 7d, 2w, 3mo or 1y, or a word such as tomorrow, monday or next-week",
} satisfies Record<TimeDirection, string>;

const DAYS = ["sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday"];
const MONDAY = 1;
const AMOUNT = /^(\d{1,5})(min|h|d|w|mo|y)$/;
/** Programs differ in whether it means minutes or months. */
const AMBIGUOUS_AMOUNT = /^(\d{1,5})m$/;
const PERIOD = /^(this|last|next)-(week|month|year)$/;
const DATE = /^(\d{4})(?:-(\d\d)(?:-(\d\d))?)?$/;
const TIME = /^(\d{4}-\d\d-\d\d)[t-](\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?)(z|[+-]\d\d:\d\d)?$/;

/**
 * Parses a time as users type it: in queries, command line options and page URLs. APIs use RFC 3339 only.
 *
 * - RFC 3339, which may be shortened from the right: `2026-11-21T10:00`, `2026-11-21`, `2026-11`, `2026`
 * - an amount of `min`, `h`, `d`, `w`, `mo` or `y`, before or after now. `m` is rejected, because it could mean minutes
 * or months.
 * - `now`, `today`, `yesterday`, `tomorrow`
 * - weekdays, abbreviated to at least three letters: in the past the latest one, including today; in the future the
 * next one
 * - `last-`, `this-` and `next-` with `week` (from Monday), `month` or `year`
 *
 * A day, week, month or year stands for its first millisecond. Without an offset, times are in the time zone of this
 * process. Times outside the range of RFC 3339 are clamped.
 *
 * @param now milliseconds since 1970.
 */
export function readTypedTime(text: string, now: number, direction: TimeDirection = "past"): TypedTime {
  const word = text
    .trim()
    .toLowerCase()
    .replace(/[\s_]+/g, "-");
  const ambiguous = AMBIGUOUS_AMOUNT.exec(word)?.[1];
  if (ambiguous !== undefined) {
    const problem = `must be ${ambiguous}min for minutes or ${ambiguous}mo for months: ${text.trim()} could be either`;
    return { time: null, problem };
  }
  const time =
    word === "now"
      ? now
      : (timeFromNow(word, now, direction) ??
        startOfPeriod(word, now) ??
        startOfDay(word, now, direction) ??
        startOfDate(word) ??
        timeAt(word));
  return time === null ? { time, problem: FORMS[direction] } : { time: clampToWritable(time), problem: null };
}

/** Days, months and years keep the local time, across clock changes. */
function timeFromNow(word: string, now: number, direction: TimeDirection): number | null {
  const match = AMOUNT.exec(word);
  if (match === null) return null;
  const count = Number(match[1]) * (direction === "past" ? -1 : 1);
  const time = new Date(now);
  switch (match[2]) {
    case "min":
      return now + count * 60_000;
    case "h":
      return now + count * 3_600_000;
    case "d":
      return time.setDate(time.getDate() + count);
    case "w":
      return time.setDate(time.getDate() + 7 * count);
    case "mo":
      return monthsFrom(time, count);
    default:
      return monthsFrom(time, 12 * count);
  }
}

/** From the 31st, a shorter month yields its last day. */
function monthsFrom(time: Date, count: number): number {
  const day = time.getDate();
  time.setDate(1);
  time.setMonth(time.getMonth() + count);
  const lastDay = new Date(time);
  lastDay.setMonth(lastDay.getMonth() + 1, 0);
  return time.setDate(Math.min(day, lastDay.getDate()));
}

function startOfPeriod(word: string, now: number): number | null {
  const match = PERIOD.exec(word);
  if (match === null) return null;
  const today = new Date(now);
  const ahead = match[1] === "last" ? -1 : match[1] === "next" ? 1 : 0;
  switch (match[2]) {
    case "week":
      return startOf(today.getFullYear(), today.getMonth(), today.getDate() - daysSince(MONDAY, today) + 7 * ahead);
    case "month":
      return startOf(today.getFullYear(), today.getMonth() + ahead, 1);
    default:
      return startOf(today.getFullYear() + ahead, 0, 1);
  }
}

function startOfDay(word: string, now: number, direction: TimeDirection): number | null {
  const today = new Date(now);
  const weekday = DAYS.findIndex((name) => name === word || name.slice(0, 3) === word);
  let ahead: number;
  if (word === "today") ahead = 0;
  else if (word === "yesterday") ahead = -1;
  else if (word === "tomorrow") ahead = 1;
  else if (weekday === -1) return null;
  else if (direction === "past") ahead = -daysSince(weekday, today);
  else ahead = 7 - daysSince(weekday, today);
  return startOf(today.getFullYear(), today.getMonth(), today.getDate() + ahead);
}

function daysSince(weekday: number, time: Date): number {
  return (time.getDay() - weekday + 7) % 7;
}

function startOfDate(word: string): number | null {
  const match = DATE.exec(word);
  if (match === null) return null;
  const [, year, month = "01", day = "01"] = match;
  return exists(`${year}-${month}-${day}`) ? startOf(Number(year), Number(month) - 1, Number(day)) : null;
}

function timeAt(word: string): number | null {
  const match = TIME.exec(word);
  if (match === null) return null;
  const [, date = "", time = "", zone = ""] = match;
  if (!exists(date)) return null;
  const milliseconds = Date.parse(`${date}T${time}${zone.toUpperCase()}`);
  return Number.isNaN(milliseconds) ? null : milliseconds;
}

/** `Date` would turn the 30th of February into the 1st or 2nd of March. */
function exists(date: string): boolean {
  const time = new Date(`${date}T00:00:00Z`);
  return !Number.isNaN(time.getTime()) && time.toISOString().startsWith(date);
}

/** `Date` maps years before 100 to the last century unless set explicitly. */
function startOf(year: number, month: number, day: number): number {
  const time = new Date(2000, 0);
  time.setFullYear(year, month, day);
  return time.setHours(0, 0, 0, 0);
}
