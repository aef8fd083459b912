import type { VaultDatabase } from "./vault-database.ts";

/**
 * Sessions whose files are gone since they are at another path: that of the same session, with the same inode or the same
 * content. An inode alone would be that of a later file.
 */
const SQL = `
SELECT gone.path FROM files gone
  JOIN generations old ON old.file = gone.id AND old.state = 1 AND old.replaced_at IS NULL AND old.deleted_at IS NULL
  JOIN files here ON here.path = ? AND here.vanished_at IS NULL AND here.id <> gone.id
  JOIN generations new ON new.file = here.id AND new.state = 1 AND new.replaced_at IS NULL AND new.deleted_at IS NULL
WHERE gone.vanished_at IS NOT NULL AND gone.owner IS NULL
  AND gone.format IS here.format AND gone.session_id IS here.session_id
  AND (old.inode = new.inode OR (old.size = new.size AND old.fingerprint = new.fingerprint))`;

/** Finds the paths that the session at a path had before. */
export function formerPaths(database: VaultDatabase, path: string): string[] {
  return database.rows<{ path: string }>(SQL, path).map((row) => row.path);
}

/** Finds where sessions are now whose files are gone, see {@link formerPaths}. */
export function presentPath(database: VaultDatabase, gone: string): string | null {
  const candidates = database.rows<{ path: string }>(
    `SELECT here.path FROM files here JOIN files gone ON gone.path = ?
     WHERE here.session_id = gone.session_id AND here.vanished_at IS NULL AND here.owner IS NULL AND here.id <> gone.id`,
    gone,
  );
  return candidates.map(({ path }) => path).find((path) => formerPaths(database, path).includes(gone)) ?? null;
}
