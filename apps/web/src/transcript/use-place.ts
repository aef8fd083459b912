import { type RefObject, useCallback, useEffect, useRef, useState } from "react";
import { useHistoryKey } from "../browser/history-places.ts";
import { Disclosures } from "../entries/disclosures.ts";
import { reveal, rowOf } from "./find/reveal.ts";
import { readingPlaceAt, useReadingPlace } from "./reading-place.ts";
import type { TranscriptListHandle } from "./transcript-list.tsx";
import type { TranscriptReader } from "./transcript-reader.ts";
import type { ChangeTranscriptSearch, TranscriptSearch } from "./transcript-search.ts";

type Align = "start" | "center" | "auto";

/** Where the reader of a session is, and how he gets elsewhere. */
export interface TranscriptPlace {
  currentId: string | null;
  /** Whether the newest entry stays in sight as more are written. */
  isFollowing: boolean;
  setFollowing(isFollowing: boolean): void;
  /** Which parts of entries are open. To open one is to stay with it. */
  disclosures: Disclosures;
  /** Brings an entry of this branch into sight, as soon as it is known where it is. */
  bring(entryId: string, align: Align): void;
  /** Shows a match in an entry of this branch. */
  showMatch(place: number, entryId: string, pattern: RegExp): void;
  /** Goes to an entry, on whatever branch it is, and says so in the URL. */
  goTo(entryId: string): void;
  /** Shows the newest branch through an entry, in place. */
  switchTo(entryId: string): void;
  toNewest(): void;
  /** Remembers on which place the window begins, for when one comes back. */
  onScrolled(place: number, hidden: number): void;
}

interface PlaceOptions {
  reader: TranscriptReader;
  list: RefObject<TranscriptListHandle | null>;
  /** Highlights from the search that led here. */
  marks: RegExp | null;
  search: TranscriptSearch;
  onSearch: ChangeTranscriptSearch;
}

/** Keeps the place in a session: as the URL says it, and as the reader moves on. */
export function useTranscriptPlace({ reader, list, marks, search, onSearch }: PlaceOptions): TranscriptPlace {
  const historyKey = useHistoryKey();
  const [leftAt] = useState(() => readingPlaceAt(historyKey));
  const [currentId, setCurrentId] = useState(search.entry ?? null);
  const [isFollowing, setFollowing] = useState(search.entry === undefined && leftAt === null);
  const [disclosures] = useState(() => new Disclosures(() => setFollowing(false)));

  /** The entry that comes into sight as soon as it is known where it is. */
  const wanted = useRef<{ entryId: string; align: Align } | null>(
    search.entry === undefined || leftAt !== null ? null : { entryId: search.entry, align: "center" },
  );
  const settle = useCallback(() => {
    const to = wanted.current;
    const at = to === null ? -1 : reader.pages.placeOf(to.entryId);
    if (to === null || at < 0 || list.current === null) return;
    const itemAt = (place: number) => reader.pages.item(place);
    // With the keys one comes by a run, and does not open it.
    const isPassing = to.align === "auto" && !list.current.isFolded(at);
    const row = isPassing
      ? at
      : marks === null
        ? rowOf(at, itemAt, disclosures)
        : reveal(at, marks, itemAt, disclosures);
    list.current.scrollTo(row, to.align);
    if (row !== at) setCurrentId(reader.pages.ids[row] ?? to.entryId);
    // Before the tree is there, the branch ends with the entry and cannot be scrolled further.
    if (reader.tree !== null && itemAt(at) !== undefined) wanted.current = null;
  }, [reader, list, disclosures, marks]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: what is known of the branch decides
  useEffect(settle, [settle, reader.version]);
  const onScrolled = useReadingPlace({ reader, list, historyKey, leftAt, isFollowing, setFollowing });

  const bring = useCallback(
    (entryId: string, align: Align) => {
      setFollowing(false);
      setCurrentId(entryId);
      wanted.current = { entryId, align };
      settle();
    },
    [settle],
  );
  const showMatch = useCallback(
    (place: number, entryId: string, pattern: RegExp) => {
      setFollowing(false);
      const row = reveal(place, pattern, (at) => reader.pages.item(at), disclosures);
      list.current?.scrollTo(row, "center");
      wanted.current = null;
      setCurrentId(reader.pages.ids[row] ?? entryId);
    },
    [reader, list, disclosures],
  );

  // Navigation and links change the URL.
  const shown = useRef(search);
  useEffect(() => {
    const before = shown.current;
    shown.current = search;
    if (before.leaf === search.leaf && before.entry === search.entry) return;
    reader.show({ leaf: search.leaf ?? null, entry: search.entry ?? null });
    if (search.entry !== undefined && search.entry !== before.entry) bring(search.entry, "center");
  }, [reader, search, bring]);

  const latest = useRef({ search, onSearch });
  latest.current = { search, onSearch };
  const goTo = useCallback(
    (entryId: string) => {
      const { search, onSearch } = latest.current;
      const isHere = reader.pages.placeOf(entryId) >= 0;
      const leaf = isHere ? search.leaf : (reader.leafThrough(entryId) ?? undefined);
      if (search.entry !== entryId || search.leaf !== leaf) onSearch({ entry: entryId, leaf, mark: undefined });
      bring(entryId, "center");
    },
    [reader, bring],
  );
  const switchTo = useCallback(
    (entryId: string) => {
      setFollowing(false);
      list.current?.keepPlace();
      latest.current.onSearch({ entry: undefined, leaf: reader.leafThrough(entryId) ?? undefined });
    },
    [reader, list],
  );
  const toNewest = () => {
    if (!reader.isNewest) onSearch({ leaf: undefined, entry: undefined });
    reader.show({ leaf: null, entry: null });
    setCurrentId(null);
    setFollowing(true);
    list.current?.scrollTo(reader.pages.total - 1, "end");
  };
  return {
    currentId,
    isFollowing,
    setFollowing,
    disclosures,
    bring,
    showMatch,
    goTo,
    switchTo,
    toNewest,
    onScrolled,
  };
}
