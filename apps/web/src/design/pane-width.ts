import { createPreference, type Preference } from "../browser/preference.ts";

/** Pixels. */
interface WidthRange {
  usual: number;
  min: number;
  max: number;
}

/** The width of a pane in pixels, which this browser remembers. */
export interface PaneWidth extends Preference<number>, WidthRange {}

/** A stored width outside the range counts as the usual one. */
export function createPaneWidth(name: string, range: WidthRange): PaneWidth {
  const { usual, min, max } = range;
  const isWidth = (stored: unknown): stored is number => typeof stored === "number" && stored >= min && stored <= max;
  return { ...createPreference(name, usual, (stored) => (isWidth(stored) ? stored : usual)), ...range };
}
