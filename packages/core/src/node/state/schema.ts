import { sql } from "drizzle-orm";
import {
  type AnySQLiteColumn,
  blob,
  index,
  integer,
  primaryKey,
  sqliteTable,
  text,
  uniqueIndex,
} from "drizzle-orm/sqlite-core";

/** The tree of tags; a name is unique among its siblings. */
export const tags = sqliteTable(
  "tags",
  {
    id: text().primaryKey(),
    name: text().notNull(),
    color: text().notNull(),
    parentId: text("parent_id").references((): AnySQLiteColumn => tags.id),
  },
  (table) => [
    uniqueIndex("tags_by_parent").on(table.parentId, table.name),
    // An index takes NULLs for different values, so top-level tags need one of their own.
    uniqueIndex("tags_at_top").on(table.name).where(sql`${table.parentId} IS NULL`),
  ],
);

/**
 * The sessions that have a tag, a name, a note or a bookmark, are favorites or archived. The path tells which file is meant, since a copy of a session has
 * the same session id and marks of its own; the id is kept to find the file again after it was moved.
 */
export const markedSessions = sqliteTable(
  "marked_sessions",
  {
    key: integer().primaryKey(),
    path: text().notNull().unique(),
    sessionId: text("session_id").notNull(),
  },
  (table) => [index("marked_sessions_by_id").on(table.sessionId)],
);

export const sessionTags = sqliteTable(
  "session_tags",
  {
    sessionKey: integer("session_key")
      .notNull()
      .references(() => markedSessions.key, { onDelete: "cascade" }),
    tagId: text("tag_id")
      .notNull()
      .references(() => tags.id, { onDelete: "cascade" }),
  },
  (table) => [primaryKey({ columns: [table.sessionKey, table.tagId] }), index("session_tags_by_tag").on(table.tagId)],
);

/** `sequence` grows with each favorite and so gives their order, whatever the clock says. */
export const favorites = sqliteTable("favorites", {
  sequence: integer().primaryKey({ autoIncrement: true }),
  sessionKey: integer("session_key")
    .notNull()
    .unique()
    .references(() => markedSessions.key, { onDelete: "cascade" }),
});

/** Names that the user has given to sessions whose files are only read. */
export const sessionNames = sqliteTable("session_names", {
  sessionKey: integer("session_key")
    .primaryKey()
    .references(() => markedSessions.key, { onDelete: "cascade" }),
  name: text().notNull(),
});

/** Sessions that lists and searches leave out until they are asked for. */
export const archivedSessions = sqliteTable("archived_sessions", {
  sessionKey: integer("session_key")
    .primaryKey()
    .references(() => markedSessions.key, { onDelete: "cascade" }),
  archivedAt: text("archived_at").notNull(),
});

/** What the user has written about sessions and their entries. `key` grows with each change and so gives their order. */
export const notes = sqliteTable(
  "notes",
  {
    key: integer().primaryKey({ autoIncrement: true }),
    sessionKey: integer("session_key")
      .notNull()
      .references(() => markedSessions.key, { onDelete: "cascade" }),
    /** Empty for the note on the session: an index takes NULLs for different values. */
    entryId: text("entry_id").notNull(),
    text: text().notNull(),
    updatedAt: text("updated_at").notNull(),
  },
  (table) => [uniqueIndex("notes_by_session").on(table.sessionKey, table.entryId)],
);

/** Entries of sessions to come back to. `key` grows with each and so gives their order, whatever the clock says. */
export const bookmarks = sqliteTable(
  "bookmarks",
  {
    key: integer().primaryKey({ autoIncrement: true }),
    sessionKey: integer("session_key")
      .notNull()
      .references(() => markedSessions.key, { onDelete: "cascade" }),
    entryId: text("entry_id").notNull(),
    createdAt: text("created_at").notNull(),
  },
  (table) => [uniqueIndex("bookmarks_by_session").on(table.sessionKey, table.entryId)],
);

/** API tokens. `key` grows with each and so gives their order, whatever the clock says. */
export const tokens = sqliteTable(
  "tokens",
  {
    key: integer().primaryKey(),
    id: text().notNull().unique(),
    name: text().notNull(),
    scope: text({ enum: ["full", "read"] }).notNull(),
    /** SHA-256 of the token, which is not kept. */
    hash: blob({ mode: "buffer" }).notNull().unique(),
    hint: text().notNull(),
    createdAt: text("created_at").notNull(),
    lastUsedAt: text("last_used_at"),
    expiresAt: text("expires_at"),
  },
  (table) => [index("tokens_by_hint").on(table.hint)],
);

/** Earlier configurations and the present one, which has the greatest `sequence`. */
export const configVersions = sqliteTable("config_versions", {
  sequence: integer().primaryKey({ autoIncrement: true }),
  id: text().notNull().unique(),
  createdAt: text("created_at").notNull(),
  origin: text().notNull(),
  /** Of the canonical JSON, as hexadecimal digits. */
  sha256: text().notNull(),
  bundle: text().notNull(),
});

/** What of the configuration has no file: at most one row. */
export const configValues = sqliteTable("config_values", {
  id: integer().primaryKey(),
  /** JSON: the preferences, and what a bundle holds that this version does not know. */
  value: text().notNull(),
});
