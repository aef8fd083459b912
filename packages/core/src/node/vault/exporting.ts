import { existsSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { brotliCompressSync } from "node:zlib";
import { hashOf } from "./compression.ts";
import { linesOf, NewFile, putFile } from "./copy-files.ts";
import {
  type CopiedGeneration,
  chunkFile,
  generationLine,
  headerLine,
  MANIFEST_SUFFIX,
  manifestDirectory,
  type Piece,
  parseLine,
  README,
  readGeneration,
} from "./copy-format.ts";
import { allGenerations, type Generation } from "./generations.ts";
import { type PackedRow, type VaultReader, verified } from "./reading.ts";
import { VaultDamage, type VaultDatabase } from "./vault-database.ts";

/** What was copied so far. */
export interface CopyProgress {
  generations: number;
  /** Of them, the newest ones of sessions. */
  sessions: number;
  /** Bytes that were written; what was there already is not written again. */
  writtenBytes: number;
  /** Files of which a part is damaged, and which are not copied for that. */
  damaged: string[];
}

/** Copies what a directory lacks, and says after each generation how far it is. Others may change the vault meanwhile. */
export function* exportTo(
  database: VaultDatabase,
  reader: VaultReader,
  directory: string,
): Generator<CopyProgress, void> {
  const progress: CopyProgress = { generations: 0, sessions: 0, writtenBytes: 0, damaged: [] };
  const path = join(manifestDirectory(directory), database.id + MANIFEST_SUFFIX);
  const before = existsSync(path) ? hashesIn(path) : new Set<string>();
  putFile(join(directory, "README.md"), README);
  const manifest = new NewFile(path);
  try {
    manifest.write(headerLine(database.id, database.now()));
    for (const generation of allGenerations(database)) {
      const copied = copy(database, reader, directory, generation, progress);
      if (copied === null) continue;
      manifest.write(generationLine(copied));
      progress.generations++;
      if (copied.owner === null && copied.replacedAt === null) progress.sessions++;
      yield progress;
    }
  } catch (error) {
    manifest.discard();
    throw error;
  }
  manifest.put();
  removeUnused(directory, before);
  yield progress;
}

/** `null`: removed meanwhile, or damaged. */
function copy(
  database: VaultDatabase,
  reader: VaultReader,
  directory: string,
  generation: Generation,
  progress: CopyProgress,
): CopiedGeneration | null {
  try {
    const rows = database.read(() =>
      database.rows<Piece & { id: number; offset: number }>(
        `SELECT p.offset, c.id, lower(hex(c.hash)) AS hash, c.size FROM pieces p JOIN chunks c ON c.id = p.chunk
         WHERE p.generation = ? ORDER BY p.offset`,
        generation.id,
      ),
    );
    const pieces = rows.map(({ id, hash, size }) => {
      if (!existsSync(chunkFile(directory, hash))) progress.writtenBytes += writeChunk(database, directory, id, hash);
      return { hash, size };
    });
    const chunked = pieces.reduce((sum, { size }) => sum + size, 0);
    if (chunked < generation.bytes) {
      const tail = Buffer.allocUnsafe(generation.bytes - chunked);
      reader.read(generation, tail, chunked);
      const hash = hashOf(tail).toString("hex");
      const file = chunkFile(directory, hash);
      if (!existsSync(file)) progress.writtenBytes += put(file, brotliCompressSync(tail));
      pieces.push({ hash, size: tail.length });
    }
    return { ...generation, pieces };
  } catch (error) {
    if (!(error instanceof VaultDamage)) throw error;
    progress.damaged.push(generation.path);
    return null;
  }
}

function writeChunk(database: VaultDatabase, directory: string, id: number, hash: string): number {
  const sql = "SELECT hash, size, quality, packed FROM chunks WHERE id = ?";
  const row = database.guarded(() => database.row<PackedRow>(sql, id));
  const content = row === undefined ? null : verified(row);
  if (row === undefined || content === null || row.hash.toString("hex") !== hash) {
    throw new VaultDamage("UNAVAILABLE", "The vault is damaged where this session is kept.");
  }
  return put(chunkFile(directory, hash), row.quality > 0 ? row.packed : brotliCompressSync(content));
}

function put(file: string, packed: Uint8Array): number {
  putFile(file, packed);
  return packed.length;
}

/** Removes what this vault has copied there earlier and nobody names any more. */
function removeUnused(directory: string, before: ReadonlySet<string>): void {
  const manifests = readdirSync(manifestDirectory(directory)).filter((name) => name.endsWith(MANIFEST_SUFFIX));
  const left = new Set(before);
  for (const name of manifests) {
    for (const hash of hashesIn(join(manifestDirectory(directory), name))) left.delete(hash);
  }
  for (const hash of left) rmSync(chunkFile(directory, hash), { force: true });
}

function hashesIn(manifest: string): Set<string> {
  const hashes = new Set<string>();
  for (const line of linesOf(manifest)) {
    const parsed = parseLine(line);
    for (const { hash } of (parsed === null ? null : readGeneration(parsed))?.pieces ?? []) hashes.add(hash);
  }
  return hashes;
}
