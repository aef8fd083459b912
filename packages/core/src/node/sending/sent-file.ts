import { randomUUID } from "node:crypto";
import type { FileStamp } from "../session-file/file-stamp.ts";
import { beginsAsRead, type ReadFile } from "./file-blocks.ts";
import type { SendingDatabase } from "./sending-database.ts";

/** A file that is sent: a session, or what belongs to one. */
export interface FileToSend {
  path: string;
  /** The session that a companion belongs to. */
  owner: string | null;
  sessionId: string;
  format: string;
}

/** What is known of a file that is sent, see the columns. */
export interface SentRow extends FileToSend {
  id: number;
  generation: string;
  /** How it is redacted; empty: not at all. */
  rules: string;
  read: number;
  read_sent: number;
  taken: number;
  taken_sent: number;
  is_whole: number;
  size: number;
  mtime: number;
  inode: number;
  refused: string | null;
}

const COLUMNS = `id, path, owner, session_id AS sessionId, format, generation, rules, read, read_sent, taken, taken_sent,
  is_whole, size, mtime, inode, refused`;

export function rowOf(database: SendingDatabase, path: string): SentRow | undefined {
  return database.row<SentRow>(`SELECT ${COLUMNS} FROM files WHERE path = ?`, path);
}

export function rowOfGeneration(database: SendingDatabase, generation: string): SentRow | undefined {
  return database.row<SentRow>(`SELECT ${COLUMNS} FROM files WHERE generation = ?`, generation);
}

export function companionRows(database: SendingDatabase, owner: string): SentRow[] {
  return database.rows<SentRow>(`SELECT ${COLUMNS} FROM files WHERE owner = ?`, owner);
}

/** Whether the hub has all of a file as it is on the disk. */
export function isTaken(row: SentRow | undefined, file: FileToSend | null, stamp: FileStamp, rules: string): boolean {
  if (row === undefined) return false;
  const isSame = isAsRead(row, stamp);
  const isKnownSo =
    file === null || (row.owner === file.owner && row.sessionId === file.sessionId && row.format === file.format);
  // Sent again, it would be refused again.
  const isDone = row.refused !== null || (row.is_whole === 1 && row.taken === row.read);
  return isSame && isKnownSo && isDone && row.rules === rules;
}

function isAsRead(row: SentRow, stamp: FileStamp): boolean {
  return row.size === stamp.size && row.mtime === stamp.mtime && row.inode === stamp.inode;
}

/**
 * The state that a file goes on with: what is known of it, or a new one where it did not only grow since, or is to be
 * redacted otherwise.
 *
 * @param isWhole whether each change makes another state.
 */
export function stateToContinue(
  database: SendingDatabase,
  file: FileToSend,
  { stamp, read, rules, isWhole }: { stamp: FileStamp; read: ReadFile; rules: string; isWhole: boolean },
): SentRow {
  const row = rowOf(database, file.path);
  if (row === undefined) return begin(database, file, rules);
  const isOther = row.inode !== stamp.inode || (row.size === stamp.size && row.mtime !== stamp.mtime);
  const goesOn =
    row.rules === rules &&
    row.read <= stamp.size &&
    (!isWhole || row.read === 0 || isAsRead(row, stamp)) &&
    beginsAsRead(database, row.id, { bytes: row.read, isDoubtful: isOther }, read);
  return goesOn ? row : beginAnew(database, row, rules);
}

function begin(database: SendingDatabase, { path, owner, sessionId, format }: FileToSend, rules: string): SentRow {
  database.run(
    `INSERT INTO files (path, owner, session_id, format, generation, rules, read, read_sent, taken, taken_sent, is_whole, size, mtime, inode)
     VALUES (?, ?, ?, ?, ?, ?, 0, 0, 0, 0, 0, -1, 0, 0)`,
    path,
    owner,
    sessionId,
    format,
    randomUUID(),
    rules,
  );
  return rowOf(database, path) as SentRow;
}

/** The hub reads the state before until it has all of the new one. */
export function beginAnew(database: SendingDatabase, { id, path }: SentRow, rules: string): SentRow {
  database.run("DELETE FROM blocks WHERE file = ?", id);
  database.run(
    `UPDATE files SET generation = ?, rules = ?, read = 0, read_sent = 0, taken = 0, taken_sent = 0, is_whole = 0,
     size = -1, refused = NULL WHERE id = ?`,
    randomUUID(),
    rules,
    id,
  );
  return rowOf(database, path) as SentRow;
}
