import type { Usage } from "../session/record.ts";

/** Contribution of an entry to statistics, without its time. */
export interface Activity {
  /** Role of a message; `null` for other entries with usage, such as a compaction. */
  role: "user" | "assistant" | "other" | null;
  /** Of an answer or usage, `null` if unknown. */
  provider: string | null;
  model: string | null;
  /** See `priceTierOf`. */
  tier: number;
  usage: Usage | null;
  /** Called tools, one per call. */
  calls: readonly (string | null)[];
  /** Tools with failed calls, one per failure. */
  failed: readonly (string | null)[];
}

/** Whether an entry counts for a model. */
export function hasModel({ role, usage }: Activity): boolean {
  return role === "assistant" || usage !== null;
}

/** An entry in a part of a session. */
export interface PlacedActivity {
  /** Its index in that part. */
  place: number;
  /** Milliseconds since 1970, `NaN` if unknown. */
  timestamp: number;
  activity: Activity;
}

export const QUARTER_MS = 15 * 60_000;

/** Quarter of an hour since 1970; `null` if unknown. */
export function quarterOf(timestamp: number): number | null {
  return Number.isNaN(timestamp) ? null : Math.floor(timestamp / QUARTER_MS);
}
