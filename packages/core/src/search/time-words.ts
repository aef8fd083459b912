/** What `resolveTime` reads, to complete "must be …". */
export const TIME_FORMS =
  "a date such as 2026-11-21, 2026-11 or 2026, a time such as 2026-11-21T10:00Z, or a word such as 7d, yesterday, monday or last-week";

const DAYS = ["sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday"];
const MONDAY = 1;
const AGO = /^(\d{1,4})([hdwmy])$/;
const PERIOD = /^(this|last)-(week|month|year)$/;
const DATE = /^(\d{4})(?:-(\d\d)(?:-(\d\d))?)?$/;
const TIME = /^(\d{4}-\d\d-\d\d)[t-](\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?)(z|[+-]\d\d:\d\d)?$/;

/**
 * Resolves the value of `before:` or `after:` to the first millisecond that `after:` includes and `before:` excludes:
 * of a day, month, year or week its beginning.
 *
 * Understands RFC 3339 (parts from the right may be missing; without an offset it is local time), `now`, `today`,
 * `yesterday`, weekdays (the latest one, today included; three letters are enough), `this-` and `last-` with `week`
 * (from Monday), `month` or `year`, and how long ago: `24h`, `7d`, `2w`, `3m` (months), `1y`.
 *
 * @param now milliseconds since 1970.
 * @returns milliseconds since 1970, `null` for everything else.
 */
export function resolveTime(value: string, now: number): number | null {
  const word = value
    .trim()
    .toLowerCase()
    .replace(/[\s_]+/g, "-");
  if (word === "now") return now;
  return timeAgo(word, now) ?? startOfPeriod(word, now) ?? startOfDay(word, now) ?? startOfDate(word) ?? timeAt(word);
}

/** Days, months and years back to the same time of day, even where the clocks were changed in between. */
function timeAgo(word: string, now: number): number | null {
  const match = AGO.exec(word);
  if (match === null) return null;
  const count = Number(match[1]);
  const time = new Date(now);
  switch (match[2]) {
    case "h":
      return now - count * 3_600_000;
    case "d":
      return time.setDate(time.getDate() - count);
    case "w":
      return time.setDate(time.getDate() - 7 * count);
    default:
      return monthsBefore(time, match[2] === "y" ? 12 * count : count);
  }
}

/** A month ago from the 31st is the last day of a shorter month. */
function monthsBefore(time: Date, count: number): number {
  const day = time.getDate();
  time.setDate(1);
  time.setMonth(time.getMonth() - count);
  const lastDay = new Date(time);
  lastDay.setMonth(lastDay.getMonth() + 1, 0);
  return time.setDate(Math.min(day, lastDay.getDate()));
}

function startOfPeriod(word: string, now: number): number | null {
  const match = PERIOD.exec(word);
  if (match === null) return null;
  const today = new Date(now);
  const back = match[1] === "last" ? 1 : 0;
  switch (match[2]) {
    case "week":
      return startOf(today.getFullYear(), today.getMonth(), today.getDate() - daysSince(MONDAY, today) - 7 * back);
    case "month":
      return startOf(today.getFullYear(), today.getMonth() - back, 1);
    default:
      return startOf(today.getFullYear() - back, 0, 1);
  }
}

function startOfDay(word: string, now: number): number | null {
  const today = new Date(now);
  const weekday = DAYS.findIndex((name) => name === word || name.slice(0, 3) === word);
  let back: number;
  if (word === "today") back = 0;
  else if (word === "yesterday") back = 1;
  else if (weekday !== -1) back = daysSince(weekday, today);
  else return null;
  return startOf(today.getFullYear(), today.getMonth(), today.getDate() - back);
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

/** `Date` would take the 30th of February for the 1st or 2nd of March. */
function exists(date: string): boolean {
  const time = new Date(`${date}T00:00:00Z`);
  return !Number.isNaN(time.getTime()) && time.toISOString().startsWith(date);
}

/** `Date` takes years before 100 for those of the last century unless they are set. */
function startOf(year: number, month: number, day: number): number {
  const time = new Date(2000, 0);
  time.setFullYear(year, month, day);
  return time.setHours(0, 0, 0, 0);
}
