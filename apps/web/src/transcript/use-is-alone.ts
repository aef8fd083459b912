import { useMatches } from "../browser/use-matches.ts";
import type { TranscriptSearch } from "./transcript-search.ts";

/**
 * Widths of the window below which the list and the navigation beside a session make room for what is opened on its
 * other side: with them, a line of text would have less than some 60 letters.
 */
const WIDE_ENOUGH = { panel: "(width < 1400px)", changes: "(width < 1600px)", compare: "(width < 1800px)" } as const;

/** Tells whether a session needs the room of the list and of the navigation. */
export function useIsAlone({ panel, compare }: Pick<TranscriptSearch, "panel" | "compare">): boolean {
  const beside =
    compare !== undefined ? "compare" : panel === "changes" ? "changes" : panel === undefined ? null : "panel";
  return useMatches(beside === null ? null : WIDE_ENOUGH[beside]);
}
