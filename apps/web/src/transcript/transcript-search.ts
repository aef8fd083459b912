import { oneOf, type RawSearch, textIn, textsIn, withoutUndefined } from "../url/search-params.ts";

const PANELS = ["prompts", "tree", "changes"] as const;

/** The displayed part of a session, as described by the URL. */
export interface TranscriptSearch {
  /** An entry to show. */
  entry?: string;
  /** An entry of the branch to show; the newest branch if absent. */
  leaf?: string;
  /** Texts that are marked, such as those that a search has found. */
  mark?: string[];
  /** Text to find; empty while the bar is open and nothing is typed. */
  find?: string;
  /** An entry of another branch, which is put beside the first. */
  compare?: string;
  panel?: (typeof PANELS)[number];
}

/** Changes the URL; a field that becomes `undefined` leaves it. */
export type ChangeTranscriptSearch = (
  change: { [Name in keyof TranscriptSearch]: TranscriptSearch[Name] | undefined },
  replace?: boolean,
) => void;

/** Reads what the URL says of a session. */
export function readTranscriptSearch(search: RawSearch): TranscriptSearch {
  const marks = textsIn(search, "mark");
  return withoutUndefined({
    entry: textIn(search, "entry"),
    leaf: textIn(search, "leaf"),
    mark: marks.length === 0 ? undefined : marks,
    find: textIn(search, "find"),
    compare: textIn(search, "compare"),
    panel: oneOf(search, "panel", PANELS),
  });
}
