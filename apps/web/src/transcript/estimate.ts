import type { TreeEntry } from "@sm/core";

/** Heights of rows before they are measured, in pixels, by whose they are. */
const HEIGHTS: Readonly<Record<string, number>> = {
  user: 108,
  assistant: 104,
  tool: 0,
  bash: 60,
  custom: 60,
  system: 48,
};
const NOTE_HEIGHT = 32;
/** Of an entry of which nothing is known. */
const USUAL_HEIGHT = 72;
/** A preview that is cut stands for a longer text. */
const LONG_PREVIEW = 118;
const LONG_EXTRA = 60;

/** Guesses how high the row of an entry is. */
export function estimatedHeight(entry: TreeEntry | null): number {
  if (entry === null) return USUAL_HEIGHT;
  if (entry.role === null && entry.kind !== "message") return NOTE_HEIGHT;
  const height = HEIGHTS[entry.role ?? ""] ?? USUAL_HEIGHT;
  return height > 60 && entry.preview.length >= LONG_PREVIEW ? height + LONG_EXTRA : height;
}
