import type { CommandOutput } from "@sm/router/client";
import { markupIn } from "../i18n/prose-text.ts";

export type SearchPage = CommandOutput<"search">;
export type SearchHit = SearchPage["hits"][number];

/** One line of the results: a session, what was found in it, or that there is more of it. */
export type ResultRow = { readonly kind: "session" | "hit" | "more"; readonly key: string; readonly hit: SearchHit };

/**
 * Lays hits out below their sessions; hits of one session that follow each other stand together.
 *
 * @param most hits of one session; in the place of the one after these stands that there are more.
 */
export function layOutHits(pages: readonly Pick<SearchPage, "hits">[], most: number): ResultRow[] {
  const rows: ResultRow[] = [];
  const counts = new Map<string, number>();
  let path: string | null = null;
  for (const [place, hit] of pages.flatMap(({ hits }) => hits).entries()) {
    if (hit.session_path !== path) rows.push({ kind: "session", key: `session ${place}`, hit });
    path = hit.session_path;
    const count = (counts.get(path) ?? 0) + 1;
    counts.set(path, count);
    // An entry may have several hits; they are told apart by their places, which stay as pages are added.
    rows.push({ kind: count > most ? "more" : "hit", key: `hit ${place}`, hit });
  }
  return rows;
}

/** A hit that is open in its session. */
export interface OpenedHit {
  path: string;
  /** `null` where the session is open at no entry that was found. */
  entry: string | null;
}

/** Finds the row of an open hit; -1 where there is none. Of several in one entry it is `active`, if that is among them. */
export function indexOfOpened(rows: readonly ResultRow[], { path, entry }: OpenedHit, active: number): number {
  const isOpen = (row: ResultRow | undefined) =>
    row?.kind === "hit" && row.hit.session_path === path && row.hit.entry_id === entry;
  return isOpen(rows[active]) ? active : rows.findIndex(isOpen);
}

/** A part of a snippet. */
export interface Piece {
  readonly text: string;
  readonly isMarked: boolean;
}

/** Kinds of text that are Markdown. In all others its signs mean something else. */
const PROSE: ReadonlySet<SearchHit["kind"]> = new Set(["text", "thinking", "summary"]);

/** Cuts a snippet at its highlights, without the signs of Markdown between them. */
export function piecesOf({ snippet, highlights, kind }: Pick<SearchHit, "snippet" | "highlights" | "kind">): Piece[] {
  const isFound = (from: number, to: number) => highlights.some(([start, end]) => start < to && from < end);
  const markup = PROSE.has(kind) ? markupIn(snippet).filter(([start, end]) => !isFound(start, end)) : [];
  const cuts = [
    ...highlights.map(([start, end]) => ({ start, end, isMarked: true })),
    ...markup.map(([start, end]) => ({ start, end, isMarked: false })),
  ].sort((a, b) => a.start - b.start);
  const pieces: Piece[] = [];
  const add = (start: number, end: number, isMarked: boolean) => {
    const text = snippet.slice(start, end);
    const last = pieces.at(-1);
    if (text === "") return;
    if (last !== undefined && !isMarked && !last.isMarked) pieces.splice(-1, 1, { ...last, text: last.text + text });
    else pieces.push({ text, isMarked });
  };
  let at = 0;
  for (const { start, end, isMarked } of cuts) {
    add(at, start, false);
    if (isMarked) add(start, end, true);
    at = end;
  }
  add(at, snippet.length, false);
  return pieces;
}

/** Texts that are marked in the transcript; more of them would only make the address longer. */
const MAX_MARKS = 8;

/** The texts that a hit was found by, as they stand in it. */
export function marksOf(hit: SearchHit): string[] {
  const marked = piecesOf(hit).flatMap(({ text, isMarked }) => (isMarked ? [text.toLowerCase()] : []));
  return [...new Set(marked)].slice(0, MAX_MARKS);
}
