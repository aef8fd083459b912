import { createHash } from "node:crypto";
import { decodeCursor, encodeCursor } from "../cursor.ts";
import type { SearchTask } from "../threads/tasks.ts";
import type { Rank } from "./page.ts";
import type { Statistics } from "./rank.ts";

/** Where a page ended, and all that has to be the same on the next one for the order to be the same. */
export interface SearchPosition {
  statistics: Statistics;
  /** Latest time of what was found at first: what has been written since belongs to no later page. */
  newest: number;
  /** Of the last match that was looked at. */
  rank: Rank;
}

interface StoredPosition extends SearchPosition {
  /** Digest of what was searched for. */
  of: string;
}

export function encodePosition(task: SearchTask, position: SearchPosition): string {
  return encodeCursor({ of: digestOf(task), ...position } satisfies StoredPosition);
}

/** @throws AppError INVALID_PAYLOAD for a cursor of another search, or none. */
export function decodePosition(task: SearchTask): SearchPosition | null {
  if (task.cursor === undefined) return null;
  const of = digestOf(task);
  return decodeCursor(task.cursor, (value): value is StoredPosition => isStored(value) && value.of === of);
}

/** Of what the statistics and the order depend on; filters may change from page to page. */
function digestOf({ query, sort }: SearchTask): string {
  return createHash("sha256")
    .update(JSON.stringify([query, sort]))
    .digest("base64url")
    .slice(0, 12);
}

function isStored(value: unknown): value is StoredPosition {
  if (!isRecord(value)) return false;
  const { of, statistics, newest, rank } = value;
  if (typeof of !== "string" || !Number.isFinite(newest) || !isRecord(statistics) || !isRecord(rank)) return false;
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
