import { dropGeneration, sweep } from "./removal.ts";
import type { VaultDatabase } from "./vault-database.ts";

const ARE_NAMED = "path IN (SELECT value FROM json_each(?))";

/** Of a file whose keeping was not complete, what there is remains, unless an earlier generation is whole. */
export function setVanished(database: VaultDatabase, paths: readonly string[], now: number): void {
  const named = JSON.stringify(paths);
  const begun = `state = 0 AND file IN (SELECT id FROM files WHERE ${ARE_NAMED})`;
  const isFirst = `NOT EXISTS (SELECT 1 FROM generations other
    WHERE other.file = generations.file AND other.state = 1 AND other.replaced_at IS NULL)`;
  database.write(() => {
    database.run(`UPDATE files SET vanished_at = ? WHERE vanished_at IS NULL AND ${ARE_NAMED}`, now, named);
    database.run(`UPDATE generations SET state = 1, size = bytes WHERE ${begun} AND bytes > 0 AND ${isFirst}`, named);
    database.run(`UPDATE generations SET state = 2 WHERE ${begun}`, named);
  });
}

export function setReturned(database: VaultDatabase, paths: readonly string[]): void {
  const sql = `UPDATE files SET vanished_at = NULL WHERE vanished_at IS NOT NULL AND ${ARE_NAMED}`;
  database.write(() => database.run(sql, JSON.stringify(paths)));
}

export function markDeleted(database: VaultDatabase, paths: readonly string[], now: number): void {
  const sql = `UPDATE generations SET deleted_at = ?, deleted_age = ?
    WHERE deleted_at IS NULL AND file IN (SELECT id FROM files WHERE ${ARE_NAMED})`;
  database.write(() => database.run(sql, now, database.grownAge(), JSON.stringify(paths)));
}

/** @returns whether it was deleted. */
export function undelete(database: VaultDatabase, path: string): boolean {
  const sql = `UPDATE generations SET deleted_at = NULL, deleted_age = NULL
    WHERE deleted_at IS NOT NULL AND file = (SELECT id FROM files WHERE path = ?)`;
  return database.write(() => database.run(sql, path)) > 0;
}

export function forget(database: VaultDatabase, paths: readonly string[]): void {
  const sql = `UPDATE generations SET state = 2 WHERE file IN (SELECT id FROM files WHERE ${ARE_NAMED})`;
  database.write(() => database.run(sql, JSON.stringify(paths)));
  sweep(database);
}

/** What was kept at one path is that of another from now on. What is kept there already stays, as another generation. */
export function move(database: VaultDatabase, from: string, to: string): void {
  if (from === to) return;
  database.write(() => {
    const source = fileAt(database, from);
    if (source === null) return;
    const target = fileAt(database, to);
    if (target === null) database.run("UPDATE files SET path = ? WHERE id = ?", to, source.id);
    else merge(database, source, target);
    database.run("UPDATE files SET owner = ? WHERE owner = ?", to, from);
  });
}

interface File {
  id: number;
  vanished: number | null;
}

function fileAt(database: VaultDatabase, path: string): File | null {
  return database.row<File>("SELECT id, vanished_at AS vanished FROM files WHERE path = ?", path) ?? null;
}

function merge(database: VaultDatabase, source: File, target: File): void {
  for (const { id } of [source, target]) {
    const begun = database.row<{ id: number }>("SELECT id FROM generations WHERE file = ? AND state = 0", id);
    if (begun !== undefined) dropGeneration(database, begun.id);
  }
  const isTargetNewest =
    hasNewest(database, target.id) &&
    !(target.vanished !== null && source.vanished === null && hasNewest(database, source.id));
  const replaced = isTargetNewest ? source : target;
  database.run(
    "UPDATE generations SET replaced_at = ?, replaced_age = ? WHERE file = ? AND state = 1 AND replaced_at IS NULL",
    database.now(),
    database.grownAge(),
    replaced.id,
  );
  database.run("UPDATE generations SET file = ? WHERE file = ?", target.id, source.id);
  if (!isTargetNewest) {
    database.run("UPDATE files SET vanished_at = ? WHERE id = ?", source.vanished, target.id);
  }
  database.run("DELETE FROM files WHERE id = ?", source.id);
}

function hasNewest(database: VaultDatabase, file: number): boolean {
  const sql = "SELECT 1 FROM generations WHERE file = ? AND state = 1 AND replaced_at IS NULL";
  return database.row(sql, file) !== undefined;
}
