import { hashOf, pack, SETTLED_QUALITY } from "./compression.ts";
import { type PackedRow, verified } from "./reading.ts";
import { generationOfTail, tailIds } from "./schema.ts";
import type { VaultDatabase } from "./vault-database.ts";

/** Bytes that are not what was kept. */
export interface Damaged {
  /** What cannot be read; `pieces`: which chunks a generation consists of. */
  kind: "chunk" | "tail" | "pieces";
  id: number;
  size: number;
  /** Where these bytes are, or were, in originals. */
  places: { path: string; generation: number; offset: number }[];
}

/** An open file that may still have them. */
export interface Original {
  path: string;
  read(buffer: Uint8Array, offset: number): number;
}

export interface Verified {
  /** Rows. */
  checked: number;
  damaged: Damaged[];
  /** Goes on from here; `null`: all is verified. */
  next: string | null;
}

const KINDS = ["chunk", "tail", "pieces"] as const;
const IDS = {
  chunk: "SELECT id FROM chunks WHERE id > ? ORDER BY id LIMIT ?",
  tail: "SELECT id FROM tails WHERE id > ? ORDER BY id LIMIT ?",
  pieces: "SELECT id FROM generations WHERE id > ? AND state < 2 ORDER BY id LIMIT ?",
};
const ROWS = {
  chunk: "SELECT hash, size, quality, packed FROM chunks WHERE id = ?",
  tail: "SELECT hash, size, quality, packed FROM tails WHERE id = ?",
};

/** These are answered by the indexes alone. */
const IS_INDEXED_PIECE = `EXISTS (SELECT 1 FROM pieces i INDEXED BY pieces_of_chunk
  WHERE i.chunk = p.chunk AND i.generation = p.generation AND i.offset = p.offset)`;
const IS_INDEXED_FILE = `SELECT 1 WHERE EXISTS (SELECT 1 FROM generations INDEXED BY generations_of_file WHERE file = @file AND id = @id)
  AND (SELECT id FROM files WHERE path = @path) = @file`;

export function verify(database: VaultDatabase, cursor: string | null, limit: number): Verified {
  const [kindName, afterText] = (cursor ?? "chunk 0").split(" ");
  const kind = KINDS.find((one) => one === kindName) ?? "chunk";
  const ids = database.guarded(() => database.rows<{ id: number }>(IDS[kind], Number(afterText), limit));
  const damaged = ids.flatMap(({ id }) => {
    const found = kind === "pieces" ? damagedPieces(database, id) : damagedRow(database, kind, id);
    return found ?? [];
  });
  const last = ids.at(-1);
  const following = KINDS[KINDS.indexOf(kind) + 1];
  const isEnd = last === undefined || ids.length < limit;
  const next = isEnd ? (following === undefined ? null : `${following} 0`) : `${kind} ${last.id}`;
  return { checked: ids.length, damaged, next };
}

function damagedRow(database: VaultDatabase, kind: "chunk" | "tail", id: number): Damaged | null {
  const row = rowOf(database, kind, id);
  // Removed meanwhile.
  if (row === undefined) return null;
  if (row !== null && verified(row) !== null) return null;
  const places = kind === "chunk" ? placesOfChunk(database, id) : placesOfTail(database, id);
  return { kind, id, size: row?.size ?? 0, places };
}

/** `null`: the page where it lies is damaged. */
function rowOf(database: VaultDatabase, kind: "chunk" | "tail", id: number): PackedRow | null | undefined {
  try {
    return database.row<PackedRow>(ROWS[kind], id);
  } catch {
    return null;
  }
}

function placesOfChunk(database: VaultDatabase, id: number): Damaged["places"] {
  return database.guarded(() =>
    database.rows(
      `SELECT f.path, g.id AS generation, p.offset FROM pieces p JOIN generations g ON g.id = p.generation
       JOIN files f ON f.id = g.file WHERE p.chunk = ? AND g.state < 2 ORDER BY g.id, p.offset`,
      id,
    ),
  );
}

function placesOfTail(database: VaultDatabase, id: number): Damaged["places"] {
  return database.guarded(() =>
    database.rows(
      `SELECT f.path, g.id AS generation, t.offset FROM tails t, generations g JOIN files f ON f.id = g.file
       WHERE t.id = ? AND g.id = ? AND g.state < 2`,
      id,
      generationOfTail(id),
    ),
  );
}

/**
 * Each byte of a generation must be in one chunk or in one row of its tail. What file it is of, at what path, and which
 * chunks it has, is written twice, in a table and in an index of it: both must say the same.
 */
function damagedPieces(database: VaultDatabase, id: number): Damaged | null {
  return database.read(() => {
    const sql = "SELECT g.bytes, g.file, f.path FROM generations g LEFT JOIN files f ON f.id = g.file WHERE g.id = ?";
    const generation = database.row<{ bytes: number; file: number; path: string | null }>(sql, id);
    if (generation === undefined) return null;
    const { first, end } = tailIds(id);
    const parts = database.rows<{ offset: number; size: number | null }>(
      `SELECT p.offset, iif(${IS_INDEXED_PIECE}, c.size, NULL) AS size
         FROM pieces p LEFT JOIN chunks c ON c.id = p.chunk WHERE p.generation = ?
       UNION ALL SELECT offset, size FROM tails WHERE id >= ? AND id < ? ORDER BY 1`,
      id,
      first,
      end,
    );
    const isIndexed = database.row(IS_INDEXED_FILE, { id, file: generation.file, path: generation.path }) !== undefined;
    let at = 0;
    for (const { offset, size } of parts) {
      if (offset !== at || size === null) break;
      at += size;
    }
    if (at === generation.bytes && isIndexed) return null;
    const places = [{ path: generation.path ?? `generation ${id} of an unknown file`, generation: id, offset: at }];
    return { kind: "pieces", id, size: Math.max(0, generation.bytes - at), places };
  });
}

export function repair(database: VaultDatabase, damaged: Damaged, original: Original): boolean {
  const { kind, id, size, places } = damaged;
  const row = kind === "pieces" ? null : rowOf(database, kind, id);
  if (row === null || row === undefined) return false;
  for (const { offset } of places.filter(({ path }) => path === original.path)) {
    const content = readFrom(original, offset, size);
    if (!hashOf(content).equals(row.hash)) continue;
    const { quality, bytes } = pack(content, SETTLED_QUALITY);
    const table = kind === "chunk" ? "chunks" : "tails";
    const sql = `UPDATE ${table} SET quality = ?, packed = ? WHERE id = ? AND hash = ?`;
    return database.write(() => database.run(sql, quality, bytes, id, row.hash)) > 0;
  }
  return false;
}

function readFrom({ read }: Original, offset: number, size: number): Buffer {
  const content = Buffer.alloc(size);
  for (let filled = 0; filled < size; ) {
    const count = read(content.subarray(filled), offset + filled);
    if (count === 0) break;
    filled += count;
  }
  return content;
}
