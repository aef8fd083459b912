import Database from "better-sqlite3";
import { addChecksums } from "./checksum.ts";
import { PAGE_BYTES } from "./components.ts";

export type TestDatabase = Database.Database;

/** Opens a database that has what the tables of an index ask for. */
export function openDatabase(path: string): TestDatabase {
  const database = new Database(path);
  database.pragma(`page_size = ${PAGE_BYTES}`);
  database.pragma("journal_mode = WAL");
  addChecksums(database);
  return database;
}
