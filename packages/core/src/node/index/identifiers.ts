import type { SqliteDatabase, SqliteStatement } from "../sqlite.ts";

/**
 * Identifiers with humps in one text database: in lower case as a whole, and where they come apart, one character
 * for each cut (see `cutsOf`).
 */
export const IDENTIFIERS_SQL = `
CREATE TABLE identifiers (whole TEXT NOT NULL, cuts TEXT NOT NULL, PRIMARY KEY (whole, cuts)) WITHOUT ROWID;
`;

/** Known ones are kept in memory up to here, so that most occurrences cost no statement. */
const MOST_REMEMBERED = 50_000;
/** A prefix of one or two letters begins many; its parts are found without this list. */
const MOST_OF_PREFIX = 2_000;

interface StoredIdentifier {
  whole: string;
  cuts: string;
}

/** Which identifiers are in the index, and how they come apart there. */
export class Identifiers {
  readonly #insert: SqliteStatement;
  readonly #exact: SqliteStatement;
  readonly #beginning: SqliteStatement;
  readonly #remembered = new Set<string>();

  constructor(database: SqliteDatabase) {
    this.#insert = database.prepare("INSERT OR IGNORE INTO identifiers VALUES (?, ?)");
    this.#exact = database.prepare("SELECT whole, cuts FROM identifiers WHERE whole = ?");
    this.#beginning = database.prepare("SELECT whole, cuts FROM identifiers WHERE whole >= ? AND whole < ? LIMIT ?");
  }

  /** @param parts as in the text, the case that shows the humps included. */
  add(parts: string): void {
    if (this.#remembered.has(parts)) return;
    if (this.#remembered.size === MOST_REMEMBERED) this.#remembered.clear();
    this.#remembered.add(parts);
    const lower = parts.toLowerCase();
    this.#insert.run(lower.replaceAll(" ", ""), cutsOf(lower));
  }

  /** What was remembered in a transaction that failed is not in the table. */
  forgetUncommitted(): void {
    this.#remembered.clear();
  }

  /** See `SplitIdentifier`. */
  split(word: string, prefix: boolean): string[][] {
    const found = prefix ? this.#beginning.all(word, `${word}\u{10ffff}`, MOST_OF_PREFIX) : this.#exact.all(word);
    // Both statements select what `StoredIdentifier` has. Of a prefix, only the part that was typed is of interest.
    const spellings = (found as StoredIdentifier[]).map(({ whole, cuts }) => cutAt(whole.slice(0, word.length), cuts));
    const distinct = new Map(spellings.map((parts) => [parts.join(" "), parts]));
    return [...distinct.values()];
  }
}

/** Words have at most 64 characters, so that a place in one is a printable character from "0" on. */
const FIRST_CUT = "0".charCodeAt(0);

/** Where parts that are joined by spaces border on each other, once the spaces are gone. */
function cutsOf(parts: string): string {
  let cuts = "";
  let letters = 0;
  for (const character of parts.split("")) {
    if (character === " ") cuts += String.fromCharCode(FIRST_CUT + letters);
    else letters++;
  }
  return cuts;
}

function cutAt(whole: string, cuts: string): string[] {
  const parts: string[] = [];
  let start = 0;
  for (const cut of cuts) {
    const end = cut.charCodeAt(0) - FIRST_CUT;
    if (end >= whole.length) break;
    parts.push(whole.slice(start, end));
    start = end;
  }
  parts.push(whole.slice(start));
  return parts;
}
