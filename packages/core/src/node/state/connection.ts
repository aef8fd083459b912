import { statSync } from "node:fs";
import { AppError } from "../../errors.ts";
import type { LibraryLog } from "../../library-log.ts";
import { errorCode } from "../files/file-errors.ts";
import { type QueryBuilder, queriesOn } from "../storage/queries.ts";
import { isCorrupt, isUnwritable, type SqliteDatabase } from "../storage/sqlite.ts";

/** What may be asked inside a transaction. */
export type Queries = Pick<QueryBuilder, "select" | "selectDistinct" | "insert" | "update" | "delete" | "run">;

const SCHEMA_DAMAGE =
  /^no such (?:table|column)|has no column|may not be modified|cannot modify .* because it is a view/;

export interface StateDatabase {
  client: SqliteDatabase;
  path: string;
  /** What was wrong with the file, for people; `null` where nothing was. */
  problem: string | null;
}

/**
 * The one connection to `state.db` that all of the user state is read and written over.
 *
 * What the database refuses is thrown as AppError: `READ_ONLY` when the file system refuses a change, `UNAVAILABLE`
 * when the disk is full and when the database is damaged or was replaced under the running program.
 */
export class StateConnection {
  readonly client: SqliteDatabase;
  readonly db: QueryBuilder;
  readonly path: string;
  readonly #log: LibraryLog;
  readonly #inode: number | undefined;
  readonly #ownChanges;
  #problem: string | null;

  constructor(state: StateDatabase, log: LibraryLog) {
    this.client = state.client;
    this.db = queriesOn(state.client);
    this.path = state.path;
    this.#log = log;
    this.#inode = inodeOf(state.path);
    // Other connections' changes are in `data_version`, and no others.
    this.#ownChanges = state.client.prepare<[], number>("SELECT total_changes()").pluck();
    this.#problem = state.problem;
  }

  /** What is or was wrong with the file, for people; `null` where nothing is. */
  get problem(): string | null {
    return this.#problem;
  }

  /** Differs after every change, whoever has made it. */
  get version(): string {
    try {
      return `${this.client.pragma("data_version", { simple: true })} ${this.#ownChanges.get()}`;
    } catch (error) {
      throw this.#explain(error);
    }
  }

  /** Differs after every change that another connection has made. */
  get othersVersion(): number {
    try {
      return Number(this.client.pragma("data_version", { simple: true }));
    } catch (error) {
      throw this.#explain(error);
    }
  }

  read<T>(query: (db: Queries) => T): T {
    try {
      return query(this.db);
    } catch (error) {
      throw this.#explain(error);
    }
  }

  /** Takes the write lock before it reads, so that no other process changes what a decision rests on. */
  write<T>(change: (db: Queries) => T): T {
    this.checkInPlace();
    try {
      return this.db.transaction(change, { behavior: "immediate" });
    } catch (error) {
      throw this.#explain(error);
    }
  }

  /** Throws where other processes no longer see what is written here, nor this one what they write. */
  checkInPlace(): void {
    if (inodeOf(this.path) === this.#inode) return;
    throw new AppError("UNAVAILABLE", `${this.path} was replaced or removed; restart to use the new one.`);
  }

  close(): void {
    this.client.close();
  }

  #explain(error: unknown): unknown {
    const { path } = this;
    if (isUnwritable(error)) {
      const code = errorCode(error) === "SQLITE_FULL" ? "UNAVAILABLE" : "READ_ONLY";
      const message = `Could not write ${path} (${error.message}); check its permissions and the free space.`;
      return new AppError(code, message, { cause: error });
    }
    if (isCorrupt(error) || isSchemaDamage(error)) {
      const problem = `${path} is damaged (${error.message}); a restart restores the latest backup.`;
      if (this.#problem !== problem) this.#log.error({ err: error, path }, problem);
      this.#problem = problem;
      return new AppError("UNAVAILABLE", problem, { cause: error });
    }
    return error;
  }
}

/** Our own statements are right: where they are not, somebody has changed the tables under the running program. */
function isSchemaDamage(error: unknown): error is Error {
  return error instanceof Error && errorCode(error) === "SQLITE_ERROR" && SCHEMA_DAMAGE.test(error.message);
}

/** Tells one file from another at the same path. */
function inodeOf(path: string): number | undefined {
  return statSync(path, { throwIfNoEntry: false })?.ino;
}
