import type { SqliteDatabase, SqliteStatement } from "../storage/sqlite.ts";

/** What an append may change in a row of `files`, all at once: to compare them first takes longer. */
const APPENDED = [
  "size",
  "mtime",
  "ctime",
  "inode",
  "from_vault",
  "read_bytes",
  "ends_in_lf",
  "fingerprint",
  "entry_count",
  "modified_at",
  "created_at",
  "message_count",
  "session_id",
  "format",
  "project",
  "relation",
  "parent_reference",
  "origin",
] as const;
const COLUMNS = [...APPENDED, "status", "path", "shard", "indexed_count"] as const;

/** A row of `files`, by the names of its columns. */
export type FileRow = Record<(typeof COLUMNS)[number], string | number | null>;

/** The columns of a session, for a file that is none. */
export const NO_SESSION = {
  from_vault: 0,
  read_bytes: 0,
  ends_in_lf: 1,
  fingerprint: "",
  entry_count: 0,
  modified_at: 0,
  created_at: 0,
  message_count: 0,
  session_id: "",
  format: "",
  project: null,
  relation: null,
  parent_reference: null,
  origin: null,
  indexed_count: 0,
};

export interface CatalogWrites {
  insert: SqliteStatement<[FileRow]>;
  update: SqliteStatement<[FileRow & { key: number }]>;
  place: SqliteStatement<[path: string, status: string, key: number]>;
  putSummary: SqliteStatement<[key: number, summary: string, checksum: number]>;
  putChunk: SqliteStatement<[id: number, entries: Buffer]>;
  putActivity: SqliteStatement<[id: number, entries: number, rollup: Buffer, details: Buffer]>;
  markIndexed: SqliteStatement<[marked: string]>;
  /** Each by the key of a session. */
  drop: SqliteStatement<[key: number]>[];
  dropChunks: SqliteStatement<[first: number, last: number]>[];
  noteDropped: SqliteStatement<[key: number, shard: number]>;
}

/** The statements that write sessions, as SQL: a cold start runs each of them for every file. */
export function prepareWrites(database: SqliteDatabase): CatalogWrites {
  const values = COLUMNS.map((column) => `@${column}`).join(", ");
  return {
    insert: database.prepare(`INSERT INTO files (${COLUMNS.join(", ")}) VALUES (${values})`),
    update: database.prepare(
      `UPDATE files SET ${APPENDED.map((column) => `${column} = @${column}`).join(", ")} WHERE key = @key`,
    ),
    place: database.prepare("UPDATE files SET path = ?, status = ? WHERE key = ?"),
    putSummary: database.prepare("INSERT OR REPLACE INTO summaries (key, summary, checksum) VALUES (?, ?, ?)"),
    putChunk: database.prepare("INSERT OR REPLACE INTO outlines (id, entries) VALUES (?, ?)"),
    putActivity: database.prepare("INSERT OR REPLACE INTO activity (id, entries, rollup, details) VALUES (?, ?, ?, ?)"),
    markIndexed: database.prepare(MARK_INDEXED_SQL),
    drop: [
      database.prepare("DELETE FROM files WHERE key = ?"),
      database.prepare("DELETE FROM summaries WHERE key = ?"),
      database.prepare("DELETE FROM answers WHERE key = ?"),
      database.prepare("DELETE FROM corrections WHERE key = ?"),
      database.prepare("DELETE FROM told_titles WHERE key = ?"),
      database.prepare("DELETE FROM untitled WHERE key = ?"),
    ],
    dropChunks: ["outlines", "activity"].map((table) =>
      database.prepare(`DELETE FROM ${table} WHERE id BETWEEN ? AND ?`),
    ),
    noteDropped: database.prepare("INSERT OR IGNORE INTO dropped (key, shard) VALUES (?, ?)"),
  };
}

const MARK_INDEXED_SQL = `
UPDATE files SET indexed_count = marked.entries
FROM (SELECT value ->> 0 AS key, value ->> 1 AS entries FROM json_each(?)) AS marked
WHERE files.key = marked.key AND indexed_count IS NOT marked.entries`;
