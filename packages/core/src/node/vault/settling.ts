import { type ChunkStore, checkInPlace, Overtaken } from "./chunk-store.ts";
import { pack, SETTLED_QUALITY } from "./compression.ts";
import type { GenerationState } from "./generations.ts";
import { type PackedRow, type VaultReader, verified } from "./reading.ts";
import { giveBack } from "./removal.ts";
import { VaultDamage, type VaultDatabase } from "./vault-database.ts";

/** A session that nobody has written to for so long is settled: its lines are packed together. */
const QUIET_MS = 10 * 60 * 1000;

export interface Settled {
  /** Of what was packed again, before packing. */
  bytes: number;
  /** By which the vault became smaller. */
  savedBytes: number;
  /** Whether nothing is left to do. */
  isDone: boolean;
}

export function settle(database: VaultDatabase, reader: VaultReader, chunks: ChunkStore, maxBytes: number): Settled {
  const settled: Settled = { bytes: 0, savedBytes: 0, isDone: false };
  let generation: number | null = 0;
  while (settled.bytes < maxBytes) {
    if (settleChunk(database, settled)) continue;
    generation = settleTail(database, reader, chunks, generation, settled);
    if (generation !== null) continue;
    if (settled.bytes > 0) giveBack(database);
    return { ...settled, isDone: true };
  }
  return settled;
}

/** @returns whether there was one. */
function settleChunk(database: VaultDatabase, settled: Settled): boolean {
  const row = database.guarded(() =>
    database.row<PackedRow & { id: number }>(
      "SELECT id, hash, size, quality, packed FROM chunks WHERE quality = 1 ORDER BY id LIMIT 1",
    ),
  );
  if (row === undefined) return false;
  const content = verified(row);
  const packed = content === null ? null : pack(content, SETTLED_QUALITY);
  settled.bytes += row.size;
  const isSmaller = packed !== null && packed.bytes.length < row.packed.length;
  database.write(() => {
    if (isSmaller) {
      const sql = "UPDATE chunks SET quality = ?, packed = ? WHERE id = ?";
      database.run(sql, packed.quality, packed.bytes, row.id);
      settled.savedBytes += row.packed.length - packed.bytes.length;
    } else {
      // Brotli needs no quality to unpack. What is damaged is left to the verification.
      database.run("UPDATE chunks SET quality = ? WHERE id = ?", SETTLED_QUALITY, row.id);
    }
  });
  return true;
}

type Quiet = Pick<GenerationState, "id" | "bytes" | "chunked" | "cut" | "tailRows">;

/** @returns the generation after `after` whose tail was settled; `null` if there is none. */
function settleTail(
  database: VaultDatabase,
  reader: VaultReader,
  chunks: ChunkStore,
  after: number,
  settled: Settled,
): number | null {
  const quiet = database.guarded(() =>
    database.row<Quiet>(
      `SELECT id, bytes, chunked, cut, tail_rows AS tailRows FROM generations
       WHERE id > ? AND tail_rows > 7 AND state = 1 AND replaced_at IS NULL AND kept_at < ? ORDER BY id LIMIT 1`,
      after,
      database.now() - QUIET_MS,
    ),
  );
  if (quiet === undefined) return null;
  const { id, bytes, cut } = quiet;
  const content = Buffer.allocUnsafe(bytes - cut);
  settled.bytes += content.length;
  try {
    reader.read({ id, bytes }, content, cut);
    const split = chunks.split(content, true, SETTLED_QUALITY);
    database.write(() => {
      checkInPlace(database, { ...quiet, state: 1 });
      chunks.putPieces(id, cut, split.list);
      chunks.removeTail(id);
      const sql = "UPDATE generations SET chunked = bytes, cut = ?, tail_rows = 0 WHERE id = ?";
      database.run(sql, cut + split.cut, id);
    });
  } catch (error) {
    // What is damaged is left to the verification, and what others go on with is not quiet.
    if (!(error instanceof Overtaken || error instanceof VaultDamage)) throw error;
  }
  return id;
}
