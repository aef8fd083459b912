import { createHash } from "node:crypto";
import { AppError } from "../../errors.ts";
import { type FileStamp, sameStamp } from "../session-file/file-stamp.ts";
import { type Chunk, type ChunkStore, checkInPlace, Overtaken } from "./chunk-store.ts";
import { AIM_CHUNK_BYTES } from "./chunking.ts";
import { FAST_QUALITY, hashOf, type Packed, pack, SETTLED_QUALITY } from "./compression.ts";
import { type Generation, type GenerationState, newestOf, stateOf } from "./generations.ts";
import type { VaultReader } from "./reading.ts";
import { dropGeneration } from "./removal.ts";
import { tailIds } from "./schema.ts";
import { VaultDamage, type VaultDatabase } from "./vault-database.ts";
import { work } from "./work.ts";

/** An open file, and what is known of it. */
export interface FileToKeep {
  path: string;
  owner: string | null;
  format: string | null;
  sessionId: string | null;
  /** When it was opened: what is written later is kept the next time. */
  stamp: FileStamp;
  mode: number;
  /** Reads as many bytes as it can at once; 0 at the end. */
  read(buffer: Uint8Array, offset: number): number;
}

export interface Kept {
  addedBytes: number;
  /** Whether the file did not only grow since it was kept. */
  isNewGeneration: boolean;
}

/** What is kept of a file in one transaction: bounds memory, and how long others wait for the write lock. */
const BATCH_BYTES = 4 * 1024 * 1024;
/** The first and the last bytes of what is kept tell whether a file goes on from there. */
export const MARK_BYTES = 256;
/** More rows of a tail become one. */
const MAX_TAIL_ROWS = 256;
/** Lines that were just written are few, and packed well at once. */
const LINE_BYTES = 32 * 1024;
/** Whoever is overtaken by another process goes on from where that one is. */
const MAX_ATTEMPTS = 20;

interface TailRow {
  offset: number;
  size: number;
  hash: Buffer;
  packed: Packed;
}

/** The next state of a generation, and the rows that lead to it. */
interface Batch {
  chunks: { from: number; list: Chunk[] } | null;
  tail: { row: TailRow; isOnlyRow: boolean } | null;
  bytes: number;
  chunked: number;
  cut: number;
  fingerprint: Buffer;
  /** Whether all of the file is kept then. */
  isLast: boolean;
}

const NOTHING_YET: Omit<GenerationState, "stamp"> = {
  id: 0,
  state: 0,
  bytes: 0,
  chunked: 0,
  cut: 0,
  tailRows: 0,
  fingerprint: Buffer.alloc(0),
};

export class Keeper {
  readonly #database: VaultDatabase;
  readonly #reader: VaultReader;
  readonly #chunks: ChunkStore;
  #buffer = Buffer.alloc(0);

  constructor(database: VaultDatabase, reader: VaultReader, chunks: ChunkStore) {
    this.#database = database;
    this.#reader = reader;
    this.#chunks = chunks;
  }

  /** See `Vault.keep`. @param trusts whether the file is compared with what is kept of it. */
  keep(file: FileToKeep, trusts = true): Kept {
    const done: Kept = { addedBytes: 0, isNewGeneration: false };
    for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
      try {
        this.#keep(file, trusts, done);
        return done;
      } catch (error) {
        // What is damaged is kept again from the original, which is at hand.
        if (error instanceof VaultDamage && trusts) return this.keep(file, false);
        if (!(error instanceof Overtaken)) throw error;
      }
    }
    throw new AppError("UNAVAILABLE", `Another process keeps ${file.path} too; try again.`, {
      details: { retry_after_ms: 1_000 },
    });
  }

  #keep(file: FileToKeep, trusts: boolean, done: Kept): void {
    const newest = this.#database.read(() => newestOf(this.#database, file.path));
    if (trusts && newest !== null && isAsKept(newest, file)) return;
    let state = trusts ? this.#stateToContinue(file) : null;
    // Another process has opened the file later, and kept more of it.
    if (state !== null && state.bytes > file.stamp.size) return;
    if (state === null) done.isNewGeneration = true;
    for (;;) {
      const batch = this.#nextBatch(file, state ?? { ...NOTHING_YET, stamp: file.stamp });
      // Of a file that changes while it is read, only what was kept before is certain to belong together.
      if (batch === null) return;
      const before = state;
      state = this.#database.write(() => this.#apply(file, before, batch, newest?.id ?? null));
      done.addedBytes += batch.bytes - (before?.bytes ?? 0);
      if (batch.isLast) return;
    }
  }

  /** What the file continues; `null` if it is to be kept from its start. */
  #stateToContinue(file: FileToKeep): GenerationState | null {
    const { newest, begun } = this.#database.read(() => ({
      newest: stateOf(this.#database, file.path, 1),
      begun: stateOf(this.#database, file.path, 0),
    }));
    if (newest !== null && continues(file, newest)) {
      if (newest.bytes !== file.stamp.size || this.#hasContent(file, newest.id)) return newest;
    }
    return begun !== null && continues(file, begun) ? begun : null;
  }

  /** Compares a file with a generation of the same size. */
  #hasContent(file: FileToKeep, generation: number): boolean {
    const { first, end } = tailIds(generation);
    const parts = this.#database.guarded(() =>
      this.#database.rows<{ offset: number; size: number; hash: Buffer }>(
        `SELECT p.offset, c.size, c.hash FROM pieces p JOIN chunks c ON c.id = p.chunk WHERE p.generation = ?
         UNION ALL SELECT offset, size, hash FROM tails WHERE id >= ? AND id < ?`,
        generation,
        first,
        end,
      ),
    );
    return parts.every(({ offset, size, hash }) => {
      const bytes = bytesOf(file, offset, size);
      return bytes.length === size && hashOf(bytes).equals(hash);
    });
  }

  #nextBatch(file: FileToKeep, state: GenerationState): Batch | null {
    const grown = file.stamp.size - state.bytes;
    if (grown <= 0) return this.#unchanged(state);
    const tailBytes = state.bytes - state.chunked;
    const isTail = state.state === 1 && tailBytes + grown <= AIM_CHUNK_BYTES;
    return isTail ? this.#tailBatch(file, state) : this.#chunkBatch(file, state);
  }

  #unchanged({ bytes, chunked, cut, fingerprint }: GenerationState): Batch {
    const mark = bytes === 0 ? fingerprintOf([]) : fingerprint;
    return { chunks: null, tail: null, bytes, chunked, cut, fingerprint: mark, isLast: true };
  }

  #tailBatch(file: FileToKeep, state: GenerationState): Batch | null {
    const { bytes, chunked, cut } = state;
    const added = bytesOf(file, bytes, file.stamp.size - bytes);
    const fingerprint = added.length === 0 ? null : fingerprintAfter(file, bytes, added);
    if (fingerprint === null) return null;
    const isOnlyRow = state.tailRows >= MAX_TAIL_ROWS;
    const offset = isOnlyRow ? chunked : bytes;
    const content = isOnlyRow ? Buffer.concat([this.#keptBytes(state, chunked), added]) : added;
    const quality = content.length > LINE_BYTES ? FAST_QUALITY : SETTLED_QUALITY;
    const row = { offset, size: content.length, hash: hashOf(content), packed: pack(content, quality) };
    return {
      chunks: null,
      tail: { row, isOnlyRow },
      bytes: bytes + added.length,
      chunked,
      cut,
      fingerprint,
      isLast: true,
    };
  }

  /** What is in tails becomes chunks too, and the last chunk if it was not complete. */
  #chunkBatch(file: FileToKeep, state: GenerationState): Batch | null {
    const from = state.cut;
    const wanted = Math.min(file.stamp.size - from, BATCH_BYTES);
    const room = this.#room(wanted);
    const known = state.bytes - from;
    this.#reader.read(state, room.subarray(0, known), from);
    const content = room.subarray(0, known + fill(file, room.subarray(known), state.bytes));
    const isLast = content.length < wanted || from + wanted >= file.stamp.size;
    const { list, cut } = this.#chunks.split(content, isLast, FAST_QUALITY);
    const length = isLast ? content.length : cut;
    const fingerprint = fingerprintAfter(file, from, content.subarray(0, length));
    if (fingerprint === null) return null;
    const bytes = from + length;
    return { chunks: { from, list }, tail: null, bytes, chunked: bytes, cut: from + cut, fingerprint, isLast };
  }

  /** Reused: new memory for each batch would cost more than reading. */
  #room(bytes: number): Buffer {
    if (this.#buffer.length < bytes) this.#buffer = Buffer.allocUnsafeSlow(bytes);
    return this.#buffer.subarray(0, bytes);
  }

  /** The kept bytes of a generation from an offset on. */
  #keptBytes({ id, bytes }: GenerationState, from: number): Buffer {
    const buffer = Buffer.allocUnsafe(bytes - from);
    this.#reader.read({ id, bytes }, buffer, from);
    return buffer;
  }

  /** @param before `null`: begins a generation. @param newest that this one replaces when it is complete. */
  #apply(file: FileToKeep, before: GenerationState | null, batch: Batch, newest: number | null): GenerationState {
    const database = this.#database;
    const now = database.now();
    const fileId = this.#fileOf(file);
    const id = before?.id ?? this.#begin(file, fileId, now);
    if (before !== null) checkInPlace(database, before);
    if (batch.chunks !== null) this.#chunks.putPieces(id, batch.chunks.from, batch.chunks.list);
    const tailRows = this.#putTail(id, before?.tailRows ?? 0, batch);
    const { bytes, chunked, cut, fingerprint } = batch;
    database.run(
      "UPDATE generations SET bytes = ?, chunked = ?, cut = ?, tail_rows = ?, fingerprint = ?, kept_at = ? WHERE id = ?",
      bytes,
      chunked,
      cut,
      tailRows,
      fingerprint,
      now,
      id,
    );
    if (batch.isLast) this.#complete(file, fileId, id, bytes, newest);
    const state = batch.isLast || before?.state === 1 ? 1 : 0;
    return { id, state, bytes, chunked, cut, tailRows, fingerprint, stamp: file.stamp };
  }

  /** The key of the file; what is known of it may have changed. */
  #fileOf({ path, owner, format, sessionId }: FileToKeep): number {
    const row = this.#database.row<{ id: number }>("SELECT id FROM files WHERE path = ?", path);
    if (row === undefined) {
      const sql = "INSERT INTO files (path, owner, format, session_id) VALUES (?, ?, ?, ?)";
      return this.#database.insert(sql, path, owner, format, sessionId);
    }
    this.#database.run(
      `UPDATE files SET owner = @owner, format = @format, session_id = @sessionId, vanished_at = NULL WHERE id = @id AND
       (owner IS NOT @owner OR format IS NOT @format OR session_id IS NOT @sessionId OR vanished_at IS NOT NULL)`,
      { id: row.id, owner, format, sessionId },
    );
    return row.id;
  }

  #begin({ path, stamp, mode }: FileToKeep, fileId: number, now: number): number {
    const begun = stateOf(this.#database, path, 0);
    if (begun !== null) dropGeneration(this.#database, begun.id);
    return this.#database.insert(
      `INSERT INTO generations (file, state, bytes, chunked, cut, tail_rows, fingerprint, size, mtime, ctime, inode, mode, started_at, kept_at)
       VALUES (?, 0, 0, 0, 0, 0, zeroblob(0), ?, ?, ?, ?, ?, ?, ?)`,
      fileId,
      stamp.size,
      stamp.mtime,
      stamp.ctime,
      stamp.inode,
      mode,
      now,
      now,
    );
  }

  #complete({ stamp, mode }: FileToKeep, fileId: number, id: number, bytes: number, newest: number | null): void {
    const database = this.#database;
    const current = database.row<{ id: number }>(
      "SELECT id FROM generations WHERE file = ? AND state = 1 AND replaced_at IS NULL",
      fileId,
    );
    if ((current?.id ?? null) !== newest) throw new Overtaken();
    if (newest !== null && newest !== id) {
      const sql = "UPDATE generations SET replaced_at = ?, replaced_age = ? WHERE id = ?";
      database.run(sql, database.now(), database.grownAge(), newest);
    }
    database.run(
      `UPDATE generations SET state = 1, size = ?, mtime = ?, ctime = ?, inode = ?, mode = ?, deleted_at = NULL, deleted_age = NULL
       WHERE id = ?`,
      // Of a file that was cut off while it was read, the next look is to find another stamp.
      bytes,
      stamp.mtime,
      stamp.ctime,
      stamp.inode,
      mode,
      id,
    );
    const begun = database.row<{ id: number }>("SELECT id FROM generations WHERE file = ? AND state = 0", fileId);
    if (begun !== undefined) dropGeneration(database, begun.id);
  }

  /** @returns how many rows the tail has. */
  #putTail(generation: number, rows: number, { chunks, tail }: Batch): number {
    const replaces = chunks !== null || tail?.isOnlyRow === true;
    if (replaces && rows > 0) this.#chunks.removeTail(generation);
    const left = replaces ? 0 : rows;
    if (tail === null) return left;
    const { offset, size, hash, packed } = tail.row;
    const sql = "INSERT INTO tails (id, offset, size, hash, quality, packed) VALUES (?, ?, ?, ?, ?, ?)";
    this.#database.insert(sql, tailIds(generation).first + left, offset, size, hash, packed.quality, packed.bytes);
    return left + 1;
  }
}

/** Whether nothing of a file has changed since it was kept. */
function isAsKept(kept: Generation, { owner, format, sessionId, stamp, mode }: FileToKeep): boolean {
  const isSame = kept.owner === owner && kept.format === format && kept.sessionId === sessionId && kept.mode === mode;
  const isThere = kept.vanishedAt === null && kept.deletedAt === null;
  return isSame && isThere && kept.bytes === stamp.size && sameStamp(kept.stamp, stamp);
}

/** Whether a file begins with what was kept of it, as far as its first and the last bytes of it tell. */
function continues(file: FileToKeep, { bytes, fingerprint }: GenerationState): boolean {
  return bytes === 0 || fingerprintOf(marksOf(file, bytes)).equals(fingerprint);
}

/** `null` if the file no longer ends as it was read. */
function fingerprintAfter(file: FileToKeep, offset: number, read: Uint8Array): Buffer | null {
  const [head, last] = marksOf(file, offset + read.length);
  if (last.length < Math.min(MARK_BYTES, offset + read.length)) return null;
  const compared = Math.min(last.length, read.length);
  const isSame = Buffer.compare(last.subarray(last.length - compared), read.subarray(read.length - compared)) === 0;
  return isSame ? fingerprintOf([head, last]) : null;
}

/** The first and the last bytes of the first `bytes` of a file. */
function marksOf(file: FileToKeep, bytes: number): [Buffer, Buffer] {
  const count = Math.min(MARK_BYTES, bytes);
  return [bytesOf(file, 0, count), bytesOf(file, bytes - count, count)];
}

export function fingerprintOf(marks: readonly Uint8Array[]): Buffer {
  const hash = createHash("sha256");
  for (const mark of marks) hash.update(mark);
  return hash.digest().subarray(0, 16);
}

function bytesOf(file: FileToKeep, offset: number, length: number): Buffer {
  const buffer = Buffer.allocUnsafe(length);
  return buffer.subarray(0, fill(file, buffer, offset));
}

/** @returns how many bytes were read: fewer than there is room for only at the end. */
function fill(file: FileToKeep, room: Uint8Array, offset: number): number {
  let filled = 0;
  while (filled < room.length) {
    const count = file.read(room.subarray(filled), offset + filled);
    if (count === 0) break;
    filled += count;
  }
  work.bytesRead += filled;
  return filled;
}
