import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { openDatabase, type SqliteDatabase } from "../storage/sqlite.ts";
import { damageIn } from "./check.ts";
import { latestVersion, type Migration, migrate, versionOf } from "./migrate.ts";
import { MIGRATIONS } from "./migrations/embedded.ts";

const FOLDER = new URL("migrations/", import.meta.url);
const LATEST = latestVersion(MIGRATIONS);

/** What drizzle-kit writes where a table gets another column type: a new table takes the place of the old one. */
const REPLACE_TABLE = `PRAGMA foreign_keys=OFF;--> statement-breakpoint
CREATE TABLE \`__new_marked_sessions\` (
	\`key\` integer PRIMARY KEY NOT NULL,
	\`path\` text NOT NULL,
	\`session_id\` text
);
--> statement-breakpoint
INSERT INTO \`__new_marked_sessions\`("key", "path", "session_id") SELECT "key", "path", "session_id" FROM \`marked_sessions\`;--> statement-breakpoint
DROP TABLE \`marked_sessions\`;--> statement-breakpoint
ALTER TABLE \`__new_marked_sessions\` RENAME TO \`marked_sessions\`;--> statement-breakpoint
PRAGMA foreign_keys=ON;--> statement-breakpoint
CREATE UNIQUE INDEX \`marked_sessions_path_unique\` ON \`marked_sessions\` (\`path\`);`;

/** A fourth step after the first three, whose tables it knows. */
function withFourth(sql: string): Migration[] {
  return [...MIGRATIONS.slice(0, 3), { version: 4, sql }];
}

function released(version: number): SqliteDatabase {
  const client = openDatabase(":memory:", { durability: "none" });
  client.exec(readFileSync(new URL(`released/${version}.sql`, FOLDER), "utf8"));
  return client;
}

/** All rows by table. */
function rowsOf(client: SqliteDatabase): Record<string, unknown[]> {
  const names = client.prepare("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name").pluck().all();
  return Object.fromEntries(names.map((name) => [name, client.prepare(`SELECT * FROM ${String(name)}`).all()]));
}

function schemaOf(client: SqliteDatabase): unknown[] {
  return client.prepare("SELECT type, name, tbl_name, sql FROM sqlite_schema ORDER BY type, name").all();
}

describe("the migrations", () => {
  it("are what the SQL files say, in order", async () => {
    const generator = new URL("../../../state-migrations.mjs", import.meta.url).href;
    const { embeddedMigrations } = (await import(generator)) as { embeddedMigrations(): Promise<string> };
    const written = readFileSync(new URL("embedded.ts", FOLDER), "utf8");
    expect(written, "Run `node packages/core/state-migrations.mjs`.").toBe(await embeddedMigrations());
    const files = readdirSync(FOLDER).filter((name) => name.endsWith(".sql"));
    expect(files.map((name) => Number.parseInt(name, 10) + 1)).toEqual(MIGRATIONS.map(({ version }) => version));
  });

  it("each have an example of a database", () => {
    const examples = readdirSync(new URL("released", FOLDER)).map((name) => Number.parseInt(name, 10));
    expect(examples.sort((a, b) => a - b)).toEqual(MIGRATIONS.map(({ version }) => version));
  });

  it.each(MIGRATIONS)("keep all that a database of version $version holds, and make of it a new one", ({ version }) => {
    const client = released(version);
    const before = rowsOf(client);
    expect(damageIn(client, MIGRATIONS)).toBeNull();

    migrate(client, MIGRATIONS);
    expect(rowsOf(client)).toMatchObject(before);
    expect(versionOf(client)).toBe(LATEST);
    expect(damageIn(client, MIGRATIONS)).toBeNull();
    const created = openDatabase(":memory:", { durability: "none" });
    migrate(created, MIGRATIONS);
    expect(schemaOf(client)).toEqual(schemaOf(created));
  });
});

describe("a migration", () => {
  it("that replaces a table keeps what refers to it", () => {
    const client = released(3);
    const before = rowsOf(client);
    migrate(client, withFourth(REPLACE_TABLE));
    expect(rowsOf(client)).toEqual(before);
    expect(client.pragma("foreign_keys", { simple: true })).toBe(1);
  });

  it.each([
    ["loses a row that others refer to", "DELETE FROM marked_sessions WHERE key = 1", /missing rows/],
    ["is refused", "DROP TABLE favorites; DROP TABLE unknown", /no such table/],
  ])("that %s changes nothing", (_, sql, reason) => {
    const client = released(1);
    const before = [rowsOf(client), schemaOf(client)];
    expect(() => migrate(client, withFourth(sql))).toThrow(reason);
    expect([rowsOf(client), schemaOf(client)]).toEqual(before);
    expect(versionOf(client)).toBe(1);
    expect(client.pragma("foreign_keys", { simple: true })).toBe(1);
  });

  it("is not held up by a reference that was missing before", () => {
    const client = released(3);
    client.exec("PRAGMA foreign_keys = OFF; DELETE FROM marked_sessions WHERE key = 1; PRAGMA foreign_keys = ON");
    migrate(client, withFourth("CREATE TABLE more (id INTEGER)"));
    expect(versionOf(client)).toBe(4);
  });
});
