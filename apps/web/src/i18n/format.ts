import { formatDollars } from "@sm/core";
import { currentLocale, localeTag } from "./locale.ts";
import { remember } from "./message.ts";

const wholeNumbers = remember((locale) => new Intl.NumberFormat(locale, { maximumFractionDigits: 1 }));
const compactNumbers = remember(
  (locale) => new Intl.NumberFormat(locale, { notation: "compact", maximumFractionDigits: 1 }),
);
const percents = remember((locale) => new Intl.NumberFormat(locale, { style: "percent", maximumFractionDigits: 1 }));
const ofUnit = (unit: "minute" | "hour" | "day", unitDisplay: "long" | "narrow" = "long") =>
  remember((locale) => new Intl.NumberFormat(locale, { style: "unit", unit, unitDisplay }));
const minutesLong = ofUnit("minute");
const hoursLong = ofUnit("hour");
const daysLong = ofUnit("day");
const minutesNarrow = ofUnit("minute", "narrow");
const hoursNarrow = ofUnit("hour", "narrow");
const daysNarrow = ofUnit("day", "narrow");
const times = remember((locale) => new Intl.DateTimeFormat(locale, { timeStyle: "short" }));
const days = remember((locale) => new Intl.DateTimeFormat(locale, { month: "short", day: "numeric" }));
const daysOfYears = remember(
  (locale) => new Intl.DateTimeFormat(locale, { year: "numeric", month: "short", day: "numeric" }),
);
const longDays = remember(
  (locale) => new Intl.DateTimeFormat(locale, { weekday: "long", month: "long", day: "numeric" }),
);
const longDaysOfYears = remember((locale) => new Intl.DateTimeFormat(locale, { dateStyle: "long" }));
const moments = remember((locale) => new Intl.DateTimeFormat(locale, { dateStyle: "medium", timeStyle: "medium" }));
const relative = remember((locale) => new Intl.RelativeTimeFormat(locale, { numeric: "auto" }));
const relativeShort = remember((locale) => new Intl.RelativeTimeFormat(locale, { numeric: "auto", style: "narrow" }));

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** `12,345.6` */
export const formatNumber = (value: number) => wholeNumbers(localeTag()).format(value);

/** `12.3K` */
export const formatCompact = (value: number) => compactNumbers(localeTag()).format(value);

/** US dollars as everywhere else, in all languages; `null`: not known. */
export const formatCost = (dollars: number | null) => (dollars === null ? "–" : formatDollars(dollars));

const BYTE_UNITS = ["B", "KB", "MB", "GB", "TB"] as const;

/** `1.5 MB`, by powers of 1,024. */
export function formatBytes(bytes: number): string {
  const most = BYTE_UNITS.length - 1;
  let power = bytes < 1 ? 0 : Math.min(Math.floor(Math.log2(bytes) / 10), most);
  // Rounded up, 1,023.96 KB are 1 MB.
  if (power < most && Math.round((bytes / 1024 ** power) * 10) >= 10_240) power += 1;
  return `${formatNumber(bytes / 1024 ** power)} ${BYTE_UNITS[power]}`;
}

/** `14:05` */
export const formatTime = (time: string | Date) => times(localeTag()).format(new Date(time));

/** A time as lists show it: `14:05` today, `yesterday`, `Mar 4` this year, `Mar 4, 2024` before. */
export function formatWhen(time: string | Date, now: Date = new Date()): string {
  const date = new Date(time);
  const age = daysBetween(date, now);
  if (age === 0) return times(localeTag()).format(date);
  if (age === 1) return relative(localeTag()).format(-1, "day");
  return (date.getFullYear() === now.getFullYear() ? days : daysOfYears)(localeTag()).format(date);
}

/** `5 min. ago` */
export function formatRelative(time: string | Date, now: Date = new Date()): string {
  const ago = new Date(time).getTime() - now.getTime();
  const format = relativeShort(localeTag());
  const inUnits = (unit: number) => Math.round(ago / unit);
  if (Math.abs(inUnits(1_000)) < 60) return format.format(inUnits(1_000), "second");
  if (Math.abs(inUnits(MINUTE)) < 60) return format.format(inUnits(MINUTE), "minute");
  if (Math.abs(inUnits(HOUR)) < 24) return format.format(inUnits(HOUR), "hour");
  return format.format(inUnits(DAY), "day");
}

/** The day of a time, as a heading: `Today`, `Yesterday`, `Monday, March 4`, `March 4, 2024`. */
export function formatDay(time: string | Date, now: Date = new Date()): string {
  const date = new Date(time);
  const age = daysBetween(date, now);
  if (age === 0 || age === 1) return capitalize(relative(localeTag()).format(-age, "day"));
  return (date.getFullYear() === now.getFullYear() ? longDays : longDaysOfYears)(localeTag()).format(date);
}

/** Date and time to the second, for titles of elements. */
export const formatMoment = (time: string | Date) => moments(localeTag()).format(new Date(time));

/** Units of durations: those of Intl are longer. */
const DURATION_UNITS = {
  en: { millisecond: "ms", second: "s", minute: "min", hour: "h" },
  zh: { millisecond: "毫秒", second: "秒", minute: "分", hour: "小时" },
} as const;

/** `850 ms`, `3.2 s`, `4 min 5 s`, `2 h 10 min` */
export function formatDuration(milliseconds: number): string {
  const units = DURATION_UNITS[currentLocale()];
  if (Math.round(milliseconds) < 1_000) return `${Math.round(milliseconds)} ${units.millisecond}`;
  // Rounded up, 59.96 s are 1 min.
  if (Math.round(milliseconds / 100) < 600) return `${formatNumber(milliseconds / 1_000)} ${units.second}`;
  const seconds = milliseconds < MINUTE ? 60 : Math.floor(milliseconds / 1_000);
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes} ${units.minute} ${seconds % 60} ${units.second}`;
  return `${Math.floor(minutes / 60)} ${units.hour} ${minutes % 60} ${units.minute}`;
}

/** How long something went on, in one unit: `41m`, `2h`, `3d`. */
export function formatSpan(milliseconds: number): string {
  const [format, length] =
    milliseconds < HOUR ? [minutesNarrow, MINUTE] : milliseconds < DAY ? [hoursNarrow, HOUR] : [daysNarrow, DAY];
  return format(localeTag()).format(Math.floor(milliseconds / length));
}

/** `52.5%`, of a hundred. */
export const formatPercent = (percent: number) => percents(localeTag()).format(percent / 100);

/** `5 hours`, `7 days`: in the largest unit without a remainder. */
export function formatMinutes(minutes: number): string {
  const [format, length] =
    minutes % (24 * 60) === 0 ? [daysLong, 24 * 60] : minutes % 60 === 0 ? [hoursLong, 60] : [minutesLong, 1];
  return format(localeTag()).format(minutes / length);
}

/** Whole days of the local calendar from `date` to `now`. */
function daysBetween(date: Date, now: Date): number {
  const start = (of: Date) => Date.UTC(of.getFullYear(), of.getMonth(), of.getDate());
  return (start(now) - start(date)) / DAY;
}

function capitalize(text: string): string {
  return text.slice(0, 1).toLocaleUpperCase(localeTag()) + text.slice(1);
}
