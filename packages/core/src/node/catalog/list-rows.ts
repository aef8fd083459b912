import { setImmediate as turn } from "node:timers/promises";
import { sql } from "drizzle-orm";
import type { ListOptions } from "../../library.ts";
import type { PriceList } from "../../prices/price-list.ts";
import { Expiry } from "../../session/expiry.ts";
import type { SessionOutcome } from "../../session/record.ts";
import type { SqliteDatabase } from "../storage/sqlite.ts";
import { stoppedError } from "../threads/thread.ts";
import { BestPlaces, comparison } from "./best-places.ts";
import { CountedUsage } from "./counted-usage.ts";
import { files, IS_PATH_IN_SQL } from "./index-schema.ts";
import type { Place, Places } from "./page-cursor.ts";
import { type ListedSession, SessionColumns } from "./session-columns.ts";
import { STORED_COLUMNS_SQL } from "./stored-session.ts";

/** The plus keeps SQLite from looking up every session where it is by an index of all sessions, twice as slow (measured). */
export const IS_SESSION = sql`+${files.status} = 'session'`;

/** What of the sessions marks leave over. */
export interface ChosenSessions {
  /** Those that may be in a list, `null` for all. */
  paths: readonly string[] | null;
  /** Those that may not. */
  without: readonly string[];
  isChosen(key: number): boolean;
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
  readonly #usage: CountedUsage;
  readonly #all;
  readonly #some;
  readonly #below;
  readonly #idle: NodeJS.Timeout;
  #rows: SessionColumns | null = null;
  /** Paths whose rows have to be read again. */
  readonly #changed = new Set<string>();
  #names: ReadonlyMap<string, string> = new Map();
  #reading: Promise<unknown> = Promise.resolve();
  #expiry = new Expiry();
  #isClosed = false;

  constructor(client: SqliteDatabase) {
    this.#usage = new CountedUsage(client);
    // Without a query builder, which would take a third of the time.
    const rows = `SELECT modified_at AS modified, created_at AS created, folded, ${STORED_COLUMNS_SQL}`;
    this.#all = client.prepare<[after: number], ListedSession>(
      `${rows} WHERE +status = 'session' AND key > ? ORDER BY key LIMIT ${READ_ROWS}`,
    );
    this.#some = client.prepare<[{ paths: string }], ListedSession>(
      `${rows} WHERE +status = 'session' AND ${IS_PATH_IN_SQL}`,
    );
    this.#below = client.prepare<[path: string, again: string], ListedSession>(
      `${rows} WHERE +status = 'session' AND folded = 1
        AND parent = (SELECT key FROM files WHERE checksum(path) = checksum(?) AND path = ? AND +status = 'session')`,
    );
    this.#idle = setTimeout(() => this.#drop(), IDLE_MS).unref();
  }

  /** What costs are estimated by. */
  set prices(prices: PriceList) {
    this.#usage.prices = prices;
    this.#drop();
  }

  /** When agents delete files. */
  set expiry(expiry: Expiry) {
    this.#expiry = expiry;
    this.#drop();
  }

  /** Paths of the sessions whose files go soon. */
  async expiring(): Promise<string[]> {
    return (await this.#current()).expiring(Date.now());
  }

  /** Paths of the sessions whose last run has ended so. */
  async ended(outcome: SessionOutcome): Promise<string[]> {
    return (await this.#current()).ended(outcome);
  }

  /** Takes note of sessions that are new, other, or gone. */
  changed(paths: Iterable<string>): void {
    if (this.#rows === null) return;
    for (const path of paths) this.#changed.add(path);
  }

  /** Sets the names that sessions have apart from their files, by path. */
  setNames(names: ReadonlyMap<string, string>): void {
    const before = this.#names;
    if (names === before) return;
    this.#names = names;
    const all = [...new Set([...before.keys(), ...names.keys()])];
    this.changed(all.filter((path) => names.get(path) !== before.get(path)));
  }

  /**
   * Finds a page of a list.
   *
   * @param start where the page before has ended.
   * @throws AppError `UNAVAILABLE` when the index is closed meanwhile.
   */
  async places(options: ListOptions, chosen: ChosenSessions, start: Place | null): Promise<Places> {
    return this.#placesIn(await this.#current(), options, chosen, start);
  }

  /** Finds a page of the subagents of a session, which are few. */
  async placesBelow(parent: string, options: ListOptions, chosen: ChosenSessions, start: Place | null) {
    const sessions = new SessionColumns(this.#expiry);
    const rows = this.#below.all(parent, parent);
    const usageOf = this.#usage.of(rows.map(({ key }) => key));
    for (const row of rows) sessions.set(row, this.#names.get(row.path), usageOf);
    return this.#placesIn(sessions, { ...options, subagents: "all" }, chosen, start);
  }

  async #placesIn(
    sessions: SessionColumns,
    options: ListOptions,
    { paths, without, isChosen }: ChosenSessions,
    start: Place | null,
  ): Promise<Places> {
    const isWanted = sessions.matching(options);
    const excluded = new Set(sessions.numbersOf(without));
    const values = sessions.values(options.sort);
    const sizes = sessions.values("size");
    const compare = comparison(options);
    const best = new BestPlaces(options.limit + 1, compare, start);
    let total = 0;
    let size = 0;
    let looked = 0;
    const pace = this.pace();
    // Where the best ones come first, hardly any other is compared with more than one.
    const isBackwards = compare(values[0] ?? 0, 0, { value: values.at(-1) ?? 0, key: 0 }) > 0;
    for (const number of paths === null ? sessions.numbers(isBackwards) : sessions.numbersOf(paths)) {
      if (++looked % FILTERED_ROWS === 0) await pace.turn();
      const key = sessions.key(number);
      if (key === null || excluded.has(number) || !isChosen(key) || !isWanted(number)) continue;
      total++;
      size += Number(sizes[number]);
      best.add(values[number] ?? 0, key);
    }
    return { places: best.sorted(), total, size: options.with_total_size === true ? size : null };
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

  /** Gives others their turn now and then, until this is closed. */
  pace(): Pace {
    return new Pace(() => this.checkOpen());
  }

  #drop(): void {
    this.#rows = null;
    this.#changed.clear();
  }

  /** One reads, those who ask meanwhile wait for it. */
  #current(): Promise<SessionColumns> {
    this.checkOpen();
    this.#idle.refresh();
    const current = this.#reading.then(() => {
      this.checkOpen();
      return this.#rows === null ? this.#readAll() : this.#readChanged(this.#rows);
    });
    this.#reading = current.catch(() => undefined);
    return current;
  }

  async #readAll(): Promise<SessionColumns> {
    const read = new SessionColumns(this.#expiry);
    // From now on changes are noted: what is read may be old by the time that all is read.
    this.#rows = read;
    const pace = this.pace();
    try {
      for (let after = 0; ; ) {
        const rows = this.#all.all(after);
        const usageOf = this.#usage.of(rows.map(({ key }) => key));
        for (const row of rows) read.set(row, this.#names.get(row.path), usageOf);
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

  async #readChanged(rows: SessionColumns): Promise<SessionColumns> {
    const pace = this.pace();
    while (this.#changed.size > 0) {
      const paths = [...this.#changed].slice(0, READ_ROWS);
      const found = new Map(this.#some.all({ paths: JSON.stringify(paths) }).map((row) => [row.path, row]));
      const usageOf = this.#usage.of([...found.values()].map(({ key }) => key));
      for (const path of paths) {
        this.#changed.delete(path);
        const row = found.get(path);
        if (row === undefined) rows.delete(path);
        else rows.set(row, this.#names.get(path), usageOf);
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
