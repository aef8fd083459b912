import type { SessionStatistics } from "../statistics.ts";
import { modulo } from "./time-zone.ts";

const DAY_MS = 86_400_000;
/** The first of January 1970 was a Thursday. */
const WEEKDAY_OF_FIRST = 3;

/** 0 for Monday. Days are counted from 1970. */
export function weekdayOf(day: number): number {
  return modulo(day + WEEKDAY_OF_FIRST, 7);
}

export function mondayOf(day: number): number {
  return day - weekdayOf(day);
}

/** Formats a day as `2026-01-31`. */
export function dateOf(day: number): string {
  const time = new Date(day * DAY_MS).toISOString();
  return time.slice(0, time.indexOf("T"));
}

/**
 * Finds streaks of consecutive days.
 *
 * @param days sorted and unique.
 */
export function streaksOf(days: readonly number[], today: number): SessionStatistics["streaks"] {
  let longest = 0;
  let longestTo = 0;
  let current = 0;
  let length = 0;
  for (const [place, day] of days.entries()) {
    length = days[place - 1] === day - 1 ? length + 1 : 1;
    if (length > longest) [longest, longestTo] = [length, day];
    if (day === today || day === today - 1) current = length;
  }
  const isAny = longest > 0;
  return {
    current_days: current,
    longest_days: longest,
    longest_from: isAny ? dateOf(longestTo - longest + 1) : null,
    longest_to: isAny ? dateOf(longestTo) : null,
  };
}
