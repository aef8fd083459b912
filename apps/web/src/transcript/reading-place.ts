import { type RefObject, useCallback, useEffect, useRef } from "react";
import { keepPlace, placeAt } from "../browser/history-places.ts";
import type { TranscriptListHandle } from "./transcript-list.tsx";
import type { TranscriptReader } from "./transcript-reader.ts";

/** Where the reader of a session was: the first entry in the window, and the pixels of it that were above. */
interface ReadingPlace {
  entryId: string;
  hidden: number;
}

const WHAT = "entry";

/** Where one was when an entry of the history was left; `null` where one was at the end, or nowhere yet. */
export function readingPlaceAt(historyKey: string): ReadingPlace | null {
  const kept = placeAt(WHAT, historyKey);
  if (typeof kept !== "object" || kept === null || !("entryId" in kept) || !("hidden" in kept)) return null;
  const { entryId, hidden } = kept;
  return typeof entryId === "string" && typeof hidden === "number" ? { entryId, hidden } : null;
}

interface ReadingPlaceOptions {
  reader: TranscriptReader;
  list: RefObject<TranscriptListHandle | null>;
  historyKey: string;
  /** Where one was when this entry of the history was left. */
  leftAt: ReadingPlace | null;
  isFollowing: boolean;
  setFollowing(isFollowing: boolean): void;
}

/** Remembers where one reads, for each entry of the history, and goes back there with it. */
export function useReadingPlace(options: ReadingPlaceOptions): (place: number, hidden: number) => void {
  const { reader, list, historyKey, leftAt, isFollowing, setFollowing } = options;
  const wanted = useRef(leftAt);
  const current = useRef(leftAt);
  // biome-ignore lint/correctness/useExhaustiveDependencies: what is known of the branch decides
  useEffect(() => {
    const to = wanted.current;
    const at = to === null ? -1 : reader.pages.placeOf(to.entryId);
    if (to === null || list.current === null) return;
    if (at < 0) {
      // It is gone by now.
      if (reader.tree !== null) wanted.current = null;
      return;
    }
    list.current.putBack(at, to.hidden);
    // Before the tree is there, the branch ends with the entry and cannot be scrolled further.
    if (reader.tree !== null && reader.pages.item(at) !== undefined) wanted.current = null;
  }, [reader, list, reader.version, historyKey]);

  const shownKey = useRef(historyKey);
  useEffect(() => {
    if (shownKey.current === historyKey) return;
    shownKey.current = historyKey;
    const known = readingPlaceAt(historyKey);
    // Another entry of the history for the same place, such as with a panel beside it, begins where one is.
    if (known === null) return keepPlace(WHAT, historyKey, current.current);
    setFollowing(false);
    wanted.current = known;
    const at = reader.pages.placeOf(known.entryId);
    if (at >= 0) list.current?.putBack(at, known.hidden);
  }, [reader, list, historyKey, setFollowing]);

  return useCallback(
    (place, hidden) => {
      const entryId = reader.pages.ids[place];
      if (wanted.current !== null) return;
      current.current = isFollowing || entryId === undefined ? null : { entryId, hidden };
      keepPlace(WHAT, historyKey, current.current);
    },
    [reader, historyKey, isFollowing],
  );
}
