import { checksumColumn, SEGMENT_COLUMNS, SEGMENTS_SQL, verifyingTrigger } from "@sm/text-index/storage";
import { type SQL, sql } from "drizzle-orm";
import { blob, integer, real, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { SessionFormatName, SessionRelation } from "../../session/record.ts";

/** Grows whenever a table or an encoding changes: an index of another layout cannot be read, and is thrown away. */
export const LAYOUT_VERSION = 15;
/**
 * Grows whenever a file gives other records, parts or terms than before, in the same tables: an index of another
 * content goes on answering while its successor is built.
 */
export const CONTENT_VERSION = 12;

/** Computed by SQLite; {@link CATALOG_SQL} says of what. */
const checksumOf = (values: string) =>
  integer()
    .notNull()
    .generatedAlwaysAs(sql.raw(`checksum(${values})`));

/**
 * One row for every file in the scanned directories, sessions or not, so that a restart opens none of them.
 * `key` names one content of a file: a rewritten file gets a new one. Keys are never used again.
 */
export const files = sqliteTable("files", {
  key: integer().primaryKey({ autoIncrement: true }),
  size: integer().notNull(),
  mtime: real().notNull(),
  ctime: real().notNull(),
  inode: integer().notNull(),
  /** `away`: a session in a directory that is missing; `skipped`: no session; `unreadable`: the file system refused. */
  status: text({ enum: ["session", "away", "skipped", "unreadable"] }).notNull(),
  /** Of a session: whether its file is gone, and it was read from the vault. */
  fromVault: integer("from_vault", { mode: "boolean" }).notNull(),
  readBytes: integer("read_bytes").notNull(),
  endsInLf: integer("ends_in_lf", { mode: "boolean" }).notNull(),
  fingerprint: text().notNull(),
  entryCount: integer("entry_count").notNull(),
  /** Which text database holds this session. */
  shard: integer().notNull(),
  /** Entries whose text is in the text database. */
  indexedCount: integer("indexed_count").notNull(),
  /** Times of the record, in milliseconds since 1970. */
  modifiedAt: integer("modified_at").notNull(),
  createdAt: integer("created_at").notNull(),
  messageCount: integer("message_count").notNull(),
  /** Of one file each; looked up by its checksum, see {@link isPathIn}, since an index of paths would repeat them all. */
  path: text().notNull(),
  sessionId: text("session_id").notNull(),
  format: text().$type<SessionFormatName>().notNull(),
  project: text(),
  /** See `Descent`. */
  relation: text().$type<SessionRelation>(),
  parentReference: text("parent_reference"),
  origin: text(),
  /** Key of the session that it came from, see `Relations`. */
  parent: integer(),
  /** Whether it is a subagent of that session, under which lists show it. */
  folded: integer({ mode: "boolean" }).notNull(),
});

/** Whether the path of a file is one of a JSON array. */
export function isPathIn(paths: unknown): SQL {
  const values = sql`FROM json_each(${paths})`;
  return sql`checksum(${files.path}) IN (SELECT checksum(value) ${values}) AND ${files.path} IN (SELECT value ${values})`;
}

/** The same as SQL, of the paths in the parameter `paths`. */
export const IS_PATH_IN_SQL = `checksum(path) IN (SELECT checksum(value) FROM json_each(@paths))
  AND path IN (SELECT value FROM json_each(@paths))`;

/** What a session's record and its fold consist of, see `StoredSession`. Apart from what finds and compares files. */
export const summaries = sqliteTable("summaries", {
  key: integer().primaryKey(),
  summary: text().notNull(),
  checksum: integer().notNull(),
});

/** Directories with sessions that are `away`. */
export const missingDirectories = sqliteTable("missing_directories", {
  path: text().primaryKey().notNull(),
  /** When that was first noticed, in milliseconds since 1970. */
  since: integer().notNull(),
});

/** The outline of a session in chunks, so that a page is found and an append written without touching the rest. */
export const outlines = sqliteTable("outlines", {
  /** See `chunkId`: a row that is found by a number is found without reading the chunks of others on the way. */
  id: integer().primaryKey(),
  entries: blob({ mode: "buffer" }).notNull(),
  checksum: checksumOf("id, entries"),
});

/** What the messages of a session add to statistics, in chunks that are named as those of its outline are. */
export const activity = sqliteTable("activity", {
  id: integer().primaryKey(),
  /** Grows with whatever is added to the chunk: where it is the same as before, the chunk is. */
  entries: integer().notNull(),
  /** See `ActivityChunk`. In front of the details, which hardly anybody reads. */
  rollup: blob({ mode: "buffer" }).notNull(),
  rollupChecksum: integer("rollup_checksum").notNull().generatedAlwaysAs(sql`checksum(id, entries, rollup)`),
  details: blob({ mode: "buffer" }).notNull(),
  checksum: checksumOf("id, details"),
});

/** Contents that are gone, until their text has left the text database. */
export const dropped = sqliteTable("dropped", {
  key: integer().primaryKey(),
  shard: integer().notNull(),
});

/** By text database: how many sessions it holds, their bytes, and how often one was added or removed. */
export const contents = sqliteTable("contents", {
  shard: integer().primaryKey(),
  sessions: integer().notNull(),
  bytes: integer().notNull(),
  /** Where it is the same as before, the same keys are those of sessions, at the same paths. */
  generation: integer().notNull(),
});

/** The numbers of a usage. */
export const USAGE_COLUMNS = ["input", "output", "cache_read", "cache_write", "cache_write_1h", "cost"] as const;
/** What `corrections` has, see `Answers`. */
export const CORRECTION_COLUMNS = ["key", "ordinal", "answer", "model", "tier", ...USAGE_COLUMNS] as const;
const USAGE_SQL = USAGE_COLUMNS.map((column) => `${column} REAL${column === "cost" ? "" : " NOT NULL"}`).join(",\n  ");

/**
 * What the checksum of a row is of, in the tables that are read many rows at a time, or by SQLite alone: those rows are
 * verified together, see `verifyIndex`. All others are verified when they are read.
 */
const CATALOG_ROWS = {
  files:
    "key, size, mtime, ctime, inode, status, from_vault, read_bytes, ends_in_lf, fingerprint, entry_count, shard, indexed_count, modified_at, created_at, message_count, path, session_id, format, project, relation, parent_reference, origin, parent, folded",
  missing_directories: "path, since",
  dropped: "key, shard",
  contents: "shard, sessions, bytes, generation",
  answers: `key, ordinal, answer, request, is_aside, model, tier, ${USAGE_COLUMNS.join(", ")}`,
  corrections: CORRECTION_COLUMNS.join(", "),
  told_titles: "folder, entry, key, title",
  untitled: "key, folder",
} as const;
const SHARD_ROWS = {
  segments: SEGMENT_COLUMNS,
  progress: "key, entries",
  superseded: "key, ordinal",
} as const;

/**
 * The tables above as SQL, two that only `ToldTitles` writes, and two that only `Answers` writes: `answers` has what
 * entries add to the usage of answers that several files may have, by the hash of the answer's ID; `corrections` by how
 * much an entry counts more than its file says. Just as SQLite keeps it in the database.
 */
export const CATALOG_SQL = `
CREATE TABLE files (
  key INTEGER PRIMARY KEY AUTOINCREMENT,
  size INTEGER NOT NULL,
  mtime REAL NOT NULL,
  ctime REAL NOT NULL,
  inode INTEGER NOT NULL,
  status TEXT NOT NULL,
  from_vault INTEGER NOT NULL DEFAULT 0,
  read_bytes INTEGER NOT NULL,
  ends_in_lf INTEGER NOT NULL,
  fingerprint TEXT NOT NULL,
  entry_count INTEGER NOT NULL,
  shard INTEGER NOT NULL,
  indexed_count INTEGER NOT NULL,
  modified_at INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  message_count INTEGER NOT NULL,
  path TEXT NOT NULL,
  session_id TEXT NOT NULL,
  format TEXT NOT NULL,
  project TEXT,
  relation TEXT,
  parent_reference TEXT,
  origin TEXT,
  parent INTEGER,
  folded INTEGER NOT NULL DEFAULT 0,
  ${checksumColumn(CATALOG_ROWS.files)}
);
CREATE INDEX files_by_path ON files (checksum(path));
CREATE INDEX files_by_modified ON files (status, modified_at, folded, format);
CREATE INDEX files_by_project ON files (project, status, modified_at);
CREATE INDEX files_by_id ON files (session_id) WHERE format <> 'pi' AND format <> '';
CREATE INDEX files_by_reference ON files (parent_reference) WHERE parent_reference IS NOT NULL;
CREATE INDEX files_by_origin ON files (origin) WHERE origin IS NOT NULL;
CREATE INDEX files_by_parent ON files (parent) WHERE parent IS NOT NULL;
CREATE INDEX files_folded ON files (folded) WHERE folded = 1;
${verifyingTrigger("files", CATALOG_ROWS.files)}
CREATE TABLE summaries (key INTEGER PRIMARY KEY, summary TEXT NOT NULL, checksum INTEGER NOT NULL);
CREATE TABLE missing_directories (
  path TEXT PRIMARY KEY NOT NULL,
  since INTEGER NOT NULL,
  ${checksumColumn(CATALOG_ROWS.missing_directories)}
);
CREATE TABLE outlines (id INTEGER PRIMARY KEY, entries BLOB NOT NULL, ${checksumColumn("id, entries")});
CREATE TABLE activity (
  id INTEGER PRIMARY KEY,
  entries INTEGER NOT NULL,
  rollup BLOB NOT NULL,
  ${checksumColumn("id, entries, rollup", "rollup_checksum")},
  details BLOB NOT NULL,
  ${checksumColumn("id, details")}
);
CREATE TABLE dropped (key INTEGER PRIMARY KEY, shard INTEGER NOT NULL, ${checksumColumn(CATALOG_ROWS.dropped)});
CREATE TABLE contents (
  shard INTEGER PRIMARY KEY,
  sessions INTEGER NOT NULL,
  bytes INTEGER NOT NULL,
  generation INTEGER NOT NULL,
  ${checksumColumn(CATALOG_ROWS.contents)}
);
${verifyingTrigger("contents", CATALOG_ROWS.contents)}
CREATE TABLE answers (
  key INTEGER NOT NULL,
  ordinal INTEGER NOT NULL,
  answer INTEGER NOT NULL,
  request INTEGER,
  is_aside INTEGER NOT NULL,
  model INTEGER NOT NULL,
  tier INTEGER NOT NULL,
  ${USAGE_SQL},
  ${checksumColumn(CATALOG_ROWS.answers)},
  PRIMARY KEY (key, ordinal)
) WITHOUT ROWID;
CREATE INDEX answers_by_answer ON answers (answer);
CREATE TABLE corrections (
  key INTEGER NOT NULL,
  ordinal INTEGER NOT NULL,
  answer INTEGER NOT NULL,
  model INTEGER NOT NULL,
  tier INTEGER NOT NULL,
  ${USAGE_SQL},
  ${checksumColumn(CATALOG_ROWS.corrections)},
  PRIMARY KEY (key, ordinal)
) WITHOUT ROWID;
CREATE INDEX corrections_by_answer ON corrections (answer);
CREATE TABLE told_titles (
  folder INTEGER NOT NULL,
  entry TEXT NOT NULL,
  key INTEGER NOT NULL,
  title TEXT NOT NULL,
  ${checksumColumn(CATALOG_ROWS.told_titles)},
  PRIMARY KEY (folder, entry, key)
) WITHOUT ROWID;
CREATE INDEX told_titles_by_key ON told_titles (key);
CREATE TABLE untitled (
  key INTEGER PRIMARY KEY,
  folder INTEGER NOT NULL,
  ${checksumColumn(CATALOG_ROWS.untitled)}
);
CREATE INDEX untitled_by_folder ON untitled (folder);
`;

/**
 * One text database: the postings, and what changes in the same transaction, so that it tells the truth after a crash.
 * `progress` says how many entries of a session are searchable, `superseded` which of its names and labels have been
 * replaced by later ones.
 */
export const SHARD_SQL = `
${SEGMENTS_SQL}
CREATE TABLE progress (key INTEGER PRIMARY KEY, entries INTEGER NOT NULL, ${checksumColumn(SHARD_ROWS.progress)});
CREATE TABLE superseded (
  key INTEGER NOT NULL,
  ordinal INTEGER NOT NULL,
  ${checksumColumn(SHARD_ROWS.superseded)},
  PRIMARY KEY (key, ordinal)
) WITHOUT ROWID;
`;

const verifying = (rows: Record<string, string>) =>
  Object.entries(rows).map(([table, columns]) => `SELECT count(verified(checksum, ${columns})) FROM ${table}`);

/** Statements that throw an `IndexError` where a row is damaged that nobody verifies when it is read. */
export const VERIFY_CATALOG_SQL = verifying(CATALOG_ROWS);
export const VERIFY_SHARD_SQL = verifying(SHARD_ROWS);
/** Tables of a text database that are small, and are read as a whole. */
export const SHARD_TABLES = Object.keys(SHARD_ROWS);
