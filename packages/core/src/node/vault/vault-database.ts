import { randomUUID } from "node:crypto";
import { existsSync, mkdirSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { AppError } from "../../errors.ts";
import { errorCode } from "../files/file-errors.ts";
import {
  isCorrupt,
  isUnwritable,
  openDatabase,
  runWriteTransaction,
  type SqliteDatabase,
  type SqliteStatement,
} from "../storage/sqlite.ts";
import { SCHEMA_VERSION, VAULT_SQL } from "./schema.ts";
import { work } from "./work.ts";

/** An appended line changes a few rows; with pages of 4 KiB it costs more than twice the bytes (measured). */
const PAGE_BYTES = 1024;
/** Of the page cache: the rows of generations and pieces; chunks are read once. */
const CACHE_BYTES = 2 * 1024 * 1024;
/**
 * By how much the time of the vault grows at most between two looks at the clock. A clock that jumps ahead by a year
 * must not remove what is kept for a month.
 */
const MAX_STEP_MS = 7 * 24 * 60 * 60 * 1000;

/** A chunk or a row of the vault does not hold what it should. */
export class VaultDamage extends AppError {}

/** The connection to `vault.db`, with its statements and its clock. */
export class VaultDatabase {
  readonly client: SqliteDatabase;
  readonly path: string;
  readonly #clock: () => number;
  readonly #statements = new Map<string, SqliteStatement>();

  /**
   * @throws AppError `READ_ONLY` or `UNAVAILABLE`: no place, not writable, damaged, or written by a newer version.
   */
  constructor(path: string, isReadOnly: boolean, clock: () => number) {
    this.path = path;
    this.#clock = clock;
    this.client = this.guarded(() => open(path, isReadOnly, clock()));
  }

  close(): void {
    this.client.close();
  }

  /** Converts what the database refuses to errors for the caller. */
  guarded<T>(action: () => T): T {
    try {
      return action();
    } catch (error) {
      throw explained(error, this.path);
    }
  }

  write<T>(change: () => T): T {
    return this.guarded(() => runWriteTransaction(this.client, change));
  }

  /** Several queries that see one state. */
  read<T>(query: () => T): T {
    return this.guarded(() => (this.client.inTransaction ? query() : this.client.transaction(query).deferred()));
  }

  rows<Row>(sql: string, ...values: unknown[]): Row[] {
    return this.#statement(sql).all(...values) as Row[];
  }

  row<Row>(sql: string, ...values: unknown[]): Row | undefined {
    return this.#statement(sql).get(...values) as Row | undefined;
  }

  /** @returns how many rows it changed. */
  run(sql: string, ...values: unknown[]): number {
    const { changes } = this.#statement(sql).run(...values);
    work.rowsWritten += changes;
    return changes;
  }

  /** @returns the key of the new row. */
  insert(sql: string, ...values: unknown[]): number {
    const { lastInsertRowid, changes } = this.#statement(sql).run(...values);
    work.rowsWritten += changes;
    return Number(lastInsertRowid);
  }

  #statement(sql: string): SqliteStatement {
    const known = this.#statements.get(sql);
    if (known !== undefined) return known;
    const statement = this.client.prepare(sql);
    this.#statements.set(sql, statement);
    return statement;
  }

  /** Names this vault among others. */
  get id(): string {
    return this.row<{ id: string }>("SELECT id FROM vault")?.id ?? "";
  }

  /** By the clock, for people. */
  now(): number {
    return this.#clock();
  }

  /**
   * The time of the vault, by which it is measured how long ago something was: it goes on with the clock, never back,
   * and never far at once.
   */
  age(): number {
    const { clock, age } = this.row<{ clock: number; age: number }>("SELECT clock, age FROM vault") ?? {
      clock: 0,
      age: 0,
    };
    return age + Math.min(MAX_STEP_MS, Math.max(0, this.#clock() - clock));
  }

  /** The same, and goes on from there. Within a write transaction. */
  grownAge(): number {
    const age = this.age();
    this.run("UPDATE vault SET clock = ?, age = ?", this.#clock(), age);
    return age;
  }

  /** Bytes of the files of the database. */
  bytesOnDisk(): number {
    return ["", "-wal"]
      .map((suffix) => statSync(this.path + suffix, { throwIfNoEntry: false })?.size ?? 0)
      .reduce((sum, size) => sum + size);
  }

  /** Bytes of the pages that hold something. */
  bytesInUse(): number {
    return this.#pragma("page_size") * (this.#pragma("page_count") - this.#pragma("freelist_count"));
  }

  /** Gives empty pages back to the file system, at most so many. @returns whether there are more. */
  shrink(maxPages: number): boolean {
    return this.guarded(() => {
      const before = this.#pragma("freelist_count");
      if (before === 0) return false;
      this.client.pragma(`incremental_vacuum(${maxPages})`);
      const left = this.#pragma("freelist_count");
      return left > 0 && left < before;
    });
  }

  /** Carries the write-ahead log over, unless somebody reads it: only then the files become smaller. */
  checkpoint(): void {
    this.guarded(() => this.client.pragma("wal_checkpoint(TRUNCATE)"));
  }

  #pragma(name: string): number {
    return Number(this.client.pragma(name, { simple: true }));
  }
}

function open(path: string, isReadOnly: boolean, now: number): SqliteDatabase {
  if (isReadOnly && !existsSync(path)) throw new AppError("NOT_FOUND", `There is no vault at ${path} yet.`);
  if (!isReadOnly) mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const client = openDatabase(path, {
    durability: "normal",
    queryOnly: isReadOnly,
    canShrink: !isReadOnly,
    pageBytes: PAGE_BYTES,
    cacheBytes: CACHE_BYTES,
  });
  try {
    const version = versionOf(client);
    if (version > SCHEMA_VERSION) {
      throw new AppError("UNAVAILABLE", `${path} was written by a newer version of the program; update this one.`);
    }
    if (isReadOnly && version === 0) throw new AppError("NOT_FOUND", `There is no vault at ${path} yet.`);
    // SQLite opens a file that it may not write, and refuses the first change instead.
    if (!isReadOnly) runWriteTransaction(client, () => create(client, path, now));
    return client;
  } catch (error) {
    client.close();
    throw error;
  }
}

/** Several processes may do this at once: the first has done it for all. */
function create(client: SqliteDatabase, path: string, now: number): void {
  if (versionOf(client) !== 0) return;
  if (client.prepare("SELECT 1 FROM sqlite_schema").get() !== undefined) {
    throw new AppError("UNAVAILABLE", `${path} is another program's database; move it away.`);
  }
  client.exec(VAULT_SQL);
  client.prepare("INSERT INTO vault (id, clock, age) VALUES (?, ?, 0)").run(randomUUID(), now);
  client.pragma(`user_version = ${SCHEMA_VERSION}`);
}

function versionOf(client: SqliteDatabase): number {
  return Number(client.pragma("user_version", { simple: true }));
}

function explained(error: unknown, path: string): unknown {
  if (error instanceof AppError) return error;
  if (isCorrupt(error)) {
    return new VaultDamage("UNAVAILABLE", `${path} is damaged (${error.message}).`, { cause: error });
  }
  if (isUnwritable(error) || isRefusal(error)) {
    const code = ["SQLITE_FULL", "ENOSPC", "EDQUOT"].includes(errorCode(error)) ? "UNAVAILABLE" : "READ_ONLY";
    const message = `Could not write ${path} (${error.message}); check its permissions and the free space.`;
    return new AppError(code, message, { cause: error });
  }
  return error;
}

/** Whether the file system refused a call. */
function isRefusal(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && "syscall" in error;
}
