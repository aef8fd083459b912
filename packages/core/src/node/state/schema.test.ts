import { readdirSync, readFileSync } from "node:fs";
import { generateSQLiteDrizzleJson, generateSQLiteMigration } from "drizzle-kit/api";
import { expect, it } from "vitest";
import { openDatabase, type SqliteDatabase } from "../storage/sqlite.ts";
import { latestVersion, migrate, versionOf } from "./migrate.ts";
import { MIGRATIONS } from "./migrations/embedded.ts";
import * as schema from "./schema.ts";

/** All that SQLite knows of the tables of a database but the text they were made with. */
function describeTables(client: SqliteDatabase): Record<string, unknown> {
  const names = client
    .prepare("SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY name")
    .pluck()
    .all() as string[];
  return Object.fromEntries(
    names.map((table) => {
      // A migration adds a column after those that are there; queries name their columns.
      const columns = (client.pragma(`table_xinfo(${table})`) as { cid: number; name: string; type: string }[])
        .map(({ cid, ...column }) => ({ ...column, type: column.type.toUpperCase() }))
        .sort((a, b) => a.name.localeCompare(b.name));
      const indexes = (client.pragma(`index_list(${table})`) as Record<string, unknown>[])
        .map(({ name, unique, partial, origin }) => ({
          // A UNIQUE column has an index without a name of its own; the kit writes it as an index.
          kind: origin === "pk" ? "primary key" : "index",
          unique,
          partial,
          columns: client.prepare("SELECT seqno, name FROM pragma_index_info(?)").all(name),
        }))
        .sort((a, b) => JSON.stringify(a).localeCompare(JSON.stringify(b)));
      return [table, { columns, indexes, references: client.pragma(`foreign_key_list(${table})`) }];
    }),
  );
}

it("declares the tables that the migrations make, column by column", async () => {
  const migrated = openDatabase(":memory:", { durability: "normal" });
  migrate(migrated, MIGRATIONS);
  const declared = openDatabase(":memory:", { durability: "normal" });
  const [empty, full] = await Promise.all([generateSQLiteDrizzleJson({}), generateSQLiteDrizzleJson(schema)]);
  for (const statement of await generateSQLiteMigration(empty, full)) declared.exec(statement);

  expect(Object.keys(describeTables(migrated))).toEqual([
    "archived_sessions",
    "bookmarks",
    "config_values",
    "config_versions",
    "favorites",
    "marked_sessions",
    "notes",
    "session_names",
    "session_tags",
    "tags",
    "tokens",
  ]);
  expect(describeTables(migrated)).toEqual(describeTables(declared));
  expect(versionOf(migrated)).toBe(latestVersion(MIGRATIONS));
});

it("has a migration for its last change", async () => {
  const folder = new URL("migrations/meta/", import.meta.url);
  const newest = readdirSync(folder)
    .filter((name) => name.endsWith("_snapshot.json"))
    .sort()
    .at(-1);
  const snapshot = JSON.parse(readFileSync(new URL(String(newest), folder), "utf8"));
  const missing = await generateSQLiteMigration(snapshot, await generateSQLiteDrizzleJson(schema, snapshot.id));
  expect(missing, "Run `node packages/core/state-migrations.mjs --name NAME`.").toEqual([]);
});

it.each([
  ["at the top", null],
  ["under a tag", "parent"],
])("refuses two tags of one name %s", (_, parent) => {
  const client = openDatabase(":memory:", { durability: "normal" });
  migrate(client, MIGRATIONS);
  const insert = client.prepare("INSERT INTO tags (id, name, color, parent_id) VALUES (?, ?, '#ff0000', ?)");
  insert.run("parent", "work", null);
  insert.run("other parent", "home", null);
  insert.run("a", "urgent", parent);
  expect(() => insert.run("b", "urgent", parent)).toThrow(/UNIQUE/);
  insert.run("c", "urgent", "other parent");
});
