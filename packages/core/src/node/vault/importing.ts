import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { AppError } from "../../errors.ts";
import { type Chunk, type ChunkStore, Overtaken } from "./chunk-store.ts";
import { FAST_QUALITY, hashOf, unpack } from "./compression.ts";
import { inDirectory, linesOf } from "./copy-files.ts";
import {
  COPY_VERSION,
  type CopiedGeneration,
  chunkFile,
  MANIFEST_SUFFIX,
  manifestDirectory,
  type Piece,
  parseLine,
  readGeneration,
  versionOfHeader,
} from "./copy-format.ts";
import type { CopyProgress } from "./exporting.ts";
import { type Generation, generationsOf } from "./generations.ts";
import { fingerprintOf, MARK_BYTES } from "./keeping.ts";
import type { VaultReader } from "./reading.ts";
import { IMPORTED, sweep } from "./removal.ts";
import { VaultDamage, type VaultDatabase } from "./vault-database.ts";

/** What is added in one transaction. */
const BATCH_BYTES = 8 * 1024 * 1024;

/** Adds what a copy has and the vault has not, and says after each generation how far it is. */
export class Importer {
  readonly #database: VaultDatabase;
  readonly #reader: VaultReader;
  readonly #chunks: ChunkStore;
  readonly #directory: string;
  readonly #progress: CopyProgress = { generations: 0, sessions: 0, writtenBytes: 0, damaged: [] };

  constructor(database: VaultDatabase, reader: VaultReader, chunks: ChunkStore, directory: string) {
    this.#database = database;
    this.#reader = reader;
    this.#chunks = chunks;
    this.#directory = directory;
  }

  *run(): Generator<CopyProgress, void> {
    try {
      yield* this.#steps();
    } finally {
      this.#dropIncomplete();
    }
  }

  *#steps(): Generator<CopyProgress, void> {
    this.#dropIncomplete();
    const manifests = inDirectory("read", manifestDirectory(this.#directory), () =>
      readdirSync(manifestDirectory(this.#directory)).filter((name) => name.endsWith(MANIFEST_SUFFIX)),
    );
    for (const name of manifests.sort()) {
      for (const line of this.#generationsIn(join(manifestDirectory(this.#directory), name))) {
        this.#add(line);
        yield this.#progress;
      }
    }
    yield this.#progress;
  }

  /** Also what an earlier import that was killed has left. */
  #dropIncomplete(): void {
    this.#database.write(() => this.#database.run("UPDATE generations SET state = 2 WHERE state = ?", IMPORTED));
    sweep(this.#database);
  }

  *#generationsIn(manifest: string): Generator<CopiedGeneration, void> {
    let isFirst = true;
    for (const text of linesOf(manifest)) {
      const line = parseLine(text);
      if (isFirst) {
        const version = line === null ? null : versionOfHeader(line);
        if (version === null)
          throw new AppError("INVALID_PAYLOAD", `${manifest} is not the manifest of a vault's copy.`);
        if (version > COPY_VERSION) {
          throw new AppError(
            "UNAVAILABLE",
            `${manifest} was written by a newer version of the program; update this one.`,
          );
        }
        isFirst = false;
        continue;
      }
      const generation = line === null ? null : readGeneration(line);
      if (generation !== null) yield generation;
      else this.#progress.damaged.push(manifest);
    }
  }

  #add(copied: CopiedGeneration): void {
    const kept = this.#database.read(() => generationsOf(this.#database, copied.path));
    if (kept.some((generation) => this.#begins(generation, copied))) return;
    try {
      const { id, marks } = this.#begin(copied);
      this.#addPieces(id, copied);
      this.#database.write(() => this.#complete(id, copied, marks));
      this.#progress.generations++;
      if (copied.owner === null && copied.replacedAt === null) this.#progress.sessions++;
    } catch (error) {
      if (error instanceof Overtaken) {
        throw new AppError("UNAVAILABLE", "Another process imports into the vault too; try again.", { cause: error });
      }
      if (!(error instanceof VaultDamage)) throw error;
      this.#progress.damaged.push(copied.path);
    }
  }

  /** Whether a generation has all that is copied. */
  #begins(generation: Generation, { bytes, pieces }: CopiedGeneration): boolean {
    if (generation.bytes < bytes) return false;
    let offset = 0;
    try {
      return pieces.every(({ hash, size }) => {
        const content = Buffer.allocUnsafe(size);
        this.#reader.read(generation, content, offset);
        offset += size;
        return hashOf(content).toString("hex") === hash;
      });
    } catch (error) {
      if (error instanceof VaultDamage) return false;
      throw error;
    }
  }

  /** Nobody sees it before it is complete. */
  #begin(copied: CopiedGeneration): { id: number; marks: Uint8Array[] } {
    const marks = this.#marksOf(copied);
    const database = this.#database;
    const id = database.write(() => {
      const { path, owner, format, sessionId, stamp, mode, startedAt, keptAt } = copied;
      const known = database.row<{ id: number }>("SELECT id FROM files WHERE path = ?", path)?.id;
      const sql = "INSERT INTO files (path, owner, format, session_id, vanished_at) VALUES (?, ?, ?, ?, ?)";
      const vanishedAt = copied.vanishedAt ?? database.now();
      const file = known ?? database.insert(sql, path, owner, format, sessionId, vanishedAt);
      return database.insert(
        `INSERT INTO generations (file, state, bytes, chunked, cut, tail_rows, fingerprint, size, mtime, ctime, inode, mode, started_at, kept_at)
         VALUES (?, ?, 0, 0, 0, 0, zeroblob(0), ?, ?, ?, ?, ?, ?, ?)`,
        file,
        IMPORTED,
        stamp.size,
        stamp.mtime,
        stamp.ctime,
        stamp.inode,
        mode,
        startedAt,
        keptAt,
      );
    });
    return { id, marks };
  }

  /** The first and the last bytes. */
  #marksOf({ bytes, pieces }: CopiedGeneration): Uint8Array[] {
    const count = Math.min(MARK_BYTES, bytes);
    let [head, last] = [Buffer.alloc(0), Buffer.alloc(0)];
    for (const piece of pieces) {
      if (head.length >= count) break;
      head = Buffer.concat([head, this.#read(piece).content]).subarray(0, count);
    }
    for (const piece of [...pieces].reverse()) {
      if (last.length >= count) break;
      last = Buffer.concat([this.#read(piece).content, last]);
    }
    return [head, last.subarray(last.length - count)];
  }

  #addPieces(id: number, { pieces }: CopiedGeneration): void {
    let batch: Chunk[] = [];
    let [offset, size] = [0, 0];
    const put = () => {
      this.#database.write(() => {
        const isThere = this.#database.row("SELECT 1 FROM generations WHERE id = ? AND state = ?", id, IMPORTED);
        if (isThere === undefined) throw new Overtaken();
        this.#chunks.putPieces(id, offset, batch);
      });
      [batch, offset, size] = [[], offset + size, 0];
    };
    for (const piece of pieces) {
      batch.push(this.#chunkOf(piece));
      size += piece.size;
      if (size >= BATCH_BYTES) put();
    }
    if (batch.length > 0) put();
  }

  #chunkOf(piece: Piece): Chunk {
    const { content, packed } = this.#read(piece);
    const hash = Buffer.from(piece.hash, "hex");
    this.#progress.writtenBytes += Math.min(packed.length, content.length);
    // Whether it could be packed better is not known.
    const isSmaller = packed.length < content.length;
    return {
      hash,
      size: content.length,
      packed: isSmaller ? { quality: FAST_QUALITY, bytes: packed } : { quality: 0, bytes: content },
    };
  }

  /** @throws VaultDamage if the copy does not have it. */
  #read({ hash, size }: Piece): { content: Uint8Array; packed: Uint8Array } {
    const path = chunkFile(this.#directory, hash);
    try {
      const packed = readFileSync(path);
      const content = unpack({ quality: FAST_QUALITY, bytes: packed }, size);
      if (content.length === size && hashOf(content).toString("hex") === hash) return { content, packed };
    } catch {
      // It is told below.
    }
    throw new VaultDamage("UNAVAILABLE", `${path} is missing or damaged.`);
  }

  /** What is newest in the vault stays so, unless it is gone too and was not kept later: both may be of one millisecond. */
  #complete(id: number, copied: CopiedGeneration, marks: readonly Uint8Array[]): void {
    const database = this.#database;
    const newest = database.row<{ id: number; kept_at: number; vanished_at: number | null }>(
      `SELECT g.id, g.kept_at, f.vanished_at FROM generations g JOIN files f ON f.id = g.file
       WHERE f.path = ? AND g.state = 1 AND g.replaced_at IS NULL`,
      copied.path,
    );
    const isNewest =
      newest === undefined ||
      (newest.vanished_at !== null && newest.kept_at <= copied.keptAt && copied.replacedAt === null);
    const now = database.now();
    const age = database.grownAge();
    if (isNewest && newest !== undefined) {
      database.run("UPDATE generations SET replaced_at = ?, replaced_age = ? WHERE id = ?", now, age, newest.id);
    }
    database.run(
      `UPDATE generations SET state = 1, bytes = @bytes, chunked = @bytes, cut = @bytes, fingerprint = @fingerprint,
         replaced_at = @replacedAt, replaced_age = @replacedAge, deleted_at = @deletedAt, deleted_age = @deletedAge
       WHERE id = @id`,
      {
        id,
        bytes: copied.bytes,
        fingerprint: fingerprintOf(marks),
        replacedAt: isNewest ? null : (copied.replacedAt ?? now),
        replacedAge: isNewest ? null : age,
        deletedAt: copied.deletedAt,
        deletedAge: copied.deletedAt === null ? null : age,
      },
    );
  }
}
