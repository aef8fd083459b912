import { readTimes, type TimesProblem } from "../url/typed-times.ts";
import { addDays, dayOf, startOfDay } from "./days.ts";
import type { StatisticsSearch } from "./statistics-search.ts";

/** Days of the local calendar; `null` without a limit. */
export interface DayRange {
  first: string | null;
  last: string | null;
}

/** A stretch of time, and the days that it touches. */
export interface TimeRange extends DayRange {
  since: Date | null;
  /** Excluded. */
  until: Date | null;
}

/** What the statistics are of. A period changes at midnight, so that an answer is of use all day. */
export function rangeOf(search: StatisticsSearch, now: Date): TimeRange | TimesProblem {
  const { period = "365-days", since, until } = search;
  if (since === undefined && until === undefined) {
    return rangeOfDays(period === "all" ? null : addDays(dayOf(now), 1 - Number.parseInt(period, 10)), null);
  }
  const times = readTimes(search, now.getTime());
  if ("problem" in times) return times;
  return {
    since: times.since === null ? null : new Date(times.since),
    until: times.until === null ? null : new Date(times.until),
    first: times.since === null ? null : dayOf(new Date(times.since)),
    last: times.until === null ? null : dayOf(new Date(times.until - 1)),
  };
}

/** The range from the beginning of a day to the end of another. */
export function rangeOfDays(first: string | null, last: string | null): TimeRange {
  return {
    since: first === null ? null : startOfDay(first),
    until: last === null ? null : startOfDay(addDays(last, 1)),
    first,
    last,
  };
}

const HOUR_MS = 3_600_000;

/** The stretch before a range, as long as what has passed of it; `null` without a beginning. It changes every hour. */
export function rangeBefore({ since, until }: Pick<TimeRange, "since" | "until">, now: Date): TimeRange | null {
  if (since === null) return null;
  const hour = Math.floor(now.getTime() / HOUR_MS) * HOUR_MS;
  const end = Math.min(until?.getTime() ?? hour, hour);
  const length = end - since.getTime();
  if (length <= 0) return null;
  const before = new Date(since.getTime() - length);
  return { since: before, until: since, first: dayOf(before), last: dayOf(new Date(since.getTime() - 1)) };
}

/** The times between which a range lies, as commands take them. */
export function timesOf({ since, until }: TimeRange): { since?: string; until?: string } {
  return {
    ...(since !== null && { since: since.toISOString() }),
    ...(until !== null && { until: until.toISOString() }),
  };
}
