import { setImmediate as turn } from "node:timers/promises";
import { and, asc, eq, gt, type SQL, sql } from "drizzle-orm";
import type { ListOptions, SessionSort } from "../../library.ts";
import { parseTimestamp } from "../../session/timestamp.ts";
import { queriesOn } from "../storage/queries.ts";
import type { SqliteDatabase } from "../storage/sqlite.ts";
import { stoppedError } from "../threads/thread.ts";
import { BestPlaces, comparison } from "./best-places.ts";
import { STORED } from "./catalog-rows.ts";
import { FilterWords } from "./filter-words.ts";
import { files, isPathIn, summaries } from "./index-schema.ts";
import type { Place, Places } from "./page-cursor.ts";
import { type StoredSession, storedRecord } from "./stored-session.ts";

/** The plus keeps SQLite from looking up every session where it is by an index of all sessions, twice as slow (measured). */
export const IS_SESSION = sql`+${files.status} = 'session'`;

const ROW = { ...STORED, modified: files.modifiedAt, created: files.createdAt };

type ReadRow = StoredSession & { modified: number; created: number };

/** What a list is sorted and filtered by; times in milliseconds since 1970. */
interface Row extends Record<SessionSort, string | number> {
  key: number;
  project: string | null;
  format: string;
  modified: number;
}

/** Sessions have numbers, which stay theirs: whoever goes through the rows meets each session once, whatever changes. */
class Rows {
  /** By number; `null` for a session that is gone. */
  readonly rows: (Row | null)[] = [];
  readonly words = new FilterWords();
  readonly #numbers = new Map<string, number>();

  set(stored: ReadRow): void {
    const { key, path, project, format, modified, created, size } = stored;
    const record = storedRecord(stored);
    const { title, message_count: messages, usage } = record;
    const number = this.#numbers.get(path) ?? this.rows.length;
    this.rows[number] = { key, project, format, modified, created, size, messages, cost: usage.cost_usd ?? 0, title };
    this.#numbers.set(path, number);
    this.words.set(number, record);
  }

  delete(path: string): void {
    const number = this.#numbers.get(path);
    if (number !== undefined) this.rows[number] = null;
  }

  /** Numbers of the sessions with these paths. */
  *numbersOf(paths: readonly string[]): Generator<number> {
    for (const path of new Set(paths)) {
      const number = this.#numbers.get(path);
      if (number !== undefined) yield number;
    }
  }
}

/** Rows that are read at once, and looked at between two looks at the clock: both take about a millisecond. */
const READ_ROWS = 200;
const FILTERED_ROWS = 2_000;
/** Others have their turn after so long. */
const TURN_MS = 8;
/** 50,000 sessions take some 40 MB, which a service that nobody asks does not need. */
const IDLE_MS = 60_000;

/**
 * Rows of all sessions in memory, for lists that SQLite has no index for: there, looking through 50,000 sessions for a
 * word takes 130 ms of the main thread, here 8, in pieces. Read when they are first needed, dropped when idle.
 */
export class ListRows {
  readonly #all;
  readonly #some;
  readonly #idle: NodeJS.Timeout;
  #rows: Rows | null = null;
  /** Paths whose rows have to be read again. */
  readonly #changed = new Set<string>();
  #reading: Promise<unknown> = Promise.resolve();
  #isClosed = false;

  constructor(client: SqliteDatabase) {
    const db = queriesOn(client);
    const rows = (condition: SQL | undefined) =>
      db.select(ROW).from(files).innerJoin(summaries, eq(summaries.key, files.key)).where(and(IS_SESSION, condition));
    this.#all = rows(gt(files.key, sql.placeholder("after")))
      .orderBy(asc(files.key))
      .limit(READ_ROWS)
      .prepare();
    this.#some = rows(isPathIn(sql.placeholder("paths"))).prepare();
    this.#idle = setTimeout(() => this.#drop(), IDLE_MS).unref();
  }

  /** Takes note of sessions that are new, other, or gone. */
  changed(paths: Iterable<string>): void {
    if (this.#rows === null) return;
    for (const path of paths) this.#changed.add(path);
  }

  /**
   * Finds a page of a list.
   *
   * @param paths the sessions that may be in it, `null` for all.
   * @param start where the page before has ended.
   * @throws AppError `UNAVAILABLE` when the index is closed meanwhile.
   */
  async places(options: ListOptions, paths: readonly string[] | null, start: Place | null): Promise<Places> {
    const sessions = await this.#current();
    const hasFields = fieldFilter(options);
    const hasWords = sessions.words.matching(options.query ?? "");
    const compare = comparison(options);
    const best = new BestPlaces(options.limit + 1, compare);
    let total = 0;
    let looked = 0;
    const pace = this.#pace();
    for (const number of paths === null ? sessions.rows.keys() : sessions.numbersOf(paths)) {
      if (++looked % FILTERED_ROWS === 0) await pace.turn();
      const row = sessions.rows[number] ?? null;
      if (row === null || !hasFields(row) || !hasWords(number)) continue;
      total++;
      const place = { value: row[options.sort], key: row.key };
      if (start === null || compare(place, start) > 0) best.add(place);
    }
    return { places: best.sorted(), total };
  }

  close(): void {
    this.#isClosed = true;
    this.#drop();
    clearTimeout(this.#idle);
  }

  /** @throws AppError `UNAVAILABLE` after {@link close}: whoever has waited finds a closed database. */
  checkOpen(): void {
    if (this.#isClosed) throw stoppedError();
  }

  #pace(): Pace {
    return new Pace(() => this.checkOpen());
  }

  #drop(): void {
    this.#rows = null;
    this.#changed.clear();
  }

  /** One reads, those who ask meanwhile wait for it. */
  #current(): Promise<Rows> {
    this.checkOpen();
    this.#idle.refresh();
    const current = this.#reading.then(() => {
      this.checkOpen();
      return this.#rows === null ? this.#readAll() : this.#readChanged(this.#rows);
    });
    this.#reading = current.catch(() => undefined);
    return current;
  }

  async #readAll(): Promise<Rows> {
    const read = new Rows();
    // From now on changes are noted: what is read may be old by the time that all is read.
    this.#rows = read;
    const pace = this.#pace();
    try {
      for (let after = 0; ; ) {
        const rows = this.#all.all({ after });
        for (const row of rows) read.set(row);
        const last = rows.at(-1);
        if (last === undefined || rows.length < READ_ROWS) return await this.#readChanged(read);
        after = last.key;
        await pace.turn();
      }
    } catch (error) {
      this.#drop();
      throw error;
    }
  }

  async #readChanged(rows: Rows): Promise<Rows> {
    const pace = this.#pace();
    while (this.#changed.size > 0) {
      const paths = [...this.#changed].slice(0, READ_ROWS);
      const found = new Map(this.#some.all({ paths: JSON.stringify(paths) }).map((row) => [row.path, row]));
      for (const path of paths) {
        this.#changed.delete(path);
        const row = found.get(path);
        if (row === undefined) rows.delete(path);
        else rows.set(row);
      }
      await pace.turn();
    }
    return rows;
  }
}

/** Gives others their turn when it is time. */
class Pace {
  readonly #goOn: () => void;
  #since = performance.now();

  /** @param goOn called after others had their turn; may throw. */
  constructor(goOn: () => void) {
    this.#goOn = goOn;
  }

  async turn(): Promise<void> {
    if (performance.now() - this.#since < TURN_MS) return;
    await turn();
    this.#goOn();
    this.#since = performance.now();
  }
}

function fieldFilter({ project, format, since, until }: ListOptions): (row: Row) => boolean {
  const first = since === undefined ? null : timeOf(since);
  const end = until === undefined ? null : timeOf(until);
  return (row) =>
    (project === undefined || row.project === project) &&
    (format === undefined || row.format === format) &&
    (first === null || row.modified >= first) &&
    (end === null || row.modified < end);
}

/** A time that was validated, in milliseconds since 1970. */
export function timeOf(time: string): number {
  return parseTimestamp(time) ?? Number.NaN;
}
