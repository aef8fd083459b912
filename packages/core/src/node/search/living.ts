import {
  type Bitset,
  documentsOf,
  openSegments,
  remove,
  type Segment,
  type Segments,
  SegmentView,
} from "@sm/text-index";
import type { SqliteDatabase } from "../storage/sqlite.ts";

/** A segment with its live documents. */
export interface LiveSegment {
  view: SegmentView;
  living: Bitset;
}

/**
 * Live documents of one text database: those of sessions in the catalog, without replaced names and labels. Recomputed
 * only for new segments, or when a database has changed.
 */
export class LiveDocs {
  readonly #segments: Segments;
  readonly #superseded;
  readonly #version;
  #known = new Map<Segment, LiveSegment>();
  #seen: unknown = null;
  #sessions: ReadonlySet<number> | null = null;

  /** @param cacheBytes room for posting lists. */
  constructor(database: SqliteDatabase, cacheBytes: number) {
    this.#segments = openSegments(database, cacheBytes);
    this.#superseded = database.prepare<[], { key: number; ordinal: number }>("SELECT key, ordinal FROM superseded");
    this.#version = database.prepare("PRAGMA data_version").pluck();
  }

  get cachedBytes(): number {
    return this.#segments.cachedBytes;
  }

  /** Must be called in a transaction, in which the segments can be read. */
  refresh(sessions: ReadonlySet<number>): LiveSegment[] {
    const version = this.#version.get();
    if (version === this.#seen && sessions === this.#sessions) return [...this.#known.values()];
    const isChanged = sessions !== this.#sessions;
    const superseded = new Map<number, Set<number>>();
    for (const { key, ordinal } of this.#superseded.all()) {
      superseded.set(key, (superseded.get(key) ?? new Set()).add(ordinal));
    }
    const known = new Map<Segment, LiveSegment>();
    for (const segment of this.#segments.refresh()) {
      const before = this.#known.get(segment);
      const view = before?.view ?? new SegmentView(segment);
      const living = before !== undefined && !isChanged ? before.living : view.withKeys((key) => sessions.has(key));
      removeEntries(view, living, superseded);
      known.set(segment, { view, living });
    }
    this.#known = known;
    this.#seen = version;
    this.#sessions = sessions;
    return [...known.values()];
  }
}

function removeEntries(view: SegmentView, living: Bitset, superseded: ReadonlyMap<number, ReadonlySet<number>>): void {
  const { ordinals } = view.documents;
  for (const document of documentsOf(view.withKeys((key) => superseded.has(key)))) {
    const entries = superseded.get(view.documents.keys[document] ?? 0);
    if (entries?.has(ordinals[document] ?? 0) === true) remove(living, document);
  }
}
