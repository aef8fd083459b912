import type { CommandOutput } from "@sm/router/client";

export type SearchPage = CommandOutput<"search">;
export type SearchHit = SearchPage["hits"][number];

/** One line of the results: a session, or what was found in it. */
export type ResultRow =
  | { readonly kind: "session"; readonly key: string; readonly hit: SearchHit }
  | { readonly kind: "hit"; readonly key: string; readonly hit: SearchHit };

/** Lays hits out below their sessions; hits of one session that follow each other stand together. */
export function layOutHits(pages: readonly Pick<SearchPage, "hits">[]): ResultRow[] {
  const rows: ResultRow[] = [];
  let path: string | null = null;
  let count = 0;
  for (const hit of pages.flatMap(({ hits }) => hits)) {
    if (hit.session_path !== path) rows.push({ kind: "session", key: `session ${count}`, hit });
    path = hit.session_path;
    // An entry may have several hits; they are told apart by their places, which stay as pages are added.
    rows.push({ kind: "hit", key: `hit ${count}`, hit });
    count += 1;
  }
  return rows;
}

/** A part of a snippet. */
export interface Piece {
  readonly text: string;
  readonly isMarked: boolean;
}

/** Cuts a snippet at its highlights. */
export function piecesOf({ snippet, highlights }: Pick<SearchHit, "snippet" | "highlights">): Piece[] {
  const pieces: Piece[] = [];
  let at = 0;
  for (const [start, end] of highlights) {
    if (start > at) pieces.push({ text: snippet.slice(at, start), isMarked: false });
    pieces.push({ text: snippet.slice(start, end), isMarked: true });
    at = end;
  }
  if (at < snippet.length) pieces.push({ text: snippet.slice(at), isMarked: false });
  return pieces;
}

/** Texts that are marked in the transcript; more of them would only make the address longer. */
const MOST_MARKS = 8;

/** The texts that a hit was found by, as they stand in it. */
export function marksOf(hit: SearchHit): string[] {
  const marked = piecesOf(hit).flatMap(({ text, isMarked }) => (isMarked ? [text.toLowerCase()] : []));
  return [...new Set(marked)].slice(0, MOST_MARKS);
}
