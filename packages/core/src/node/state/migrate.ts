import type { SqliteDatabase } from "../storage/sqlite.ts";

/** One step of the schema. A released step is never edited: a change is a new step. */
export interface Migration {
  /** The `user_version` that the database has afterwards. */
  version: number;
  sql: string;
}

/** The version that these steps lead to. */
export function latestVersion(migrations: readonly Migration[]): number {
  return migrations.at(-1)?.version ?? 0;
}

export function versionOf(client: SqliteDatabase): number {
  return Number(client.pragma("user_version", { simple: true }));
}

/**
 * Takes the steps that are still to be taken, all or none.
 *
 * @throws SqliteError where a step is refused, and an error where rows refer to missing ones after the steps only.
 */
export function migrate(client: SqliteDatabase, migrations: readonly Migration[]): void {
  if (versionOf(client) >= latestVersion(migrations)) return;
  // A step that replaces a table drops the old one, which would delete what refers to it. SQLite ignores the setting
  // within a transaction, so those in the files have no effect.
  client.pragma("foreign_keys = OFF");
  try {
    client
      .transaction(() => {
        const before = missingReferences(client);
        for (const { version, sql } of migrations) {
          if (version <= versionOf(client)) continue;
          client.exec(sql);
          client.pragma(`user_version = ${version}`);
        }
        if (missingReferences(client) > before) throw new Error("The migration left references to missing rows.");
      })
      .immediate();
  } finally {
    client.pragma("foreign_keys = ON");
  }
}

/** How many rows refer to a row that is missing. */
function missingReferences(client: SqliteDatabase): number {
  return (client.pragma("foreign_key_check") as unknown[]).length;
}
