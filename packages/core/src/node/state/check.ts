import { openDatabase, type SqliteDatabase } from "../storage/sqlite.ts";
import { latestVersion, type Migration, migrate, versionOf } from "./migrate.ts";

/** What SQLite knows of a table and of what belongs to it: its type and name, and the text that it was made with. */
type Schema = ReadonlyMap<string, string>;

/**
 * Says what is wrong with a database of the user state; `null` where nothing is. Reads every page, row and index entry:
 * 20 ms for 20 MB, and a cheaper check does not find a changed key in a row.
 *
 * @throws SqliteError, also where the database is so damaged that it cannot be read.
 */
export function damageIn(client: SqliteDatabase, migrations: readonly Migration[]): string | null {
  const result = String(client.pragma("integrity_check(1)", { simple: true }));
  if (result !== "ok") return result;
  const version = versionOf(client);
  const present = schemaOf(client);
  if (version < 1) {
    // Without tables it is what a first start leaves that was killed at once.
    return present.size > 0 ? "the schema version is missing" : null;
  }
  const latest = latestVersion(migrations);
  if (version > latest) return null;
  return schemaDamage(present, schemaAt(version, migrations), schemaAt(latest, migrations));
}

/**
 * Compares the tables with those that the migrations make, with all that changes what they hold or accept: indexes and
 * triggers. Tables and views that somebody has added beside them are no damage.
 *
 * @param latest what the next migrations make of it: nothing may be in their way.
 */
function schemaDamage(present: Schema, expected: Schema, latest: Schema): string | null {
  const tables = new Set([...latest.keys()].filter((name) => name.startsWith("table ")).map(tableOf));
  for (const [name, sql] of expected) {
    const found = present.get(name);
    if (found === undefined) return `the ${withoutTable(name)} is missing`;
    if (found !== sql) return `the ${withoutTable(name)} differs from this program's`;
  }
  for (const name of present.keys()) {
    if (!expected.has(name) && tables.has(tableOf(name))) return `unexpected ${withoutTable(name)}`;
  }
  return null;
}

/** By type, name and table. */
function schemaOf(client: SqliteDatabase): Schema {
  // SQLite's own are what it makes for a table by itself.
  const rows = client
    .prepare("SELECT type, name, tbl_name AS of, sql FROM sqlite_schema WHERE name NOT LIKE 'sqlite\\_%' ESCAPE '\\'")
    .all() as { type: string; name: string; of: string; sql: string | null }[];
  return new Map(rows.map(({ type, name, of, sql }) => [`${type} ${name} ${of}`, (sql ?? "").replaceAll(/\s+/g, " ")]));
}

function tableOf(name: string): string {
  return name.split(" ").at(-1)?.toLowerCase() ?? "";
}

function withoutTable(name: string): string {
  return name.split(" ").slice(0, -1).join(" ");
}

function schemaAt(version: number, migrations: readonly Migration[]): Schema {
  const client = openDatabase(":memory:", { durability: "none" });
  try {
    migrate(
      client,
      migrations.filter((migration) => migration.version <= version),
    );
    return schemaOf(client);
  } finally {
    client.close();
  }
}
