import { statSync } from "node:fs";
import { rm } from "node:fs/promises";
import { AppError } from "../../errors.ts";
import type { LibraryLog } from "../library-log.ts";
import { type FileStamp, sameStamp } from "../session-file.ts";
import { isCorrupt, isUnwritable } from "../sqlite.ts";
import type { FoundFile, SearchTask, TaskName, Tasks } from "../threads/tasks.ts";
import { Thread } from "../threads/thread.ts";
import type { Work } from "../work.ts";
import { Catalog } from "./catalog.ts";
import { catalogPath, type IndexPlace, openCatalog, prepareIndex, removeIndex } from "./databases.ts";
import { IndexError } from "./index-error.ts";
import { type ChangedFile, Indexer, type IndexerOptions } from "./indexer.ts";
import { Listing } from "./listing.ts";
import { matchMoves } from "./moves.ts";

export interface OpenIndexOptions {
  directory: string;
  /** Used where `directory` cannot be written; removed when the index is closed. */
  fallbackDirectory: string;
  cores: number;
  log: LibraryLog;
  onChange: () => void;
  onListChanges: IndexerOptions["onListChanges"];
  onSearchable: IndexerOptions["onSearchable"];
  /** The index was thrown away and is empty again. */
  onReset: () => void;
}

/** Everything that stands on one set of index databases. */
interface Parts {
  place: IndexPlace;
  /** Of the catalog's file: somebody may delete the index at any time. */
  inode: number;
  catalog: Catalog;
  listing: Listing;
  indexer: Indexer;
}

/** Threads that read, started when they are first asked. */
interface Readers {
  quick: Thread;
  long: Thread;
  /** One for each text database; the first is the quick one. */
  rankers: Thread[];
}

/** The index as a whole: it opens, repairs and replaces itself, and says when it cannot do its work. */
export class OpenIndex {
  readonly #options: OpenIndexOptions;
  #parts: Parts | null = null;
  #readers: Readers;
  #problem: string | null = null;
  #failedWrites = 0;
  #isRebuilding = false;
  #isClosed = false;

  constructor(options: OpenIndexOptions) {
    this.#options = options;
    this.#parts = this.#open();
    this.#readers = newReaders(this.#parts?.place ?? null);
  }

  /** What keeps the index from doing its work, for people; `null` where nothing does. */
  get problem(): string | null {
    return this.#problem;
  }

  /** Gives the quick thread what people wait for: searches and pages. */
  quickly<Name extends TaskName>(name: Name, input: Tasks[Name]["input"]): Promise<Tasks[Name]["output"]> {
    return this.#mending(() => this.#availableReaders.quick.run(name, input));
  }

  /** Ranks in all text databases at the same time, then reads the hits. */
  search(task: SearchTask): Promise<Tasks["search"]["output"]> {
    return this.#mending(async () => {
      const ranked = await Promise.all(
        this.#availableReaders.rankers.map((thread, shard) => thread.run("rank", { task, shard })),
      );
      return this.#availableReaders.quick.run("search", { task, ranked: ranked.flat() });
    });
  }

  /** Gives the other thread what may take long: trees, exports, writing to session files. */
  atLength<Name extends TaskName>(name: Name, input: Tasks[Name]["input"]): Promise<Tasks[Name]["output"]> {
    return this.#mending(() => this.#availableReaders.long.run(name, input));
  }

  get pendingRecords(): number {
    return this.#parts?.indexer.pendingRecords ?? 0;
  }

  get bytes(): { done: number; total: number } {
    return this.#parts?.indexer.bytes ?? { done: 0, total: 0 };
  }

  /** @throws AppError UNAVAILABLE where there is no index, or it was damaged and is built anew. */
  list<T>(read: (listing: Listing) => T): Promise<T> {
    return this.#mending(async () => read(this.#need().listing));
  }

  stamp(path: string): Promise<FileStamp | null> {
    return this.#mending(async () => this.#parts?.catalog.find(path)?.stamp ?? null);
  }

  sessionCounts(): { indexed: number; unindexed: number } {
    if (this.#parts === null) return { indexed: 0, unindexed: 0 };
    const { indexer, listing } = this.#parts;
    try {
      const sessions = listing.count();
      // Text that waits may be of sessions that are gone meanwhile.
      const unindexed = Math.min(indexer.pendingTexts, sessions);
      return { indexed: sessions - unindexed, unindexed };
    } catch (error) {
      if (!isCorrupt(error)) throw error;
      void this.#handle(new IndexError("damaged", error.message));
      return { indexed: 0, unindexed: 0 };
    }
  }

  /** @returns how many files differed from what was known. */
  async refresh(directories: string[]): Promise<number> {
    if (!this.#isInPlace()) await this.#handle(new IndexError("damaged", "The index was deleted."));
    const { indexer, catalog, place } = this.#need();
    const failedBefore = this.#failedWrites;
    const { changed, removed } = await indexer.refresh(directories);
    if (this.#problem !== null && failedBefore === this.#failedWrites && place.directory === this.#options.directory) {
      // The disk may have room again: what could not be written is taken up, and until all of it is, the problem stays.
      const left = catalog.unindexed();
      if (left.length > 0) indexer.resume(left);
      else this.#problem = null;
    }
    return changed + removed;
  }

  async scanNow(file: FoundFile): Promise<void> {
    await this.#parts?.indexer.scanNow([file]);
  }

  /** Starts the thread that will be needed in a moment. */
  wake(): void {
    this.#parts?.indexer.wake();
  }

  /** Takes note of files that may have changed; a stamp of `null` says that there is no such file. */
  fileChanges(seen: { path: string; stamp: FileStamp | null }[]): Promise<void> {
    return this.#mending(async () => {
      const { catalog, indexer } = this.#need();
      const changed: FoundFile[] = [];
      const unread = new Map<string, number>();
      const gone = new Map<string, FileStamp>();
      for (const { path, stamp } of seen) {
        const known = catalog.find(path);
        if (stamp === null) {
          if (known !== null) gone.set(path, known.stamp);
        } else if (known === null || !sameStamp(known.stamp, stamp)) {
          changed.push({ path, stamp });
          const isGrown = known !== null && stamp.size > known.stamp.size;
          unread.set(path, isGrown ? stamp.size - known.progress.bytes : stamp.size);
        }
      }
      const { found, removed } = matchMoves(changed, gone);
      const bytesOf = (file: FoundFile) => (file.movedFrom === undefined ? (unread.get(file.path) ?? 0) : 0);
      indexer.scanChanged(found.map((file): ChangedFile => ({ ...file, unread: bytesOf(file) })));
      if (removed.length > 0) await indexer.forget(removed);
    });
  }

  async forget(paths: string[]): Promise<void> {
    await this.#parts?.indexer.forget(paths);
  }

  async work(): Promise<Work> {
    const readers = [this.#readers.long, ...this.#readers.rankers].filter((thread) => thread.started);
    const counted = await Promise.all(readers.map((thread) => thread.run("work", null)));
    const all = [...counted, ...((await this.#parts?.indexer.work()) ?? [])];
    const sum = (field: keyof Work) => all.reduce((total, one) => total + one[field], 0);
    return {
      filesOpened: sum("filesOpened"),
      bytesRead: sum("bytesRead"),
      linesParsed: sum("linesParsed"),
      rowsWritten: sum("rowsWritten"),
    };
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#closeParts();
    await rm(this.#options.fallbackDirectory, { recursive: true, force: true });
  }

  /** Whoever meets damage in the index has it built anew. */
  async #mending<T>(action: () => Promise<T>): Promise<T> {
    try {
      return await action();
    } catch (error) {
      const damage = isCorrupt(error) ? new IndexError("damaged", error.message) : error;
      if (!(damage instanceof IndexError)) throw error;
      const isRebuilt = await this.#handle(damage);
      const message = isRebuilt ? "The index was damaged and is built anew; try again in a moment." : this.#problem;
      throw new AppError("UNAVAILABLE", message ?? damage.message, {
        cause: error,
        details: isRebuilt ? { retry_after_ms: 1_000 } : null,
      });
    }
  }

  #need(): Parts {
    if (this.#parts !== null) return this.#parts;
    throw this.#notNow();
  }

  /** A reader that is asked while the index is replaced would start again, and make an empty one. */
  get #availableReaders(): Readers {
    if (this.#isRebuilding) throw this.#notNow();
    return this.#readers;
  }

  #notNow(): AppError {
    const message = this.#problem ?? "The index is built anew; try again in a moment.";
    return new AppError("UNAVAILABLE", message, { details: { retry_after_ms: 1_000 } });
  }

  #open(): Parts | null {
    const { directory, fallbackDirectory, log } = this.#options;
    try {
      return this.#openOrRebuild(directory);
    } catch (error) {
      if (!isUnwritable(error)) throw error;
      this.#problem = `The index in ${directory} cannot be written (${error.message}); free some space or change --data-dir.`;
      log.error({ err: error, directory }, "The index cannot be written; a temporary one is used");
    }
    try {
      return this.#openOrRebuild(fallbackDirectory);
    } catch (error) {
      log.error(
        { err: error, directory: fallbackDirectory },
        "No index can be kept: lists and searches are not available",
      );
      return null;
    }
  }

  #openOrRebuild(directory: string): Parts {
    try {
      return this.#openIn(directory);
    } catch (error) {
      if (!isCorrupt(error)) throw error;
      this.#options.log.warn({ err: error, directory }, "The index is damaged and is built anew");
      removeIndex(directory);
      return this.#openIn(directory);
    }
  }

  #openIn(directory: string): Parts {
    const { log, cores, onChange, onListChanges, onSearchable } = this.#options;
    const { place, rebuilt } = prepareIndex(directory, cores);
    if (rebuilt !== null) log.warn({ directory, reason: rebuilt }, "The index is built anew from the session files");
    const client = openCatalog(place);
    const catalog = new Catalog(client);
    const indexer = new Indexer({
      place,
      log,
      shardBytes: catalog.shardBytes(place.shards),
      unindexed: catalog.unindexed(),
      droppedShards: catalog.droppedShards(),
      onProgress: onChange,
      onListChanges,
      onSearchable,
      onIndexError: (error) => void this.#handle(error),
    });
    return { place, inode: inodeOf(place), catalog, listing: new Listing(client), indexer };
  }

  #isInPlace(): boolean {
    return this.#parts === null || inodeOf(this.#parts.place) === this.#parts.inode;
  }

  /** @returns whether the index is built anew. */
  async #handle(error: IndexError): Promise<boolean> {
    const { log } = this.#options;
    if (this.#isClosed) return false;
    if (error.kind === "unwritable" && this.#isInPlace()) {
      this.#failedWrites++;
      log.error({ err: error }, "The index cannot be written; what it holds is still served");
      this.#problem = `The index cannot be written (${error.message}); free some space on its disk.`;
      this.#options.onChange();
      return false;
    }
    const place = this.#parts?.place;
    if (place === undefined) return true;
    log.error({ err: error }, "The index is damaged and is built anew");
    this.#isRebuilding = true;
    try {
      await this.#closeParts();
      // Closed meanwhile: nobody would close another one.
      if (this.#isClosed) return false;
      removeIndex(place.directory);
      this.#parts = this.#open();
      this.#readers = newReaders(this.#parts?.place ?? null);
    } finally {
      this.#isRebuilding = false;
    }
    this.#options.onReset();
    return true;
  }

  async #closeParts(): Promise<void> {
    const parts = this.#parts;
    this.#parts = null;
    const readers = [this.#readers.long, ...this.#readers.rankers];
    await Promise.all([parts?.indexer.stop(), ...readers.map((thread) => thread.stop())]);
    parts?.catalog.close();
  }
}

/** 0 where the catalog is gone. */
function inodeOf(place: IndexPlace): number {
  return statSync(catalogPath(place), { throwIfNoEntry: false })?.ino ?? 0;
}

function newReaders(index: IndexPlace | null): Readers {
  const quick = new Thread({ index });
  const others = Array.from({ length: (index?.shards ?? 1) - 1 }, () => new Thread({ index }));
  return { quick, long: new Thread({ index }), rankers: [quick, ...others] };
}
