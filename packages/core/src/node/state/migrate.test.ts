import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { openDatabase, type SqliteDatabase } from "../storage/sqlite.ts";
import { damageIn } from "./check.ts";
import { latestVersion, type Migration, migrate, versionOf } from "./migrate.ts";
import { MIGRATIONS } from "./migrations/embedded.ts";

const FOLDER = new URL("migrations/", import.meta.url);
const LATEST = latestVersion(MIGRATIONS);

/** Each version: the SHA-256 of its step, which is not edited any more, and rows for what the step made. */
const VERSIONS = [
  {
    version: 1,
    sha256: "0feeabc32d0a3e71e08b1c6872bce066ee04cf5f4b1c140db225bc523c20c6ec",
    rows: `
      INSERT INTO tags VALUES ('t1', 'work', '#ff0000', NULL), ('t2', 'urgent', '#00ff00', 't1');
      INSERT INTO marked_sessions VALUES (1, '/s/a.jsonl', 'a'), (2, '/s/b.jsonl', 'b'), (4, '/s/copy.jsonl', 'a');
      INSERT INTO session_tags VALUES (1, 't2'), (2, 't1');
      INSERT INTO favorites VALUES (2, 4), (5, 1);`,
  },
  {
    version: 2,
    sha256: "5557c2b33def98973086bc974ba49a339264215c80ffc17caa81906d2a85bee9",
    rows: `
      INSERT INTO tokens VALUES (3, 'token', 'phone', 'read', x'b839', 'aaaaaa', '2026-01-02T03:04:05.000Z', NULL, NULL);
      INSERT INTO config_versions VALUES (7, 'version', '2026-01-02T03:04:05.000Z', 'start', '4413', '{}');`,
  },
  {
    version: 3,
    sha256: "066b24a004037a06444335214883b932457e332b8948aee410829633854b1d5c",
    rows: `INSERT INTO config_values VALUES (1, '{"theme":"dark"}');`,
  },
  {
    version: 4,
    sha256: "74241ea241f6ebb390bf7fe63f2c10e4d3122620ac3e6a941ee29da3412f54de",
    rows: `INSERT INTO session_names VALUES (4, 'The copy');`,
  },
  {
    version: 5,
    sha256: "0d439a13ec0bf3d9b9bbcb0cd82677366843b81a66b9b4d40bb579f0e7c88c5b",
    rows: `INSERT INTO archived_sessions VALUES (2, '2026-01-02T03:04:05.000Z');`,
  },
  {
    version: 6,
    sha256: "4e93800c8021f23123ef96410def24147a32ee61db0430378b9144fb315d5ded",
    rows: `INSERT INTO notes VALUES (3, 1, '', 'Of the session', '2026-01-02T03:04:05.000Z'), (5, 1, 'e', 'An entry', '');`,
  },
  {
    version: 7,
    sha256: "04bbce0939e528559710b90def60704cb311cbfc389119748f09e310e0c23e9d",
    rows: `INSERT INTO bookmarks VALUES (2, 1, 'e', '2026-01-02T03:04:05.000Z');`,
  },
];

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

/** A database as a version left it. */
function databaseOf(version: number): SqliteDatabase {
  const client = openDatabase(":memory:", { durability: "none" });
  for (const { version: step, rows } of VERSIONS.slice(0, version)) {
    client.exec(MIGRATIONS[step - 1]?.sql ?? "");
    client.exec(`${rows} PRAGMA user_version = ${step}`);
  }
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

  it("are not edited, and each has rows for the next test", () => {
    const steps = MIGRATIONS.map(({ version, sql }) => ({
      version,
      sha256: createHash("sha256").update(sql).digest("hex"),
    }));
    expect(VERSIONS.map(({ version, sha256 }) => ({ version, sha256 }))).toEqual(steps);
  });

  it.each(MIGRATIONS)("keep all that a database of version $version holds, and make of it a new one", ({ version }) => {
    const client = databaseOf(version);
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
    const client = databaseOf(3);
    const before = rowsOf(client);
    migrate(client, withFourth(REPLACE_TABLE));
    expect(rowsOf(client)).toEqual(before);
    expect(client.pragma("foreign_keys", { simple: true })).toBe(1);
  });

  it.each([
    ["loses a row that others refer to", "DELETE FROM marked_sessions WHERE key = 1", /missing rows/],
    ["is refused", "DROP TABLE favorites; DROP TABLE unknown", /no such table/],
  ])("that %s changes nothing", (_, sql, reason) => {
    const client = databaseOf(1);
    const before = [rowsOf(client), schemaOf(client)];
    expect(() => migrate(client, withFourth(sql))).toThrow(reason);
    expect([rowsOf(client), schemaOf(client)]).toEqual(before);
    expect(versionOf(client)).toBe(1);
    expect(client.pragma("foreign_keys", { simple: true })).toBe(1);
  });

  it("is not held up by a reference that was missing before", () => {
    const client = databaseOf(3);
    client.exec("PRAGMA foreign_keys = OFF; DELETE FROM marked_sessions WHERE key = 1; PRAGMA foreign_keys = ON");
    migrate(client, withFourth("CREATE TABLE more (id INTEGER)"));
    expect(versionOf(client)).toBe(4);
  });
});
