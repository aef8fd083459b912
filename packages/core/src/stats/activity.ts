import type { Usage } from "../session/record.ts";

/** What a message adds to statistics, beside its time. */
export interface Activity {
  role: "user" | "assistant" | "other";
  /** Of an answer, `null` where unknown. */
  provider: string | null;
  model: string | null;
  usage: Usage | null;
  /** The tools that it calls. */
  calls: readonly (string | null)[];
  /** The tool of whose failure it tells. */
  failed: string | null | undefined;
}

/** A message in a part of a session. */
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
