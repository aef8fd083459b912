// Generated from the SQL files by `node packages/core/state-migrations.mjs`.

import type { Migration } from "../migrate.ts";

/** All steps in order; together they make the tables of `schema.ts`. */
export const MIGRATIONS: readonly Migration[] = [
  // 0000_marks.sql
  {
    version: 1,
    sql: "CREATE TABLE tags (\n  id TEXT PRIMARY KEY NOT NULL,\n  name TEXT NOT NULL,\n  color TEXT NOT NULL,\n  parent_id TEXT REFERENCES tags (id)\n);\nCREATE UNIQUE INDEX tags_by_parent ON tags (parent_id, name);\nCREATE UNIQUE INDEX tags_at_top ON tags (name) WHERE parent_id IS NULL;\nCREATE TABLE marked_sessions (\n  key INTEGER PRIMARY KEY NOT NULL,\n  path TEXT NOT NULL UNIQUE,\n  session_id TEXT NOT NULL\n);\nCREATE INDEX marked_sessions_by_id ON marked_sessions (session_id);\nCREATE TABLE session_tags (\n  session_key INTEGER NOT NULL REFERENCES marked_sessions (key) ON DELETE CASCADE,\n  tag_id TEXT NOT NULL REFERENCES tags (id) ON DELETE CASCADE,\n  PRIMARY KEY (session_key, tag_id)\n);\nCREATE INDEX session_tags_by_tag ON session_tags (tag_id);\nCREATE TABLE favorites (\n  sequence INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL,\n  session_key INTEGER NOT NULL UNIQUE REFERENCES marked_sessions (key) ON DELETE CASCADE\n);\n",
  },
  // 0001_tokens_and_configuration_versions.sql
  {
    version: 2,
    sql: "CREATE TABLE tokens (\n  key INTEGER PRIMARY KEY NOT NULL,\n  id TEXT NOT NULL UNIQUE,\n  name TEXT NOT NULL,\n  scope TEXT NOT NULL,\n  hash BLOB NOT NULL UNIQUE,\n  hint TEXT NOT NULL,\n  created_at TEXT NOT NULL,\n  last_used_at TEXT,\n  expires_at TEXT\n);\nCREATE INDEX tokens_by_hint ON tokens (hint);\nCREATE TABLE config_versions (\n  sequence INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL,\n  id TEXT NOT NULL UNIQUE,\n  created_at TEXT NOT NULL,\n  origin TEXT NOT NULL,\n  sha256 TEXT NOT NULL,\n  bundle TEXT NOT NULL\n);\n",
  },
  // 0002_configuration_values.sql
  {
    version: 3,
    sql: "CREATE TABLE config_values (id INTEGER PRIMARY KEY NOT NULL, value TEXT NOT NULL);\n",
  },
  // 0003_session_names.sql
  {
    version: 4,
    sql: "CREATE TABLE `session_names` (\n\t`session_key` integer PRIMARY KEY NOT NULL,\n\t`name` text NOT NULL,\n\tFOREIGN KEY (`session_key`) REFERENCES `marked_sessions`(`key`) ON UPDATE no action ON DELETE cascade\n);\n",
  },
  // 0004_archived_sessions.sql
  {
    version: 5,
    sql: "CREATE TABLE `archived_sessions` (\n\t`session_key` integer PRIMARY KEY NOT NULL,\n\t`archived_at` text NOT NULL,\n\tFOREIGN KEY (`session_key`) REFERENCES `marked_sessions`(`key`) ON UPDATE no action ON DELETE cascade\n);\n",
  },
  // 0005_notes.sql
  {
    version: 6,
    sql: "CREATE TABLE `notes` (\n\t`key` integer PRIMARY KEY AUTOINCREMENT NOT NULL,\n\t`session_key` integer NOT NULL,\n\t`entry_id` text NOT NULL,\n\t`text` text NOT NULL,\n\t`updated_at` text NOT NULL,\n\tFOREIGN KEY (`session_key`) REFERENCES `marked_sessions`(`key`) ON UPDATE no action ON DELETE cascade\n);\n--> statement-breakpoint\nCREATE UNIQUE INDEX `notes_by_session` ON `notes` (`session_key`,`entry_id`);",
  },
  // 0006_bookmarks.sql
  {
    version: 7,
    sql: "CREATE TABLE `bookmarks` (\n\t`key` integer PRIMARY KEY AUTOINCREMENT NOT NULL,\n\t`session_key` integer NOT NULL,\n\t`entry_id` text NOT NULL,\n\t`created_at` text NOT NULL,\n\tFOREIGN KEY (`session_key`) REFERENCES `marked_sessions`(`key`) ON UPDATE no action ON DELETE cascade\n);\n--> statement-breakpoint\nCREATE UNIQUE INDEX `bookmarks_by_session` ON `bookmarks` (`session_key`,`entry_id`);",
  },
];
