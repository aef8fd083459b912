import type { SqliteDatabase } from "../storage/sqlite.ts";

/** One step of the schema. A released step is never edited: a change is a new step. */
export interface Migration {
  /** The `user_version` that the database has afterwards. */
  version: number;
  sql: string;
}

/** All steps in order; together they give the tables of `schema.ts`, and a test compares the two. */
export const MIGRATIONS: readonly Migration[] = [
  {
    version: 1,
    sql: `
CREATE TABLE tags (
  id TEXT PRIMARY KEY NOT NULL,
  name TEXT NOT NULL,
  color TEXT NOT NULL,
  parent_id TEXT REFERENCES tags (id)
);
CREATE UNIQUE INDEX tags_by_parent ON tags (parent_id, name);
CREATE UNIQUE INDEX tags_at_top ON tags (name) WHERE parent_id IS NULL;
CREATE TABLE marked_sessions (
  key INTEGER PRIMARY KEY NOT NULL,
  path TEXT NOT NULL UNIQUE,
  session_id TEXT NOT NULL
);
CREATE INDEX marked_sessions_by_id ON marked_sessions (session_id);
CREATE TABLE session_tags (
  session_key INTEGER NOT NULL REFERENCES marked_sessions (key) ON DELETE CASCADE,
  tag_id TEXT NOT NULL REFERENCES tags (id) ON DELETE CASCADE,
  PRIMARY KEY (session_key, tag_id)
);
CREATE INDEX session_tags_by_tag ON session_tags (tag_id);
CREATE TABLE favorites (
  sequence INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL,
  session_key INTEGER NOT NULL UNIQUE REFERENCES marked_sessions (key) ON DELETE CASCADE
);
`,
  },
  {
    version: 2,
    sql: `
CREATE TABLE tokens (
  key INTEGER PRIMARY KEY NOT NULL,
  id TEXT NOT NULL UNIQUE,
  name TEXT NOT NULL,
  scope TEXT NOT NULL,
  hash BLOB NOT NULL UNIQUE,
  hint TEXT NOT NULL,
  created_at TEXT NOT NULL,
  last_used_at TEXT,
  expires_at TEXT
);
CREATE INDEX tokens_by_hint ON tokens (hint);
CREATE TABLE config_versions (
  sequence INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL,
  id TEXT NOT NULL UNIQUE,
  created_at TEXT NOT NULL,
  origin TEXT NOT NULL,
  sha256 TEXT NOT NULL,
  bundle TEXT NOT NULL
);
`,
  },
  {
    version: 3,
    sql: "CREATE TABLE config_values (id INTEGER PRIMARY KEY NOT NULL, value TEXT NOT NULL);",
  },
];

/** The version that these steps lead to. */
export function latestVersion(migrations: readonly Migration[]): number {
  return migrations.at(-1)?.version ?? 0;
}

export function versionOf(client: SqliteDatabase): number {
  return Number(client.pragma("user_version", { simple: true }));
}

/** Takes the steps that are still to be taken, all or none: each transaction would wait for the disk once more. */
export function migrate(client: SqliteDatabase, migrations: readonly Migration[]): void {
  if (versionOf(client) >= latestVersion(migrations)) return;
  client
    .transaction(() => {
      for (const { version, sql } of migrations) {
        if (version <= versionOf(client)) continue;
        client.exec(sql);
        client.pragma(`user_version = ${version}`);
      }
    })
    .immediate();
}
