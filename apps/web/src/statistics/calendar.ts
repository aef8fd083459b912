import { addDays, daysBetween, earlierDay, laterDay, mondayOf, weekdayOf } from "./days.ts";
import type { DayRange } from "./range.ts";

/** Part of a calendar: weeks beside each other, the days of each below each other. */
export interface CalendarStrip {
  /** Its first and last day. */
  first: string;
  last: string;
  weeks: number;
  /** Months that begin in it, by the week that they begin in. */
  months: { week: number; first: string }[];
}

/** Most days of one strip: a year, and the weeks that it begins and ends in. */
const MAX_DAYS = 372;
/** Earlier years are in the table. */
const MAX_STRIPS = 10;

/**
 * Lays out the days of a range: one strip, or one for each year, the newest first, where it is longer than a year.
 *
 * @param active days on which something was said, in order.
 */
export function calendarStrips({ first, last }: DayRange, active: readonly string[], today: string): CalendarStrip[] {
  const from = first ?? active[0];
  // Where another clock is ahead, it may be tomorrow already.
  const to = earlierDay(last ?? laterDay(today, active.at(-1) ?? today), addDays(today, 1));
  if (from === undefined || from > to) return [];
  if (daysBetween(from, to) < MAX_DAYS) return [strip(from, to)];
  const strips: CalendarStrip[] = [];
  for (let year = Number(to.slice(0, 4)); year >= Number(from.slice(0, 4)) && strips.length < MAX_STRIPS; year--) {
    const name = String(year).padStart(4, "0");
    const [start, end] = [`${name}-01-01`, `${name}-12-31`];
    if (active.some((day) => day >= start && day <= end)) strips.push(strip(start, earlierDay(end, to)));
  }
  return strips;
}

/** Where a day stands in a strip, from 0. */
export function placeIn({ first }: CalendarStrip, day: string): { week: number; weekday: number } {
  return { week: Math.floor(daysBetween(mondayOf(first), day) / 7), weekday: weekdayOf(day) };
}

/** All days of a strip. */
export function daysOf({ first, last }: CalendarStrip): string[] {
  return Array.from({ length: daysBetween(first, last) + 1 }, (_, days) => addDays(first, days));
}

function strip(first: string, last: string): CalendarStrip {
  const begun: CalendarStrip = { first, last, weeks: 0, months: [] };
  const weeks = placeIn(begun, last).week + 1;
  const months = daysOf(begun)
    .filter((day) => day.endsWith("-01"))
    .map((day) => ({ week: placeIn(begun, day).week, first: day }));
  return { ...begun, weeks, months };
}
