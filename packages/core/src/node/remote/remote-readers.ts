import type { Requester } from "../../requester.ts";
import { IndexReaders, type ReaderTask, type ReaderTasks, type StreamStop } from "../indexing/index-readers.ts";
import type { RemoteTexts } from "../search/remote-texts.ts";
import type { RemoteStatistics } from "../statistics/remote-statistics.ts";
import type { InputOf, OutputOf } from "../threads/tasks.ts";
import type { RemoteFiles, RemoteSessions } from "./remote-sessions.ts";

/** What pages are read from, what is searched, or what is counted. */
export type ReaderSource = RemoteSessions | (RemoteFiles & RemoteTexts) | RemoteStatistics;

/** The threads of a server that read remote sessions, shared fairly by all who may see some. */
export class RemoteReaders {
  readonly #readers: IndexReaders;

  /** @param mostWaiting tasks of one client that may wait. */
  constructor(mostWaiting: number) {
    this.#readers = new IndexReaders(null, { mostWaiting, places: () => null, asks: true });
  }

  /** Reads what somebody may see. */
  of(source: ReaderSource): RemoteReader {
    return new RemoteReader(this.#readers, source);
  }

  stop(): Promise<void> {
    return this.#readers.stop();
  }
}

/** Reads the sessions that one user may see, see `IndexReaders`. */
export class RemoteReader {
  readonly #readers: IndexReaders;
  readonly #source: ReaderSource;

  constructor(readers: IndexReaders, source: ReaderSource) {
    this.#readers = readers;
    this.#source = source;
  }

  quickly<Name extends ReaderTask>(
    name: Name,
    input: InputOf<ReaderTasks, Name>,
    requester?: Requester,
  ): Promise<OutputOf<ReaderTasks, Name>> {
    return this.#readers.quickly(name, input, { ...requester, source: this.#source });
  }

  atLength<Name extends ReaderTask>(
    name: Name,
    input: InputOf<ReaderTasks, Name>,
    requester?: Requester,
  ): Promise<OutputOf<ReaderTasks, Name>> {
    return this.#readers.atLength(name, input, { ...requester, source: this.#source });
  }

  stopStream(name: StreamStop, stream: string): Promise<void> {
    return this.#readers.stopStream(name, stream);
  }
}
