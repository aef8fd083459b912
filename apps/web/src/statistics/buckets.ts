import { addUsage, noUsage } from "@sm/core";
import { addDays, daysBetween, earlierDay, laterDay, mondayOf } from "./days.ts";
import { type ActivitySum, amountOf, type Statistics } from "./measure.ts";
import type { DayRange } from "./range.ts";

/** How long the stretches are that a chart of days shows. */
export type Grain = "day" | "week" | "month";

/** What was done in a stretch of days. */
export interface Bucket extends ActivitySum {
  first: string;
  last: string;
  /** Days whose cost is not known; those are not in `usage.cost_usd`. */
  unknown: number;
}

/** More bars than this are too thin to point at. */
const MAX_DAYS = 92;
const MAX_WEEKS = 106;
/** Limits the chart when a wrong clock wrote timestamps centuries apart. */
const MAX_YEARS = 30;

/** Adds up days by as many stretches as can be seen; those without anything are there too. */
export function bucketsOf(
  days: Statistics["by_day"],
  { first, last }: DayRange,
  today: string,
): { grain: Grain; buckets: Bucket[] } {
  const oldest = first ?? days[0]?.date;
  if (oldest === undefined) return { grain: "day", buckets: [] };
  const from = laterDay(oldest, addDays(today, -MAX_YEARS * 365));
  // Where another clock is ahead, it may be tomorrow already.
  const to = earlierDay(last ?? laterDay(today, days.at(-1)?.date ?? today), addDays(today, 1));
  const length = daysBetween(from, to) + 1;
  const grain: Grain = length <= MAX_DAYS ? "day" : length <= MAX_WEEKS * 7 ? "week" : "month";
  const buckets = new Map<string, Bucket>();
  for (let start = startOf(from, grain); start <= to; start = next(start, grain)) {
    const end = addDays(next(start, grain), -1);
    buckets.set(start, { ...empty(), first: laterDay(start, from), last: earlierDay(end, to) });
  }
  return { grain, buckets: spreadOver(days, [...buckets.values()], grain) };
}

/** Adds up other days by the same stretches. */
export function spreadOver(
  days: readonly (ActivitySum & { date: string })[],
  buckets: readonly Bucket[],
  grain: Grain,
): Bucket[] {
  const spread = new Map(buckets.map(({ first, last }) => [startOf(first, grain), { ...empty(), first, last }]));
  for (const day of days) {
    const bucket = spread.get(startOf(day.date, grain));
    if (bucket !== undefined) addDay(bucket, day);
  }
  return [...spread.values()];
}

function startOf(day: string, grain: Grain): string {
  if (grain === "day") return day;
  return grain === "week" ? mondayOf(day) : `${day.slice(0, 7)}-01`;
}

function next(start: string, grain: Grain): string {
  if (grain !== "month") return addDays(start, grain === "day" ? 1 : 7);
  // No month has more than 31 days, and none as many as 32 and fewer than 28.
  return `${addDays(start, 31).slice(0, 7)}-01`;
}

function empty(): Pick<Bucket, "messages" | "usage" | "unknown"> {
  return { messages: 0, usage: noUsage(), unknown: 0 };
}

function addDay(bucket: Bucket, { messages, usage }: ActivitySum): void {
  bucket.messages += messages;
  addUsage(bucket.usage, usage);
  if (amountOf({ messages, usage }, "cost") === null) bucket.unknown += 1;
}
