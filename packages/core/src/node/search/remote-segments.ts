import { COMPONENTS, DetachedSegments, type ReadSegmentBytes, type Segment, type SegmentBytes } from "@sm/text-index";
import { type LiveSegment, LiveSegments, type SupersededEntries, supersededBySession } from "./living.ts";
import type { AskTexts, KnownTexts, RemoteSegment, TextState } from "./remote-texts.ts";

/** Asked for at once at most. */
const MOST_BYTES = 2 * 1024 * 1024;

export interface RemoteSegmentsOptions {
  /** Bytes of a segment that are read at once. */
  chunkBytes: number;
  /** Room for what was read. */
  cacheBytes: number;
}

interface OpenedSegment {
  /** Number in this thread: those of a database grow beyond what a segment's may be. */
  number: number;
  remote: RemoteSegment;
  segment: Segment;
}

/** The segments of one user, as far as a thread has read them. */
export class RemoteSegments {
  readonly #segments: DetachedSegments;
  readonly #opened = new Map<number, OpenedSegment>();
  readonly #byNumber = new Map<number, RemoteSegment>();
  readonly #live = new LiveSegments();
  #lastNumber = 0;
  #isLive = false;
  #sessions: { version: string | null; keys: ReadonlySet<number> } = { version: null, keys: new Set() };
  /** Of the task that runs. */
  #ask: AskTexts | null = null;

  constructor(options: RemoteSegmentsOptions) {
    this.#segments = new DetachedSegments((wanted) => this.#read(wanted), options);
  }

  /** Keys of the sessions that are there; the same object while they are the same. */
  get sessions(): ReadonlySet<number> {
    return this.#sessions.keys;
  }

  /** Differs for other sessions. */
  get version(): string {
    return this.#sessions.version ?? "";
  }

  /** An estimate of the memory that it takes. */
  get bytes(): number {
    let bytes = this.#segments.cachedBytes;
    for (const { remote } of this.#opened.values()) {
      bytes += remote.documentCount * BYTES_OF_DOCUMENT + (remote.content?.length ?? 0);
    }
    return bytes;
  }

  get segments(): Segment[] {
    return [...this.#opened.values()].map(({ segment }) => segment);
  }

  /** Session and entry of all replaced names and labels, in turns. */
  get superseded(): number[] {
    return [...this.#byNumber.values()].flatMap(({ superseded }) => superseded);
  }

  /** What is stored elsewhere of a segment. */
  remote(segment: Segment): RemoteSegment {
    const remote = this.#byNumber.get(segment.id);
    if (remote === undefined) throw new Error("This segment is not known.");
    return remote;
  }

  /** Runs a search or a merge on what there is now. */
  with<T>(ask: AskTexts, use: () => T): T {
    this.#ask = ask;
    try {
      this.#refresh(ask("textState", this.#known));
      return use();
    } finally {
      this.#ask = null;
    }
  }

  /** With what is alive of them; reads the columns of all documents. */
  live(): LiveSegment[] {
    if (!this.#isLive) {
      this.#live.refresh(this.segments, this.sessions, entriesBySession(this.superseded));
      this.#isLive = true;
    }
    return this.#live.all;
  }

  get #known(): KnownTexts {
    return { segments: [...this.#opened.keys()], sessions: this.#sessions.version };
  }

  #refresh({ segments, added, sessions }: TextState): void {
    const isSame = sessions === null && added.length === 0 && segments.length === this.#opened.size;
    this.#isLive &&= isSame;
    if (sessions !== null) this.#sessions = { version: sessions.version, keys: new Set(sessions.keys) };
    const present = new Set(segments);
    for (const [id, { number }] of this.#opened) {
      if (present.has(id)) continue;
      this.#opened.delete(id);
      this.#byNumber.delete(number);
    }
    for (const remote of added) {
      const number = ++this.#lastNumber;
      this.#byNumber.set(number, remote);
      this.#opened.set(remote.id, { number, remote, segment: this.#segments.open(number, remote) });
    }
  }

  readonly #read: ReadSegmentBytes = (wanted) => {
    const found = wanted.map((bytes) => this.#contentOf(bytes));
    const missing = wanted.filter((_, place) => found[place] === null);
    const asked = this.#fetch(missing);
    return found.map((bytes) => bytes ?? asked.shift() ?? NOTHING);
  };

  /** `null`: it is stored in chunks. */
  #contentOf({ segment, component, offset, length }: SegmentBytes): Uint8Array | null {
    const { content, sizes } = this.#remoteOf(segment);
    if (content === null) return null;
    const before = COMPONENTS.slice(0, COMPONENTS.indexOf(component)).reduce((sum, other) => sum + sizes[other], 0);
    return content.subarray(before + offset, before + Math.min(offset + length, sizes[component]));
  }

  #fetch(wanted: readonly SegmentBytes[]): Uint8Array[] {
    const places = wanted.map(({ segment, ...place }) => {
      const { id, sizes } = this.#remoteOf(segment);
      return { ...place, segment: id, length: Math.min(place.length, sizes[place.component] - place.offset) };
    });
    return inGroups(places).flatMap((group) => this.#asking("textBytes", group));
  }

  get #asking(): AskTexts {
    if (this.#ask === null) throw new Error("A segment is read outside of a search.");
    return this.#ask;
  }

  #remoteOf(segment: number): RemoteSegment {
    const remote = this.#byNumber.get(segment);
    if (remote === undefined) throw new Error("A segment is read that is not known.");
    return remote;
  }
}

const NOTHING = new Uint8Array(0);

/** What is asked for at once. */
function inGroups(places: readonly SegmentBytes[]): SegmentBytes[][] {
  const groups: SegmentBytes[][] = [];
  let bytes = MOST_BYTES;
  for (const place of places) {
    if (bytes >= MOST_BYTES) {
      groups.push([]);
      bytes = 0;
    }
    groups.at(-1)?.push(place);
    bytes += place.length;
  }
  return groups;
}

/** Of the columns of a document in memory. */
const BYTES_OF_DOCUMENT = 29;

/** Groups entries by session. @param pairs keys of sessions and numbers of entries, in turns. */
export function entriesBySession(pairs: readonly number[]): SupersededEntries {
  const rows = Array.from({ length: pairs.length / 2 }, (_, at) => ({
    key: pairs[2 * at] ?? 0,
    ordinal: pairs[2 * at + 1] ?? 0,
  }));
  return supersededBySession(rows);
}
