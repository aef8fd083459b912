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

/** Entries whose texts are not found, by session: names and labels that later ones have replaced. */
export type SupersededEntries = ReadonlyMap<number, ReadonlySet<number>>;

/** Live documents of segments: those of present sessions. Computed again only for new segments, or after a change. */
export class LiveSegments {
  #known = new Map<Segment, LiveSegment>();
  #sessions: ReadonlySet<number> | null = null;

  get all(): LiveSegment[] {
    return [...this.#known.values()];
  }

  /** @param sessions the same object unless others are present. */
  refresh(segments: readonly Segment[], sessions: ReadonlySet<number>, superseded: SupersededEntries): void {
    const isChanged = sessions !== this.#sessions;
    const known = new Map<Segment, LiveSegment>();
    for (const segment of segments) {
      const before = this.#known.get(segment);
      const view = before?.view ?? new SegmentView(segment);
      const living = before !== undefined && !isChanged ? before.living : view.withKeys((key) => sessions.has(key));
      removeEntries(view, living, superseded);
      known.set(segment, { view, living });
    }
    this.#known = known;
    this.#sessions = sessions;
  }
}

/** Live documents of one text database, looked at again when it has changed. */
export class LiveDocs {
  readonly #segments: Segments;
  readonly #superseded;
  readonly #version;
  readonly #live = new LiveSegments();
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
    if (version !== this.#seen || sessions !== this.#sessions) {
      this.#live.refresh(this.#segments.refresh(), sessions, supersededBySession(this.#superseded.all()));
      this.#seen = version;
      this.#sessions = sessions;
    }
    return this.#live.all;
  }
}

/** Groups replaced names and labels by session. */
export function supersededBySession(rows: readonly { key: number; ordinal: number }[]): SupersededEntries {
  const superseded = new Map<number, Set<number>>();
  for (const { key, ordinal } of rows) superseded.set(key, (superseded.get(key) ?? new Set()).add(ordinal));
  return superseded;
}

function removeEntries(view: SegmentView, living: Bitset, superseded: SupersededEntries): void {
  const { ordinals } = view.documents;
  for (const document of documentsOf(view.withKeys((key) => superseded.has(key)))) {
    const entries = superseded.get(view.documents.keys[document] ?? 0);
    if (entries?.has(ordinals[document] ?? 0) === true) remove(living, document);
  }
}
