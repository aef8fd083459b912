import { blob, index, integer, primaryKey, real, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { BLOCKS_SQL } from "./blocks.ts";
import { IDENTIFIERS_SQL } from "./identifiers.ts";
import { textTable, VOICES } from "./voices.ts";

/** Grows whenever a table or the meaning of a column changes; an index of another version is built anew. */
export const INDEX_VERSION = 2;

/**
 * One row for every file in the scanned directories, sessions or not, so that a restart opens none of them.
 * `key` names one content of a file: a rewritten file gets a new one. Keys are never used again.
 */
export const files = sqliteTable(
  "files",
  {
    key: integer().primaryKey({ autoIncrement: true }),
    path: text().notNull().unique(),
    size: integer().notNull(),
    mtime: real().notNull(),
    ctime: real().notNull(),
    inode: integer().notNull(),
    /** `skipped`: no session; `unreadable`: the file system refused. */
    status: text({ enum: ["session", "skipped", "unreadable"] }).notNull(),
    readBytes: integer("read_bytes").notNull(),
    endsInLf: integer("ends_in_lf", { mode: "boolean" }).notNull(),
    fingerprint: text().notNull(),
    entryCount: integer("entry_count").notNull(),
    /** Which text database holds this session. */
    shard: integer().notNull(),
    /** Entries whose text is in the text database. */
    indexedCount: integer("indexed_count").notNull(),
    sessionId: text("session_id").notNull(),
    format: text().notNull(),
    project: text(),
    title: text().notNull(),
    modifiedAt: text("modified_at").notNull(),
    createdAt: text("created_at").notNull(),
    messageCount: integer("message_count").notNull(),
    cost: real().notNull(),
    /** What a filter by words looks at, in lower case. */
    filterText: text("filter_text").notNull(),
    /** The record as JSON, without tags, favorite, live state and `indexed`. */
    record: text().notNull(),
  },
  (table) => [
    index("files_by_modified").on(table.status, table.modifiedAt),
    index("files_by_created").on(table.status, table.createdAt),
    index("files_by_size").on(table.status, table.size),
    index("files_by_messages").on(table.status, table.messageCount),
    index("files_by_cost").on(table.status, table.cost),
    index("files_by_title").on(table.status, table.title),
  ],
);

/** The resumable summary of a session, see `FoldState`. */
export const folds = sqliteTable("folds", {
  key: integer().primaryKey(),
  state: text().notNull(),
});

/** The outline of a session in chunks, so that a page is found and an append written without touching the rest. */
export const outlines = sqliteTable(
  "outlines",
  {
    key: integer().notNull(),
    first: integer().notNull(),
    entries: blob({ mode: "buffer" }).notNull(),
  },
  (table) => [primaryKey({ columns: [table.key, table.first] })],
);

/** Contents that are gone, until their text has left the text database. */
export const dropped = sqliteTable("dropped", {
  key: integer().primaryKey(),
  shard: integer().notNull(),
});

/** The tables above as SQL; a test compares the two. */
export const CATALOG_SQL = `
CREATE TABLE files (
  key INTEGER PRIMARY KEY AUTOINCREMENT,
  path TEXT NOT NULL UNIQUE,
  size INTEGER NOT NULL,
  mtime REAL NOT NULL,
  ctime REAL NOT NULL,
  inode INTEGER NOT NULL,
  status TEXT NOT NULL,
  read_bytes INTEGER NOT NULL,
  ends_in_lf INTEGER NOT NULL,
  fingerprint TEXT NOT NULL,
  entry_count INTEGER NOT NULL,
  shard INTEGER NOT NULL,
  indexed_count INTEGER NOT NULL,
  session_id TEXT NOT NULL,
  format TEXT NOT NULL,
  project TEXT,
  title TEXT NOT NULL,
  modified_at TEXT NOT NULL,
  created_at TEXT NOT NULL,
  message_count INTEGER NOT NULL,
  cost REAL NOT NULL,
  filter_text TEXT NOT NULL,
  record TEXT NOT NULL
);
CREATE INDEX files_by_modified ON files (status, modified_at);
CREATE INDEX files_by_created ON files (status, created_at);
CREATE INDEX files_by_size ON files (status, size);
CREATE INDEX files_by_messages ON files (status, message_count);
CREATE INDEX files_by_cost ON files (status, cost);
CREATE INDEX files_by_title ON files (status, title);
CREATE TABLE folds (key INTEGER PRIMARY KEY, state TEXT NOT NULL);
CREATE TABLE outlines (
  key INTEGER NOT NULL,
  first INTEGER NOT NULL,
  entries BLOB NOT NULL,
  PRIMARY KEY (key, first)
) WITHOUT ROWID;
CREATE TABLE dropped (key INTEGER PRIMARY KEY, shard INTEGER NOT NULL);
`;

/**
 * One text database. The text tables are contentless: they hold postings, never a copy of the transcripts.
 * `progress` and `blocks` change in the same transaction as the postings, so that they tell the truth after a crash.
 */
export const SHARD_SQL = `
${VOICES.map(textTable).map(textTableSql).join("")}
${BLOCKS_SQL}
${IDENTIFIERS_SQL}
CREATE TABLE progress (key INTEGER PRIMARY KEY, entries INTEGER NOT NULL);
`;

function textTableSql(table: string): string {
  // With 32 MB of postings in memory fewer segments have to be merged: twice the default's rate (measured).
  return `
CREATE VIRTUAL TABLE ${table} USING fts5(body, content='', contentless_delete=1, tokenize='ascii');
INSERT INTO ${table}(${table}, rank) VALUES('hashsize', 33554432);`;
}
