import { localeTag } from "../i18n/locale.ts";
import { remember } from "../i18n/message.ts";
import type { Grain } from "./buckets.ts";

/** Days of the calendar are read as if they were of UTC, so that no zone moves them. */
const UTC = { timeZone: "UTC" } as const;

const shortDays = remember((locale) => new Intl.DateTimeFormat(locale, { ...UTC, month: "short", day: "numeric" }));
const longDays = remember(
  (locale) =>
    new Intl.DateTimeFormat(locale, { ...UTC, weekday: "short", year: "numeric", month: "short", day: "numeric" }),
);
const months = remember((locale) => new Intl.DateTimeFormat(locale, { ...UTC, month: "short" }));
const monthsOfYears = remember((locale) => new Intl.DateTimeFormat(locale, { ...UTC, month: "long", year: "numeric" }));
const rangesOfDays = remember(
  (locale) => new Intl.DateTimeFormat(locale, { ...UTC, year: "numeric", month: "short", day: "numeric" }),
);
const weekdays = remember((locale) => new Intl.DateTimeFormat(locale, { ...UTC, weekday: "short" }));
const longWeekdays = remember((locale) => new Intl.DateTimeFormat(locale, { ...UTC, weekday: "long" }));

/** `Mar 4` */
export const shortDayText = (day: string) => shortDays(localeTag()).format(new Date(day));

/** `Wed, Mar 4, 2026` */
export const longDayText = (day: string) => longDays(localeTag()).format(new Date(day));

/** `Mar` */
export const monthText = (day: string) => months(localeTag()).format(new Date(day));

/** `Mar 4 – 10, 2026` */
export function daysText(first: string, last: string): string {
  return rangesOfDays(localeTag()).formatRange(new Date(first), new Date(last));
}

/** The stretch that a bar stands for. */
export function bucketText(first: string, last: string, grain: Grain): string {
  if (grain === "day") return longDayText(first);
  return grain === "week" ? daysText(first, last) : monthsOfYears(localeTag()).format(new Date(first));
}

/** `Mon`, or `Monday`, of 0. */
export function weekdayText(weekday: number, length: "short" | "long"): string {
  // The first of January 2024 was a Monday.
  return (length === "short" ? weekdays : longWeekdays)(localeTag()).format(Date.UTC(2024, 0, 1 + weekday));
}
