import type { SqliteDatabase, SqliteStatement } from "../sqlite.ts";

/** Identifiers with humps in one text database: in lower case as a whole, and in parts with spaces between them. */
export const IDENTIFIERS_SQL = `
CREATE TABLE identifiers (whole TEXT NOT NULL, parts TEXT NOT NULL, PRIMARY KEY (whole, parts)) WITHOUT ROWID;
`;

/** Known ones are kept in memory up to here, so that most occurrences cost no statement. */
const MOST_REMEMBERED = 50_000;
/** A prefix of one or two letters begins many; its parts are found without this list. */
const MOST_OF_PREFIX = 2_000;

/** Which identifiers are in the index, and how they come apart there. */
export class Identifiers {
  readonly #insert: SqliteStatement | null;
  readonly #exact: SqliteStatement;
  readonly #beginning: SqliteStatement;
  readonly #remembered = new Set<string>();

  constructor(database: SqliteDatabase) {
    this.#insert = database.readonly ? null : database.prepare("INSERT OR IGNORE INTO identifiers VALUES (?, ?)");
    this.#exact = database.prepare("SELECT parts FROM identifiers WHERE whole = ?").pluck();
    this.#beginning = database.prepare("SELECT parts FROM identifiers WHERE whole >= ? AND whole < ? LIMIT ?").pluck();
  }

  /** @param parts as in the text, the case that shows the humps included. */
  add(parts: string): void {
    if (this.#remembered.has(parts)) return;
    if (this.#remembered.size === MOST_REMEMBERED) this.#remembered.clear();
    this.#remembered.add(parts);
    const lower = parts.toLowerCase();
    this.#insert?.run(lower.replaceAll(" ", ""), lower);
  }

  /** What was remembered in a transaction that failed is not in the table. */
  forgetUncommitted(): void {
    this.#remembered.clear();
  }

  /** See `SplitIdentifier`. */
  split(word: string, prefix: boolean): string[][] {
    // Both statements select one column of text.
    if (!prefix) return (this.#exact.all(word) as string[]).map((parts) => parts.split(" "));
    const found = this.#beginning.all(word, `${word}\u{10ffff}`, MOST_OF_PREFIX) as string[];
    return [...new Set(found.map((parts) => beginningOf(parts, word.length)))].map((parts) => parts.split(" "));
  }
}

/** The first `length` characters of an identifier, in parts. */
function beginningOf(parts: string, length: number): string {
  let left = length;
  let at = 0;
  while (left > 0 && at < parts.length) {
    if (parts[at] !== " ") left--;
    at++;
  }
  return parts.slice(0, at);
}
