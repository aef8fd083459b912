import { addDays, dayOf, startOfDay } from "./days.ts";
import type { StatisticsSearch } from "./statistics-search.ts";

/** Days of the local calendar; `null` where there is no end. */
export interface DayRange {
  first: string | null;
  last: string | null;
}

/** The days that the statistics are of. They change at midnight, so that an answer is of use all day. */
export function rangeOf({ period = "365d", since, until }: StatisticsSearch, now: Date): DayRange {
  if (since !== undefined || until !== undefined) return { first: since ?? null, last: until ?? null };
  if (period === "all") return { first: null, last: null };
  return { first: addDays(dayOf(now), 1 - Number.parseInt(period, 10)), last: null };
}

/** The times between which a range lies, as commands take them. */
export function timesOf({ first, last }: DayRange): { since?: string; until?: string } {
  return {
    ...(first !== null && { since: startOfDay(first).toISOString() }),
    ...(last !== null && { until: startOfDay(addDays(last, 1)).toISOString() }),
  };
}
