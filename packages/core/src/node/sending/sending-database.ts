import { randomBytes, randomUUID } from "node:crypto";
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

const SCHEMA_VERSION = 1;

/**
 * `read`: what the hub may have of a file, since it was sent; `taken`: what the hub has said that it has. Each in bytes of
 * the file, and `…_sent` in bytes as they were sent, which differ where they were redacted.
 */
const SQL = `
CREATE TABLE machine (id TEXT NOT NULL, redaction_key BLOB NOT NULL, hub_id TEXT NOT NULL);
CREATE TABLE files (
  id INTEGER PRIMARY KEY,
  path TEXT NOT NULL UNIQUE,
  owner TEXT,
  session_id TEXT,
  format TEXT,
  generation TEXT NOT NULL UNIQUE,
  rules TEXT NOT NULL,
  read INTEGER NOT NULL,
  read_sent INTEGER NOT NULL,
  taken INTEGER NOT NULL,
  taken_sent INTEGER NOT NULL,
  is_whole INTEGER NOT NULL,
  size INTEGER NOT NULL,
  mtime REAL NOT NULL,
  inode INTEGER NOT NULL,
  refused TEXT
);
CREATE INDEX files_by_owner ON files (owner) WHERE owner IS NOT NULL;
CREATE TABLE blocks (
  file INTEGER NOT NULL REFERENCES files ON DELETE CASCADE,
  number INTEGER NOT NULL,
  hash BLOB NOT NULL,
  PRIMARY KEY (file, number)
) WITHOUT ROWID;
CREATE TABLE changes (
  path TEXT NOT NULL,
  kind TEXT NOT NULL,
  key TEXT NOT NULL,
  session_id TEXT NOT NULL,
  value TEXT,
  at TEXT NOT NULL,
  is_taken INTEGER NOT NULL,
  PRIMARY KEY (path, kind, key)
) WITHOUT ROWID;
CREATE INDEX waiting_changes ON changes (at) WHERE is_taken = 0;
`;

/** The connection to `hub.db`: what this machine has sent to its hub. */
export class SendingDatabase {
  readonly #client: SqliteDatabase;
  readonly #path: string;
  readonly #statements = new Map<string, SqliteStatement>();
  readonly machineId: string;
  /** Equal values have equal placeholders for as long as it stays. */
  readonly redactionKey: Buffer;

  /** @throws AppError `READ_ONLY` or `UNAVAILABLE`: not writable, damaged, or written by a newer version. */
  constructor(path: string) {
    this.#path = path;
    this.#client = this.#guarded(() => open(path));
    const row = this.row<{ id: string; redaction_key: Buffer }>("SELECT id, redaction_key FROM machine");
    this.machineId = row?.id ?? "";
    this.redactionKey = row?.redaction_key ?? Buffer.alloc(0);
  }

  close(): void {
    this.#client.close();
  }

  write<T>(change: () => T): T {
    return this.#guarded(() => (this.#client.inTransaction ? change() : runWriteTransaction(this.#client, change)));
  }

  rows<Row>(sql: string, ...values: unknown[]): Row[] {
    return this.#guarded(() => this.#statement(sql).all(...values) as Row[]);
  }

  row<Row>(sql: string, ...values: unknown[]): Row | undefined {
    return this.#guarded(() => this.#statement(sql).get(...values) as Row | undefined);
  }

  /** @returns how many rows it changed. */
  run(sql: string, ...values: unknown[]): number {
    return this.#guarded(() => this.#statement(sql).run(...values).changes);
  }

  #statement(sql: string): SqliteStatement {
    const known = this.#statements.get(sql);
    if (known !== undefined) return known;
    const statement = this.#client.prepare(sql);
    this.#statements.set(sql, statement);
    return statement;
  }

  #guarded<T>(action: () => T): T {
    try {
      return action();
    } catch (error) {
      throw explained(error, this.#path);
    }
  }
}

function open(path: string): SqliteDatabase {
  const client = openDatabase(path, { durability: "normal" });
  try {
    const version = Number(client.pragma("user_version", { simple: true }));
    if (version > SCHEMA_VERSION) {
      throw new AppError("UNAVAILABLE", `${path} was written by a newer version of the program; update this one.`);
    }
    runWriteTransaction(client, () => {
      if (Number(client.pragma("user_version", { simple: true })) !== 0) return;
      client.exec(SQL);
      client.prepare("INSERT INTO machine VALUES (?, ?, '')").run(randomUUID(), randomBytes(32));
      client.pragma(`user_version = ${SCHEMA_VERSION}`);
    });
    return client;
  } catch (error) {
    client.close();
    throw error;
  }
}

function explained(error: unknown, path: string): unknown {
  if (error instanceof AppError) return error;
  if (isCorrupt(error)) {
    const message = `${path} is damaged (${error.message}); remove it: then everything is sent anew, as another machine.`;
    return new AppError("UNAVAILABLE", message, { cause: error });
  }
  if (isUnwritable(error)) {
    const code = errorCode(error) === "SQLITE_FULL" ? "UNAVAILABLE" : "READ_ONLY";
    const message = `Could not write ${path} (${error.message}); check its permissions and the free space.`;
    return new AppError(code, message, { cause: error });
  }
  return error;
}
