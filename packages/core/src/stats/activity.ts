import type { Usage } from "../session/record.ts";

/** What an entry adds to statistics, beside its time. */
export interface Activity {
  /** Whose message the entry is; `null` for what is no message and only has a usage, such as a compaction. */
  role: "user" | "assistant" | "other" | null;
  /** Of an answer or a usage, `null` where unknown. */
  provider: string | null;
  model: string | null;
  usage: Usage | null;
  /** The tools that were called, one for each call. */
  calls: readonly (string | null)[];
  /** The tools whose calls failed, as the entry tells, one for each failure. */
  failed: readonly (string | null)[];
}

/** Whether an entry counts for a model. */
export function hasModel({ role, usage }: Activity): boolean {
  return role === "assistant" || usage !== null;
}

/** An entry in a part of a session. */
export interface PlacedActivity {
  /** Its place among the entries of the part. */
  place: number;
  /** Milliseconds since 1970, `NaN` where unknown. */
  timestamp: number;
  activity: Activity;
}

export const QUARTER_MS = 15 * 60_000;

/** The quarter of an hour that a time lies in, counted from 1970; `null` where it is unknown. */
export function quarterOf(timestamp: number): number | null {
  return Number.isNaN(timestamp) ? null : Math.floor(timestamp / QUARTER_MS);
}
