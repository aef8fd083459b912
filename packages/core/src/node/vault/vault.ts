import type { FileStamp } from "../session-file/file-stamp.ts";
import { ChunkStore } from "./chunk-store.ts";
import { inDirectory } from "./copy-files.ts";
import { type CopyProgress, exportTo } from "./exporting.ts";
import {
  companionsOf,
  deletedGenerations,
  type Generation,
  generationsOf,
  type KeptSession,
  keptSessions,
  newestOf,
  stampsOf,
  vanishedSessions,
} from "./generations.ts";
import { Importer } from "./importing.ts";
import { type FileToKeep, Keeper, type Kept } from "./keeping.ts";
import { forget, markDeleted, move, setReturned, setVanished, undelete } from "./marking.ts";
import { formerPaths, presentPath } from "./moved-sessions.ts";
import { type PurgeLimits, type PurgeResult, purge } from "./purge.ts";
import { VaultReader } from "./reading.ts";
import { type Settled, settle } from "./settling.ts";
import { VaultDatabase } from "./vault-database.ts";
import { type Damaged, type Original, repair, type Verified, verify } from "./verifying.ts";

export type { CopyProgress } from "./exporting.ts";
export type { Generation, KeptSession } from "./generations.ts";
export type { FileToKeep, Kept } from "./keeping.ts";
export type { Purged, PurgeLimits, PurgeResult } from "./purge.ts";
export type { Settled } from "./settling.ts";
export { VaultDamage } from "./vault-database.ts";
export type { Damaged, Original, Verified } from "./verifying.ts";

export interface OpenVaultOptions {
  /** Default: false. */
  isReadOnly?: boolean;
  /** Milliseconds since 1970; default: `Date.now`. */
  clock?: () => number;
}

export interface VaultStatus {
  /** Without deleted ones and companions. */
  sessions: number;
  /** Those whose originals are gone. */
  onlyHere: number;
  /** Of the vault on disk. */
  bytes: number;
  /** Of all that is kept, earlier generations too. */
  originalBytes: number;
  /** Since when the oldest of it is kept. */
  oldestAt: number | null;
}

/** Reads a kept generation like an open file. */
export interface KeptFile {
  readonly size: number;
  readonly stamp: FileStamp;
  readonly mode: number;
  /** Fills the buffer, unless the file ends before. @throws VaultDamage */
  read(buffer: Uint8Array, offset: number): number;
  close(): void;
}

/**
 * Keeps the bytes of session files and their companions, whatever becomes of the originals. All methods work at once,
 * in the calling thread; several threads and processes may have the same vault open.
 *
 * What the database refuses is thrown as AppError: `READ_ONLY`, or `UNAVAILABLE` where the disk is full or the vault is
 * damaged ({@link VaultDamage}).
 */
export class Vault {
  readonly #database: VaultDatabase;
  readonly #reader: VaultReader;
  readonly #chunks: ChunkStore;
  readonly #keeper: Keeper;

  private constructor(database: VaultDatabase) {
    this.#database = database;
    this.#reader = new VaultReader(database);
    this.#chunks = new ChunkStore(database);
    this.#keeper = new Keeper(database, this.#reader, this.#chunks);
  }

  /**
   * Makes the database where there is none.
   *
   * @throws AppError `READ_ONLY` where it cannot be written; `UNAVAILABLE` if it is damaged, or a newer version or
   * another program has written it; `NOT_FOUND` if it is to be read only and is not there.
   */
  static open(path: string, { isReadOnly = false, clock = Date.now }: OpenVaultOptions = {}): Vault {
    return new Vault(new VaultDatabase(path, isReadOnly, clock));
  }

  close(): void {
    this.#database.close();
  }

  /**
   * Keeps what the file has beyond what is kept of it. A file that grew costs only its new bytes; one whose first and
   * last kept bytes have changed begins a new generation. The file counts as there again, and as not deleted.
   *
   * Interrupted, it goes on from there the next time; a new generation is not seen before all of it is kept.
   */
  keep(file: FileToKeep): Kept {
    return this.#keeper.keep(file);
  }

  /** The same, but trusts nothing that is kept of the file, which may be damaged: it begins a new generation. */
  keepAnew(file: FileToKeep): Kept {
    return this.#keeper.keep(file, false);
  }

  /** The latest generation of a path, also if it is deleted. */
  newest(path: string): Generation | null {
    return this.#database.read(() => newestOf(this.#database, path));
  }

  /** The latest first. */
  generations(path: string): Generation[] {
    return this.#database.read(() => generationsOf(this.#database, path));
  }

  /** Stamps of the newest generations, without those that are vanished or deleted. A file of another stamp is to be kept. */
  stampsOf(paths: readonly string[]): Map<string, FileStamp> {
    return this.#database.read(() => stampsOf(this.#database, paths));
  }

  /** All sessions, without companions and deleted ones. Others may change the vault meanwhile. */
  keptSessions(): Iterable<KeptSession> {
    return keptSessions(this.#database);
  }

  /** Those of them whose originals are gone, the longest gone first. */
  vanishedSessions(): Iterable<KeptSession> {
    return vanishedSessions(this.#database);
  }

  /** Newest generations of the files that belong to a session. */
  companionsOf(owner: string): Generation[] {
    return this.#database.read(() => companionsOf(this.#database, owner));
  }

  setVanished(paths: readonly string[], now = this.#database.now()): void {
    setVanished(this.#database, paths, now);
  }

  setReturned(paths: readonly string[]): void {
    setReturned(this.#database, paths);
  }

  /** The original has another path now; so do the owner's companions, which are moved by calls of their own. */
  move(from: string, to: string): void {
    move(this.#database, from, to);
  }

  /** Paths that the session at a path had before, as far as their files are gone. */
  formerPaths(path: string): string[] {
    return this.#database.read(() => formerPaths(this.#database, path));
  }

  /** Where the session is now whose file is gone from a path; `null` if nowhere. */
  presentPath(gone: string): string | null {
    return this.#database.read(() => presentPath(this.#database, gone));
  }

  /** Hides all generations of the paths until they are purged. Companions have to be named too. */
  markDeleted(paths: readonly string[], now = this.#database.now()): void {
    markDeleted(this.#database, paths, now);
  }

  /** @returns whether it was deleted. */
  undelete(path: string): boolean {
    return undelete(this.#database, path);
  }

  /** Newest generations that are deleted, the latest first; companions too. */
  deleted(): Generation[] {
    return this.#database.read(() => deletedGenerations(this.#database));
  }

  /** Removes all generations of the paths at once. Companions have to be named too. */
  forget(paths: readonly string[]): void {
    forget(this.#database, paths);
  }

  /** Removes what has been deleted or replaced for long, and the oldest of what is nowhere else beyond a size. */
  purge(limits: PurgeLimits): PurgeResult {
    return purge(this.#database, limits);
  }

  /** Reads bytes of a generation: fewer than the buffer takes only at the end. @throws VaultDamage */
  read(generation: Pick<Generation, "id" | "bytes">, buffer: Uint8Array, offset: number): number {
    return this.#reader.read(generation, buffer, offset);
  }

  openKept({ id, bytes, stamp, mode }: Generation): KeptFile {
    return {
      size: bytes,
      stamp,
      mode,
      read: (buffer, offset) => this.#reader.read({ id, bytes }, buffer, offset),
      close: () => undefined,
    };
  }

  /**
   * Packs again and better what was kept in a hurry, and the lines of sessions that nobody goes on with.
   *
   * @param maxBytes how much at most, before packing; a megabyte takes 20 ms.
   */
  settle(maxBytes: number): Settled {
    return settle(this.#database, this.#reader, this.#chunks, maxBytes);
  }

  /**
   * Reads the next rows and compares them with their hashes.
   *
   * @param cursor `null`: from the start; otherwise what the call before answered.
   * @param limit of rows; each has up to a megabyte.
   */
  verify(cursor: string | null, limit: number): Verified {
    return verify(this.#database, cursor, limit);
  }

  /**
   * Takes damaged bytes again from an original that still has them.
   *
   * @param original of one of the places of the damage.
   * @returns whether they are whole again. Otherwise `keepAnew` keeps the whole file once more.
   */
  repair(damaged: Damaged, original: Original): boolean {
    return repair(this.#database, damaged, original);
  }

  /** How many rows a verification reads in all. */
  rowsToVerify(): number {
    const sql = `SELECT (SELECT count(*) FROM chunks) + (SELECT count(*) FROM tails)
      + (SELECT count(*) FROM generations WHERE state < 2) AS total`;
    return this.#database.read(() => this.#database.row<{ total: number }>(sql)?.total ?? 0);
  }

  /**
   * Copies what a directory lacks of the vault into it, generation by generation: each step says what was done so far.
   * Several vaults may be copied to one directory.
   *
   * @throws AppError for what the file system refuses.
   */
  *exportTo(directory: string): Generator<CopyProgress, void> {
    yield* inSteps("write", directory, exportTo(this.#database, this.#reader, directory));
  }

  /**
   * Adds what such a directory has, in the same way. What is in the vault stays as it is; sessions that are added count
   * as vanished.
   */
  *importFrom(directory: string): Generator<CopyProgress, void> {
    const importer = new Importer(this.#database, this.#reader, this.#chunks, directory);
    yield* inSteps("read", directory, importer.run());
  }

  status(): VaultStatus {
    const database = this.#database;
    return database.read(() => {
      const sessions = database.row<{ sessions: number; onlyHere: number }>(
        `SELECT count(*) AS sessions, count(f.vanished_at) AS onlyHere FROM generations g JOIN files f ON f.id = g.file
         WHERE g.state = 1 AND g.replaced_at IS NULL AND g.deleted_at IS NULL AND f.owner IS NULL`,
      );
      const kept = database.row<{ originalBytes: number; oldestAt: number | null }>(
        "SELECT coalesce(sum(bytes), 0) AS originalBytes, min(started_at) AS oldestAt FROM generations WHERE state = 1",
      );
      return {
        sessions: sessions?.sessions ?? 0,
        onlyHere: sessions?.onlyHere ?? 0,
        bytes: database.bytesOnDisk(),
        originalBytes: kept?.originalBytes ?? 0,
        oldestAt: kept?.oldestAt ?? null,
      };
    });
  }
}

/** Converts what the file system refuses in any step. */
function* inSteps<T>(doing: "read" | "write", directory: string, steps: Generator<T, void>): Generator<T, void> {
  for (;;) {
    const step = inDirectory(doing, directory, () => steps.next());
    if (step.done === true) return;
    yield step.value;
  }
}
