import type { FileStamp } from "../session-file/file-stamp.ts";
import type { VaultDatabase } from "./vault-database.ts";

/** One state of a file that only grew since then. Times are milliseconds since 1970. */
export interface Generation {
  id: number;
  path: string;
  /** Path of the session whose companion it is. */
  owner: string | null;
  format: string | null;
  sessionId: string | null;
  /** Of the file when all of it was kept last. */
  stamp: FileStamp;
  /** Permissions of the file. */
  mode: number;
  /** How many bytes are kept. */
  bytes: number;
  startedAt: number;
  keptAt: number;
  /** Since when the original is gone. */
  vanishedAt: number | null;
  /** Since when there is a later generation. */
  replacedAt: number | null;
  /** Since when the user has deleted it. */
  deletedAt: number | null;
}

/** A session whose newest generation is not deleted. */
export type KeptSession = Pick<Generation, "path" | "owner" | "format" | "sessionId" | "stamp" | "vanishedAt">;

/** What the keeping of a generation goes on from. */
export interface GenerationState {
  id: number;
  state: number;
  bytes: number;
  /** Bytes in chunks; the rest is in tails. */
  chunked: number;
  /** Where the last chunk begins, if more lines may become part of it; otherwise `chunked`. */
  cut: number;
  tailRows: number;
  fingerprint: Buffer;
  stamp: FileStamp;
}

interface Row {
  id: number;
  file: number;
  path: string;
  owner: string | null;
  format: string | null;
  session_id: string | null;
  size: number;
  mtime: number;
  ctime: number;
  inode: number;
  mode: number;
  bytes: number;
  state: number;
  chunked: number;
  cut: number;
  tail_rows: number;
  fingerprint: Buffer;
  started_at: number;
  kept_at: number;
  vanished_at: number | null;
  replaced_at: number | null;
  deleted_at: number | null;
}

const SELECT = `SELECT g.*, f.path, f.owner, f.format, f.session_id, f.vanished_at
  FROM files f JOIN generations g ON g.file = f.id`;
const IS_NEWEST = "g.state = 1 AND g.replaced_at IS NULL";
const IS_LIVING = `${IS_NEWEST} AND g.deleted_at IS NULL`;
/** Statements cannot be left open while others run, so long lists are read in pages. */
const PAGE_ROWS = 500;

export function newestOf(database: VaultDatabase, path: string): Generation | null {
  const row = database.row<Row>(`${SELECT} WHERE f.path = ? AND ${IS_NEWEST}`, path);
  return row === undefined ? null : generationOf(row);
}

/** Newest first. */
export function generationsOf(database: VaultDatabase, path: string): Generation[] {
  const order = "ORDER BY g.replaced_at IS NOT NULL, g.replaced_at DESC, g.id DESC";
  return database.rows<Row>(`${SELECT} WHERE f.path = ? AND g.state = 1 ${order}`, path).map(generationOf);
}

export function stampsOf(database: VaultDatabase, paths: readonly string[]): Map<string, FileStamp> {
  const rows = database.rows<Row>(
    `${SELECT} WHERE f.path IN (SELECT value FROM json_each(?)) AND f.vanished_at IS NULL AND ${IS_LIVING}`,
    JSON.stringify(paths),
  );
  return new Map(rows.map((row) => [row.path, stampOf(row)]));
}

/** All that is complete, in the order of their beginnings. */
export function* allGenerations(database: VaultDatabase): Generator<Generation, void> {
  for (let after = 0; ; ) {
    const rows = database.read(() =>
      database.rows<Row>(`${SELECT} WHERE g.id > ? AND g.state = 1 ORDER BY g.id LIMIT ?`, after, PAGE_ROWS),
    );
    yield* rows.map(generationOf);
    const last = rows.at(-1);
    if (last === undefined) return;
    after = last.id;
  }
}

export function* keptSessions(database: VaultDatabase): Generator<KeptSession, void> {
  for (let after = 0; ; ) {
    const rows = database.read(() =>
      database.rows<Row>(
        `${SELECT} WHERE f.id > ? AND f.owner IS NULL AND ${IS_LIVING} ORDER BY f.id LIMIT ?`,
        after,
        PAGE_ROWS,
      ),
    );
    yield* rows.map(sessionOf);
    const last = rows.at(-1);
    if (last === undefined) return;
    after = last.file;
  }
}

export function* vanishedSessions(database: VaultDatabase): Generator<KeptSession, void> {
  for (let time = -1, after = 0; ; ) {
    const rows = database.read(() =>
      database.rows<Row>(
        `${SELECT} WHERE f.vanished_at IS NOT NULL AND (f.vanished_at, f.id) > (?, ?) AND f.owner IS NULL AND ${IS_LIVING}
         ORDER BY f.vanished_at, f.id LIMIT ?`,
        time,
        after,
        PAGE_ROWS,
      ),
    );
    yield* rows.map(sessionOf);
    const last = rows.at(-1);
    if (last === undefined) return;
    time = last.vanished_at ?? 0;
    after = last.file;
  }
}

/** Newest generations of the files that belong to a session, by path. */
export function companionsOf(database: VaultDatabase, owner: string): Generation[] {
  return database.rows<Row>(`${SELECT} WHERE f.owner = ? AND ${IS_NEWEST} ORDER BY f.path`, owner).map(generationOf);
}

/** Newest generations that the user has deleted, the latest first. */
export function deletedGenerations(database: VaultDatabase): Generation[] {
  const where = `WHERE g.deleted_at IS NOT NULL AND ${IS_NEWEST}`;
  return database.rows<Row>(`${SELECT} ${where} ORDER BY g.deleted_at DESC, g.id DESC`).map(generationOf);
}

/** The newest generation of a path, or the one that is being kept. */
export function stateOf(database: VaultDatabase, path: string, state: 0 | 1): GenerationState | null {
  const row = database.row<Row>(`${SELECT} WHERE f.path = ? AND g.state = ? AND g.replaced_at IS NULL`, path, state);
  if (row === undefined) return null;
  const { id, bytes, chunked, cut, fingerprint } = row;
  return { id, state, bytes, chunked, cut, fingerprint, tailRows: row.tail_rows, stamp: stampOf(row) };
}

function generationOf(row: Row): Generation {
  return {
    id: row.id,
    ...sessionOf(row),
    mode: row.mode,
    bytes: row.bytes,
    startedAt: row.started_at,
    keptAt: row.kept_at,
    replacedAt: row.replaced_at,
    deletedAt: row.deleted_at,
  };
}

function sessionOf(row: Row): KeptSession {
  const { path, owner, format } = row;
  return { path, owner, format, sessionId: row.session_id, stamp: stampOf(row), vanishedAt: row.vanished_at };
}

function stampOf({ size, mtime, ctime, inode }: Row): FileStamp {
  return { size, mtime, ctime, inode };
}
