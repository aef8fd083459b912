import { statSync } from "node:fs";
import { rm } from "node:fs/promises";
import { AppError } from "../../errors.ts";
import type { LibraryLog } from "../library-log.ts";
import type { FileStamp } from "../session-file.ts";
import { isCorrupt, isUnwritable } from "../sqlite.ts";
import type { FoundFile, ScannedFile, TaskName, Tasks } from "../threads/tasks.ts";
import { Thread } from "../threads/thread.ts";
import type { Work } from "../work.ts";
import { Catalog } from "./catalog.ts";
import { catalogPath, type IndexPlace, openCatalog, prepareIndex, removeIndex } from "./databases.ts";
import { IndexError } from "./index-error.ts";
import { Indexer } from "./indexer.ts";
import { Listing } from "./listing.ts";

export interface OpenIndexOptions {
  directory: string;
  /** Used where `directory` cannot be written; removed when the index is closed. */
  fallbackDirectory: string;
  cores: number;
  log: LibraryLog;
  onChange: () => void;
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

/** The index as a whole: it opens, repairs and replaces itself, and says when it cannot do its work. */
export class OpenIndex {
  readonly #options: OpenIndexOptions;
  #parts: Parts | null = null;
  #quickReader: Thread;
  #longReader: Thread;
  #problem: string | null = null;
  #isClosed = false;

  constructor(options: OpenIndexOptions) {
    this.#options = options;
    this.#parts = this.#open();
    const place = this.#parts?.place ?? null;
    this.#quickReader = new Thread({ index: place });
    this.#longReader = new Thread({ index: place });
  }

  /** What keeps the index from doing its work, for people; `null` where nothing does. */
  get problem(): string | null {
    return this.#problem;
  }

  /** Gives the quick thread what people wait for: searches and pages. */
  quickly<Name extends TaskName>(name: Name, input: Tasks[Name]["input"]): Promise<Tasks[Name]["output"]> {
    return this.#mending(() => this.#quickReader.run(name, input));
  }

  /** Gives the other thread what may take long: trees, exports, writing to session files. */
  atLength<Name extends TaskName>(name: Name, input: Tasks[Name]["input"]): Promise<Tasks[Name]["output"]> {
    return this.#mending(() => this.#longReader.run(name, input));
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

  stamp(path: string): FileStamp | null {
    return this.#parts?.catalog.find(path)?.stamp ?? null;
  }

  sessionCounts(): { indexed: number; unindexed: number } {
    if (this.#parts === null) return { indexed: 0, unindexed: 0 };
    const { indexer, listing } = this.#parts;
    const unindexed = indexer.pendingTexts;
    try {
      return { indexed: Math.max(0, listing.count() - unindexed), unindexed };
    } catch (error) {
      if (!isCorrupt(error)) throw error;
      void this.#handle(new IndexError("damaged", error.message));
      return { indexed: 0, unindexed };
    }
  }

  /** @returns how many files differed from what was known. */
  async refresh(directories: string[]): Promise<number> {
    if (!this.#isInPlace()) await this.#handle(new IndexError("damaged", "The index was deleted."));
    const { indexer, catalog } = this.#need();
    const hadProblem = this.#problem;
    const { changed, removed } = await indexer.refresh(directories);
    // The disk has room again: whatever could not be written before is taken up.
    if (hadProblem !== null && hadProblem === this.#problem && changed > 0) {
      this.#problem = null;
      indexer.resume(catalog.unindexed());
    }
    return changed + removed;
  }

  async scanNow(file: FoundFile): Promise<ScannedFile | null> {
    return (await this.#parts?.indexer.scanNow(file)) ?? null;
  }

  async forget(paths: string[]): Promise<void> {
    await this.#parts?.indexer.forget(paths);
  }

  async work(): Promise<Work> {
    const readers = [this.#quickReader, this.#longReader].filter((thread) => thread.started);
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
    const message = this.#problem ?? "The index is built anew; try again in a moment.";
    throw new AppError("UNAVAILABLE", message, { details: { retry_after_ms: 1_000 } });
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
    const { log, cores } = this.#options;
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
      onProgress: this.#options.onChange,
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
      log.error({ err: error }, "The index cannot be written; what it holds is still served");
      this.#problem = `The index cannot be written (${error.message}); free some space on its disk.`;
      this.#options.onChange();
      return false;
    }
    const place = this.#parts?.place;
    if (place === undefined) return true;
    log.error({ err: error }, "The index is damaged and is built anew");
    await this.#closeParts();
    removeIndex(place.directory);
    this.#parts = this.#open();
    this.#quickReader = new Thread({ index: this.#parts?.place ?? null });
    this.#longReader = new Thread({ index: this.#parts?.place ?? null });
    this.#options.onReset();
    return true;
  }

  async #closeParts(): Promise<void> {
    const parts = this.#parts;
    this.#parts = null;
    await Promise.all([parts?.indexer.stop(), this.#quickReader.stop(), this.#longReader.stop()]);
    parts?.catalog.close();
  }
}

/** 0 where the catalog is gone. */
function inodeOf(place: IndexPlace): number {
  return statSync(catalogPath(place), { throwIfNoEntry: false })?.ino ?? 0;
}
