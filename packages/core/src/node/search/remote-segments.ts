import { COMPONENTS, DetachedSegments, type ReadSegmentChunk, type Segment } from "@sm/text-index";
import { IndexError } from "@sm/text-index/storage";
import { type LiveSegment, LiveSegments, type SupersededEntries, supersededBySession } from "./living.ts";
import type { AskTexts, KnownTexts, RemoteSegment, TextState } from "./remote-texts.ts";

/** Chunks that are asked for at once: some two megabytes. */
const MOST_CHUNKS = 64;

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
  /** Chunks that were asked for together with one before them. */
  readonly #ahead = new Map<string, Uint8Array>();
  #lastNumber = 0;
  #isLive = false;
  #sessions: { version: string | null; keys: ReadonlySet<number> } = { version: null, keys: new Set() };
  /** Of the task that runs. */
  #ask: AskTexts | null = null;

  /** @param cacheBytes room for what was read of segments in chunks. */
  constructor(cacheBytes: number) {
    this.#segments = new DetachedSegments((place, following) => this.#read(place, following), cacheBytes);
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
      this.#ahead.clear();
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

  readonly #read: ReadSegmentChunk = ({ segment, component, chunk }, following) => {
    const remote = this.#byNumber.get(segment);
    if (remote === undefined || this.#ask === null) throw new Error("A segment is read outside of a search.");
    if (remote.content !== null) return partOf(remote, remote.content, component);
    const found = this.#ahead.get(`${segment} ${component} ${chunk}`);
    if (found !== undefined) return found;
    this.#ahead.clear();
    const chunks = this.#ask("textChunks", remote.id, { component, chunk }, 1 + Math.min(following, MOST_CHUNKS - 1));
    for (const [place, bytes] of chunks.entries()) {
      if (place > 0) this.#ahead.set(`${segment} ${component} ${chunk + place}`, bytes);
    }
    const [first] = chunks;
    if (first === undefined) throw new IndexError("damaged", "A chunk is missing.");
    return first;
  };
}

/** Of the columns of a document in memory. */
const BYTES_OF_DOCUMENT = 29;

function partOf({ sizes }: RemoteSegment, content: Uint8Array, wanted: (typeof COMPONENTS)[number]): Uint8Array {
  let start = 0;
  for (const component of COMPONENTS) {
    if (component === wanted) break;
    start += sizes[component];
  }
  return content.subarray(start, start + sizes[wanted]);
}

/** Groups entries by session. @param pairs keys of sessions and numbers of entries, in turns. */
export function entriesBySession(pairs: readonly number[]): SupersededEntries {
  const rows = Array.from({ length: pairs.length / 2 }, (_, at) => ({
    key: pairs[2 * at] ?? 0,
    ordinal: pairs[2 * at + 1] ?? 0,
  }));
  return supersededBySession(rows);
}
