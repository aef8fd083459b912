import { statSync } from "node:fs";
import type { LibraryLog } from "../../library-log.ts";
import { Catalog } from "../catalog/catalog.ts";
import type { FoundFile, ListChange } from "../catalog/found-files.ts";
import { catalogPath, openCatalog, removeIndex } from "../catalog/index-databases.ts";
import { Listing } from "../catalog/listing.ts";
import { matchMoves } from "../catalog/moved-files.ts";
import { reconcile } from "../catalog/reconcile.ts";
import { type FileStamp, sameStamp } from "../session-file/file-stamp.ts";
import { isPacked } from "../session-file/session-file-name.ts";
import type { IndexPlace } from "../storage/index-place.ts";
import { cacheShare } from "../threads/cache-budget.ts";
import { type ChangedFile, Indexer, type IndexerOptions, type Refreshed } from "./indexer.ts";
import { Verification } from "./verification.ts";

export interface IndexPartsOptions
  extends Pick<
    IndexerOptions,
    | "now"
    | "places"
    | "onProgress"
    | "onListChanges"
    | "onFilesRead"
    | "onRelated"
    | "onSearchable"
    | "onIndexed"
    | "onIndexError"
  > {
  place: IndexPlace;
  log: LibraryLog;
}

export interface SessionCounts {
  indexed: number;
  unindexed: number;
}

/** One set of index databases, and what stands on it. */
export class IndexParts {
  readonly place: IndexPlace;
  readonly catalog: Catalog;
  readonly listing: Listing;
  readonly indexer: Indexer;
  readonly #verification: Verification;
  /** Of the catalog's file: somebody may delete the index at any time. */
  readonly #inode: number;
  #isCompared = false;

  /** @throws IndexError or SqliteError where the databases cannot be read. */
  constructor({ place, ...options }: IndexPartsOptions) {
    const client = openCatalog(place, false, { cacheBytes: cacheShare("main", place.shards).catalog });
    this.place = place;
    this.catalog = new Catalog(client);
    reconcile(client, this.catalog, place);
    this.listing = new Listing(client);
    this.#inode = inodeOf(place);
    this.indexer = new Indexer({
      place,
      shardBytes: this.catalog.shardBytes(place.shards),
      unindexed: this.catalog.unindexed(),
      droppedShards: this.catalog.droppedShards(),
      ...options,
      onListChanges: (changes) => {
        this.listing.changed(changes.keys());
        options.onListChanges(changes);
      },
      onRelated: (paths) => {
        this.listing.changed(paths);
        options.onRelated(paths);
      },
    });
    this.#verification = new Verification({ place, ...options });
  }

  /** Whether the databases are still where they were opened. */
  get isInPlace(): boolean {
    return inodeOf(this.place) === this.#inode;
  }

  /** Whether a comparison with the directories is through: until then, sessions may be missing. */
  get isCompared(): boolean {
    return this.#isCompared;
  }

  /** Text that waits may be of sessions that are gone meanwhile. */
  counts(): SessionCounts {
    const sessions = this.listing.count();
    const unindexed = Math.min(this.indexer.pendingTexts, sessions);
    return { indexed: sessions - unindexed, unindexed };
  }

  /** Compares the directories with what is known, see `Indexer.refresh`. */
  async refresh(directories: string[], missing: string[]): Promise<Refreshed> {
    const refreshed = await this.indexer.refresh(directories, missing);
    this.#isCompared = true;
    if (refreshed.returned > 0) this.indexer.resume(this.catalog.unindexed());
    return refreshed;
  }

  /** Takes note of files that may have changed; a stamp of `null` says that there is no such file. */
  async fileChanges(seen: { path: string; stamp: FileStamp | null }[]): Promise<void> {
    const changed: FoundFile[] = [];
    const unread = new Map<string, number>();
    const gone = new Map<string, FileStamp>();
    for (const { path, stamp } of seen) {
      const known = this.catalog.find(path);
      if (stamp === null) {
        if (known !== null && !known.isAway && !known.fromVault) gone.set(path, known.stamp);
      } else if (known === null || known.isAway || known.fromVault || !sameStamp(known.stamp, stamp)) {
        changed.push({ path, stamp });
        const isGrown = known !== null && stamp.size > known.stamp.size && !isPacked(path);
        unread.set(path, isGrown ? stamp.size - known.progress.bytes : stamp.size);
      }
    }
    const { found, removed } = matchMoves(changed, gone);
    const bytesOf = (file: FoundFile) => (file.movedFrom === undefined ? (unread.get(file.path) ?? 0) : 0);
    this.indexer.scanChanged(found.map((file): ChangedFile => ({ ...file, unread: bytesOf(file) })));
    // Reading tells what is gone from what the vault has.
    const areRemoved = new Set(removed);
    const absent = [...gone].filter(([path]) => areRemoved.has(path)).map(([path, stamp]) => ({ path, stamp }));
    if (absent.length > 0) await this.indexer.scanNow(absent);
  }

  /** What clients are to be told when another index, which lacks no text, takes the place of this one. */
  differences(successor: IndexParts): { changes: Map<string, ListChange>; searchable: string[] } {
    try {
      return {
        changes: this.catalog.changesTo(successor.place),
        searchable: this.catalog.unindexed().map(({ path }) => path),
      };
    } catch {
      // Damaged just now: whatever has changed is seen with the next list.
      return { changes: new Map(), searchable: [] };
    }
  }

  async close(): Promise<void> {
    await Promise.all([this.indexer.stop(), this.#verification.stop()]);
    this.listing.close();
    this.catalog.close();
  }

  /** Removes the databases, after `close`. */
  remove(): void {
    removeIndex(this.place.directory);
  }
}

/** 0 where the catalog is gone. */
function inodeOf(place: IndexPlace): number {
  return statSync(catalogPath(place), { throwIfNoEntry: false })?.ino ?? 0;
}
