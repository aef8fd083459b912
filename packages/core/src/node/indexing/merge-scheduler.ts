import { type Segment, type Segments, segmentsToMerge } from "@sm/text-index";
import type { Catalog } from "../catalog/catalog.ts";
import { partOfCode } from "../search/part-codes.ts";
import type { SqliteDatabase, SqliteStatement } from "../storage/sqlite.ts";
import type { MergeNeed } from "./indexing-tasks.ts";

/** With more segments, text that waits has to wait for a merge too. */
const MAX_SEGMENTS = 64;
/** Of the documents of a segment: then it is written anew without the dead ones. */
const MAX_DEAD = 1 / 4;
/** Pages that one step gives back to the file system: some ten milliseconds. */
const PAGES_TO_FREE = 1000;

/**
 * Segments that have so many bytes together are merged in one step, which is short: each step writes the same pages
 * again, and those of a session that grows are merged with every eighth line.
 */
const SMALL_BYTES = 64 * 1024;

/** Keeps the segments of one text database few and free of dead documents, in steps of some 50 ms. */
export class MergeScheduler {
  readonly #database: SqliteDatabase;
  readonly #catalog: Catalog;
  readonly #segments: Segments;
  readonly #isSuperseded: SqliteStatement;
  /** What is under way. */
  #merge: Generator<void, void, void> | null;
  /** Whether the merge that was begun last is done in one step. */
  #isSmall = false;
  /** Segments with too many dead documents. */
  #worn: Segment[] = [];

  constructor(database: SqliteDatabase, catalog: Catalog, segments: Segments) {
    this.#database = database;
    this.#catalog = catalog;
    this.#segments = segments;
    this.#isSuperseded = database.prepare("SELECT 1 FROM superseded WHERE key = ? AND ordinal = ?").pluck();
    this.#merge = segments.hasRemains ? segments.merge([], () => true) : null;
  }

  get need(): MergeNeed {
    const segments = this.#segments.refresh();
    const isChosen = segmentsToMerge(segments).length > 0;
    if (segments.length > MAX_SEGMENTS && (isChosen || this.#merge !== null)) return "now";
    return isChosen || this.#merge !== null || this.#worn.length > 0 ? "later" : "none";
  }

  step(): MergeNeed {
    const isNew = this.#merge === null;
    const merge = this.#merge ?? this.#next();
    if (merge === null) return this.#shrink() ? "later" : "none";
    this.#merge = null;
    const work = isNew && this.#isSmall ? () => completed(merge) : () => merge.next().done;
    const isDone = this.#database.transaction(work).immediate();
    // Where it has failed it is not gone on with.
    if (isDone !== true) this.#merge = merge;
    const need = this.need;
    // The file is still to be made smaller.
    return need === "none" ? "later" : need;
  }

  /** Takes note of segments with many documents of sessions that are gone. */
  contentsWereDropped(): void {
    this.#worn = this.#segments.refresh().filter(({ documents }) => {
      const keys = this.#catalog.sessionKeys(documents.keys);
      let dead = 0;
      for (let document = 0; document < documents.count; document++) {
        if (!keys.has(documents.keys[document] as number)) dead++;
      }
      return dead > documents.count * MAX_DEAD;
    });
  }

  #next(): Generator<void, void, void> | null {
    const segments = this.#segments.refresh();
    const worn = this.#worn.pop();
    const chosen = worn !== undefined && segments.includes(worn) ? [worn] : segmentsToMerge(segments);
    if (chosen.length === 0) return this.#worn.length > 0 ? this.#next() : null;
    this.#isSmall = chosen.reduce((sum, { bytes }) => sum + bytes, 0) < SMALL_BYTES;
    // All documents of a segment are asked for before those of the next one.
    let asked: Segment | null = null;
    let keys: ReadonlySet<number> = new Set();
    return this.#segments.merge(chosen, (segment, document) => {
      const { documents } = segment;
      if (segment !== asked) {
        asked = segment;
        keys = this.#catalog.sessionKeys(documents.keys);
      }
      const key = documents.keys[document] as number;
      if (!keys.has(key)) return false;
      const { kind } = partOfCode(documents.codes[document] as number);
      const mayBeSuperseded = kind === "name" || kind === "label";
      return !mayBeSuperseded || this.#isSuperseded.get(key, documents.ordinals[document]) === undefined;
    });
  }

  #shrink(): boolean {
    this.#database.pragma(`incremental_vacuum(${PAGES_TO_FREE})`);
    return Number(this.#database.pragma("freelist_count", { simple: true })) > 0;
  }
}

function completed(merge: Generator<void, void, void>): true {
  for (const _ of merge);
  return true;
}
