import { availableParallelism } from "node:os";
import type { Requester } from "../../requester.ts";
import { IndexReaders, type ReaderTask, type ReaderTasks, type StreamStop } from "../indexing/index-readers.ts";
import type { RemoteTexts } from "../search/remote-texts.ts";
import type { RemoteStatistics } from "../statistics/remote-statistics.ts";
import type { InputOf, OutputOf } from "../threads/tasks.ts";
import type { RemoteFiles, RemoteSessions } from "./remote-sessions.ts";

/** What pages are read from, what is searched, or what is counted. */
export type ReaderSource = RemoteSessions | (RemoteFiles & RemoteTexts) | RemoteStatistics;

/** Each remembers up to 192 MB of indexes, and one processor is for the rest of the service. */
const MOST_QUICK_THREADS = 4;
/** A task leaves the thread that remembers its index for one where so many fewer wait. */
const SHORTER_BY = 2;

/** Threads for quick tasks that this machine has processors for. */
function quickThreads(): number {
  return Math.min(MOST_QUICK_THREADS, Math.max(1, availableParallelism() - 1));
}

/** The threads of a server that read remote sessions, shared fairly by all who may see some. */
export class RemoteReaders {
  /** The first one has the thread for long tasks. */
  readonly #readers: readonly IndexReaders[];

  /**
   * @param mostWaiting tasks of one client that may wait for a thread.
   * @param threads for quick tasks; default: as many as there are processors for.
   */
  constructor(mostWaiting: number, threads = quickThreads()) {
    const options = { mostWaiting, places: () => null, asks: true };
    this.#readers = Array.from({ length: threads }, () => new IndexReaders(null, options));
  }

  /** Reads what somebody may see. */
  of(source: ReaderSource): RemoteReader {
    return new RemoteReader(this.#readers, source);
  }

  async stop(): Promise<void> {
    await Promise.all(this.#readers.map((readers) => readers.stop()));
  }
}

/** Reads the sessions that one user may see, see `IndexReaders`. */
export class RemoteReader {
  readonly #readers: readonly IndexReaders[];
  readonly #source: ReaderSource;

  constructor(readers: readonly IndexReaders[], source: ReaderSource) {
    this.#readers = readers;
    this.#source = source;
  }

  quickly<Name extends ReaderTask>(
    name: Name,
    input: InputOf<ReaderTasks, Name>,
    requester?: Requester,
  ): Promise<OutputOf<ReaderTasks, Name>> {
    return this.#quickFor(input).quickly(name, input, { ...requester, source: this.#source });
  }

  atLength<Name extends ReaderTask>(
    name: Name,
    input: InputOf<ReaderTasks, Name>,
    requester?: Requester,
  ): Promise<OutputOf<ReaderTasks, Name>> {
    return this.#first.atLength(name, input, { ...requester, source: this.#source });
  }

  stopStream(name: StreamStop, stream: string): Promise<void> {
    return this.#first.stopStream(name, stream);
  }

  get #first(): IndexReaders {
    const [first] = this.#readers;
    if (first === undefined) throw new Error("There are no threads.");
    return first;
  }

  /** Searches of an index stay with one thread, which remembers it, unless too many wait there. */
  #quickFor(input: unknown): IndexReaders {
    const shortest = this.#readers.reduce(
      (one, other) => (other.quickTasks < one.quickTasks ? other : one),
      this.#first,
    );
    const index = typeof input === "object" && input !== null && "index" in input ? String(input.index) : null;
    if (index === null) return shortest;
    const own = this.#readers[numberOf(index) % this.#readers.length] ?? shortest;
    return own.quickTasks - shortest.quickTasks >= SHORTER_BY ? shortest : own;
  }
}

function numberOf(text: string): number {
  let number = 0;
  for (const character of text) number = (31 * number + (character.codePointAt(0) ?? 0)) % 1_000_003;
  return number;
}
