import { errorCode } from "../files/file-errors.ts";
import { tailIds } from "./schema.ts";
import { VaultDamage, type VaultDatabase } from "./vault-database.ts";

/** The state of a generation while it is taken from a copy. */
export const IMPORTED = 3;
/** Rows that go in one transaction: a session may have thousands. */
const ROWS_AT_ONCE = 64;
/** Empty pages that are given back in one. */
const PAGES_AT_ONCE = 4_096;

/** From now on nobody sees the generation; {@link sweep} removes its rows. Within a write transaction. */
export function dropGeneration(database: VaultDatabase, id: number): void {
  database.run("UPDATE generations SET state = 2 WHERE id = ?", id);
}

export function removeUnusedChunk(database: VaultDatabase, id: number): void {
  database.run("DELETE FROM chunks WHERE id = ? AND NOT EXISTS (SELECT 1 FROM pieces WHERE chunk = chunks.id)", id);
}

/** Removes what was dropped, also by a process that was killed before it had done this, and the chunks of nobody else. */
export function sweep(database: VaultDatabase): void {
  try {
    sweepAll(database);
  } catch (error) {
    if (!(error instanceof VaultDamage) || errorCode(error.cause) !== "SQLITE_CORRUPT_INDEX") throw error;
    // Where rows and their index disagree, none of them could ever be removed; `verify` has had its time to find them.
    database.write(() => database.client.exec("REINDEX pieces; REINDEX generations"));
    sweepAll(database);
  }
  giveBack(database);
}

function sweepAll(database: VaultDatabase): void {
  while (database.write(() => sweepSome(database))) {
    // The write lock is free in between.
  }
}

/** Makes the files as small as what they hold. */
export function giveBack(database: VaultDatabase): void {
  while (database.shrink(PAGES_AT_ONCE)) {
    // So it is here.
  }
  database.checkpoint();
}

/** @returns whether there may be more. */
function sweepSome(database: VaultDatabase): boolean {
  const dropped = database.row<{ id: number; file: number }>(
    "SELECT id, file FROM generations WHERE state = 2 LIMIT 1",
  );
  if (dropped === undefined) return false;
  const { id, file } = dropped;
  const pieces = database.rows<{ offset: number; chunk: number }>(
    "SELECT offset, chunk FROM pieces WHERE generation = ? ORDER BY offset DESC LIMIT ?",
    id,
    ROWS_AT_ONCE,
  );
  const last = pieces.at(-1);
  if (last !== undefined) database.run("DELETE FROM pieces WHERE generation = ? AND offset >= ?", id, last.offset);
  for (const { chunk } of pieces) removeUnusedChunk(database, chunk);
  if (pieces.length === ROWS_AT_ONCE) return true;
  const { first, end } = tailIds(id);
  database.run("DELETE FROM tails WHERE id >= ? AND id < ?", first, end);
  database.run("DELETE FROM generations WHERE id = ?", id);
  database.run("DELETE FROM files WHERE id = ? AND NOT EXISTS (SELECT 1 FROM generations WHERE file = files.id)", file);
  return true;
}
