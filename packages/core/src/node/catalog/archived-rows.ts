import type { ListOptions } from "../../library.ts";
import type { SessionFormatName } from "../../session/record.ts";
import type { SqliteDatabase } from "../storage/sqlite.ts";
import { BestPlaces, comparison } from "./best-places.ts";
import { IS_PATH_IN_SQL } from "./index-schema.ts";
import type { Place, Places } from "./page-cursor.ts";
import { timeOf } from "./session-columns.ts";

/** What lists have to know of an archived session. */
interface ArchivedRow {
  key: number;
  /** In milliseconds since 1970. */
  modified: number;
  folded: 0 | 1;
  format: SessionFormatName;
}

/** What a list may be filtered by that is a range of times. */
type RangeFilters = Pick<ListOptions, "since" | "until" | "format">;

/** Gives others their turn now and then. */
interface Turns {
  turn(): Promise<void>;
}

/** Rows that are looked up at once: about a millisecond. */
const ROWS_AT_ONCE = 200;

/** The sessions of the catalog that are archived, in memory: read once, and again where they have changed. */
export class ArchivedRows {
  readonly #some;
  readonly #below;
  #paths: ReadonlySet<string> = new Set();
  readonly #rows = new Map<string, ArchivedRow>();
  readonly #keys = new Set<number>();
  /** Paths whose rows have to be read. */
  readonly #due = new Set<string>();

  constructor(client: SqliteDatabase) {
    this.#some = client.prepare<[{ paths: string }], ArchivedRow & { path: string }>(
      `SELECT path, key, modified_at AS modified, folded, format FROM files
        WHERE +status = 'session' AND ${IS_PATH_IN_SQL}`,
    );
    this.#below = client
      .prepare<[keys: string], number>(
        `SELECT key FROM files
          WHERE parent IN (SELECT value FROM json_each(?)) AND +folded = 1 AND +status = 'session'`,
      )
      .pluck();
  }

  /** Sets the paths of all archived sessions. */
  set(paths: ReadonlySet<string>): void {
    const before = this.#paths;
    if (paths === before) return;
    this.#paths = paths;
    for (const path of before) if (!paths.has(path)) this.#due.add(path);
    for (const path of paths) if (!before.has(path)) this.#due.add(path);
  }

  /** Takes note of sessions that are new, other, or gone. */
  changed(paths: Iterable<string>): void {
    if (this.#paths.size === 0) return;
    for (const path of paths) if (this.#paths.has(path)) this.#due.add(path);
  }

  /** Whether no session is archived. */
  get isEmpty(): boolean {
    return this.#paths.size === 0;
  }

  has(path: string): boolean {
    return this.#paths.has(path);
  }

  /** Reads what has changed; to be awaited before all that follows. */
  async refresh(turns: Turns): Promise<void> {
    while (this.#due.size > 0) {
      const paths = [...this.#due].slice(0, ROWS_AT_ONCE);
      const wanted = paths.filter((path) => this.#paths.has(path));
      const found = wanted.length === 0 ? [] : this.#some.all({ paths: JSON.stringify(wanted) });
      for (const path of paths) {
        this.#due.delete(path);
        const before = this.#rows.get(path);
        if (before !== undefined) this.#keys.delete(before.key);
        this.#rows.delete(path);
      }
      for (const { path, ...row } of found) {
        this.#rows.set(path, row);
        this.#keys.add(row.key);
      }
      await turns.turn();
    }
  }

  /** Paths of those that exist. */
  get paths(): string[] {
    return [...this.#rows.keys()];
  }

  get keys(): ReadonlySet<number> {
    return this.#keys;
  }

  /** Their keys, and those of all subagents below them. */
  async keysWithSubagents(turns: Turns): Promise<ReadonlySet<number>> {
    const all = new Set(this.#keys);
    for (let level = [...all]; level.length > 0; ) {
      const below: number[] = [];
      for (let start = 0; start < level.length; start += ROWS_AT_ONCE) {
        for (const key of this.#below.all(JSON.stringify(level.slice(start, start + ROWS_AT_ONCE)))) {
          if (!all.has(key)) below.push(key);
          all.add(key);
        }
        await turns.turn();
      }
      level = below;
    }
    return all;
  }

  /** A page of those that lists show, in the order of their times. */
  places({ order, limit, ...filters }: ListOptions, start: Place | null): Places {
    const best = new BestPlaces(limit + 1, comparison({ order }), start);
    let total = 0;
    for (const { key, modified } of this.#left(filters)) {
      total++;
      best.add(modified, key);
    }
    return { places: best.sorted(), total, size: null };
  }

  /** How many of those that lists would show are left over by filters. */
  count(filters: RangeFilters): number {
    let total = 0;
    for (const _ of this.#left(filters)) total++;
    return total;
  }

  *#left({ since, until, format }: RangeFilters): Generator<ArchivedRow> {
    const first = since === undefined ? Number.NEGATIVE_INFINITY : timeOf(since);
    const end = until === undefined ? Number.POSITIVE_INFINITY : timeOf(until);
    for (const row of this.#rows.values()) {
      const isOfFormat = format === undefined || row.format === format;
      if (isOfFormat && row.folded === 0 && row.modified >= first && row.modified < end) yield row;
    }
  }
}
