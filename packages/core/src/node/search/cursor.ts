import { createHash } from "node:crypto";
import type { Statistics } from "@sm/text-index";
import { decodeCursor, encodeCursor } from "../catalog/page-cursor.ts";
import { type Position, ShownMatches } from "./match-page.ts";
import type { SearchTask } from "./search-tasks.ts";

/** End of a page, and everything that the next page needs for the same order. */
export interface SearchPosition extends Position {
  statistics: Statistics;
  /** Latest time at the first page: newer texts belong to no later page. */
  newest: number;
}

interface StoredPosition extends Omit<SearchPosition, "shown"> {
  /** Digest of the search. */
  of: string;
  /** By session in key order: difference to the previous key, and number of matches shown. */
  shown: number[];
}

export function encodePosition(task: SearchTask, { shown, ...position }: SearchPosition): string {
  let last = 0;
  const steps = [...shown.counts]
    .sort(([a], [b]) => a - b)
    .flatMap(([key, count]) => {
      const step = key - last;
      last = key;
      return [step, count];
    });
  return encodeCursor({ of: digestOf(task), ...position, shown: steps } satisfies StoredPosition);
}

/** @throws AppError INVALID_PAYLOAD for an invalid cursor, or one of another search. */
export function decodePosition(task: SearchTask): SearchPosition | null {
  if (task.cursor === undefined) return null;
  const digest = digestOf(task);
  const isOwn = (value: unknown): value is StoredPosition => isStored(value) && value.of === digest;
  const { of, shown, ...position } = decodeCursor(task.cursor, isOwn);
  const counts: [number, number][] = [];
  let key = 0;
  for (let place = 0; place + 1 < shown.length; place += 2) {
    key += shown[place] ?? 0;
    counts.push([key, shown[place + 1] ?? 0]);
  }
  return { ...position, shown: new ShownMatches(counts) };
}

/** Digest of what determines statistics and order; filters may change between pages. */
function digestOf({ query, sort }: SearchTask): string {
  return createHash("sha256")
    .update(JSON.stringify([query, sort]))
    .digest("base64url")
    .slice(0, 12);
}

function isStored(value: unknown): value is StoredPosition {
  if (!isRecord(value)) return false;
  const { of, statistics, newest, rank, shown } = value;
  if (typeof of !== "string" || !Number.isFinite(newest) || !isRecord(statistics) || !isRecord(rank)) return false;
  if (!Array.isArray(shown) || !shown.every(Number.isSafeInteger)) return false;
  const { now, averageLength, least, weights } = statistics;
  const { bestValue, bestTime, key, value: own, time, ordinal, part } = rank;
  return (
    Array.isArray(weights) &&
    [now, averageLength, least, ...weights].every(Number.isFinite) &&
    [bestValue, bestTime, key, own, time, ordinal, part].every(Number.isFinite)
  );
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}
