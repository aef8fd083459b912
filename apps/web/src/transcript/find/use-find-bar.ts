import { findPattern, MAX_FIND_LENGTH } from "@sm/core";
import { type RefObject, useCallback, useEffect, useMemo, useRef, useState } from "react";
import type { Disclosures } from "../../entries/disclosures.ts";
import type { TranscriptListHandle } from "../transcript-list.tsx";
import type { TranscriptReader } from "../transcript-reader.ts";
import type { ChangeTranscriptSearch, TranscriptSearch } from "../transcript-search.ts";
import { marksPattern, shortestTexts } from "./pattern.ts";
import { reveal } from "./reveal.ts";
import { type Find, useFind } from "./use-find.ts";
import { useMarks } from "./use-marks.ts";

/** The bar in which one types what to find, and what is found. */
export interface FindBarState {
  isOpen: boolean;
  /** What stands in its field. */
  query: string;
  find: Find;
  open(): void;
  close(): void;
  setQuery(query: string): void;
}

interface FindBarOptions {
  reader: TranscriptReader;
  list: RefObject<TranscriptListHandle | null>;
  /** Around the entries. */
  body: RefObject<HTMLElement | null>;
  disclosures: Disclosures;
  /** Highlights while the bar is closed. */
  marks: RegExp | null;
  search: TranscriptSearch;
  onSearch: ChangeTranscriptSearch;
  showMatch(place: number, entryId: string, pattern: RegExp): void;
}

/** Finds text in a session: goes from match to match, opens what hides them and marks them. */
export function useFindBar(options: FindBarOptions): FindBarState {
  const { reader, list, body, disclosures, marks, search, onSearch, showMatch } = options;
  const [isOpen, setOpen] = useState(search.find !== undefined);
  /** The prompt that was being typed. */
  const prompt = useRef<HTMLTextAreaElement | null>(null);
  // What a search has found here is what is found, until something else is typed.
  const [hit, setHit] = useState<{ texts: readonly string[]; entryId: string | undefined } | null>(null);
  const typed = (search.find ?? "").slice(0, MAX_FIND_LENGTH);
  const texts = hit === null ? [typed] : shortestTexts(hit.texts);
  const pattern = useMemo(() => (hit === null ? findPattern(typed) : marksPattern(hit.texts)), [hit, typed]);
  const from = useCallback(() => {
    const placeOfHit = hit?.entryId === undefined ? -1 : reader.pages.placeOf(hit.entryId);
    return placeOfHit < 0 ? (list.current?.firstInSight() ?? 0) : placeOfHit;
  }, [hit, reader, list]);
  const find = useFind({ reader, texts, pattern, from });
  const { match } = find;
  useEffect(() => {
    if (match !== null && pattern !== null) showMatch(match.entry.place, match.entry.id, pattern);
  }, [match, pattern, showMatch]);
  // Distant matches are loaded first, then opened.
  const isMatchLoaded = match !== null && reader.pages.item(match.entry.place) !== undefined;
  useEffect(() => {
    if (!isMatchLoaded || match === null || pattern === null) return;
    reveal(match.entry.place, pattern, (at) => reader.pages.item(at), disclosures);
  }, [isMatchLoaded, match, pattern, reader, disclosures]);
  const markedEntry = isOpen || search.entry === undefined ? null : { entryId: search.entry, nth: 0 };
  useMarks({
    container: body,
    pattern: isOpen ? pattern : marks,
    current: match !== null ? { entryId: match.entry.id, nth: match.nth } : markedEntry,
    onRendered: (range) => list.current?.show(range),
  });
  return {
    isOpen,
    query: hit?.texts.join(" ") ?? search.find ?? "",
    find,
    open() {
      const { activeElement } = document;
      if (!isOpen) prompt.current = activeElement instanceof HTMLTextAreaElement ? activeElement : null;
      if (!isOpen && search.find === undefined && search.mark !== undefined) {
        setHit({ texts: search.mark, entryId: search.entry });
      }
      setOpen(true);
      body.current?.parentElement?.querySelector<HTMLInputElement>(".find-bar input")?.select();
    },
    close() {
      setOpen(false);
      setHit(null);
      onSearch({ find: undefined, mark: undefined }, true);
      (prompt.current ?? list.current?.element)?.focus({ preventScroll: true });
    },
    setQuery(query) {
      setHit(null);
      onSearch({ find: query === "" ? undefined : query }, true);
    },
  };
}
