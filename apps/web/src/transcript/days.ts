import type { TranscriptItem } from "@sm/core";
import { rowAt } from "../entries/rows.ts";

/** Entries above that are looked at for their day. */
const MAX_INSPECTED = 256;

/** What is known of the entries of a branch, loaded or not. */
export interface DatedEntries {
  /** `undefined`: not loaded. */
  itemAt(place: number): TranscriptItem | undefined;
  /** `undefined`: not known; `null`: without a time. */
  timeAt(place: number): string | null | undefined;
}

/** Tells whether the entry of a shown row is the first of its day, so that the date stands above it. */
export function startsDay(place: number, { itemAt, timeAt }: DatedEntries): boolean {
  const day = dayOf(timeAt(place));
  if (day === null) return false;
  const first = Math.max(0, place - MAX_INSPECTED);
  for (let at = place - 1; at >= first; at--) {
    const time = timeAt(at);
    if (time === undefined) return false;
    const before = dayOf(time);
    if (before === null) continue;
    if (before !== day) return true;
    // The date does not stand above what has no row of its own, such as the result of a call.
    if (rowAt(at, itemAt).kind !== "absorbed") return false;
  }
  return first === 0;
}

/** The day of a time in the calendar of who reads it; `null` without one. */
function dayOf(time: string | null | undefined): string | null {
  if (time === null || time === undefined) return null;
  const date = new Date(time);
  return `${date.getFullYear()} ${date.getMonth()} ${date.getDate()}`;
}
