import { setTimeout as delay } from "node:timers/promises";
import type { RemoteTasks, Thread } from "@sm/core/remote";
import type { LibraryLog } from "@sm/core/state";
import type { PostgresDatabase } from "../database/database.ts";
import { isPassing } from "../database/errors.ts";
import { Listener } from "../database/listener.ts";
import {
  INDEX_CHANNEL,
  type IndexRequests,
  postponeRequests,
  type RequestKind,
  takeRequests,
} from "../files/index-requests.ts";
import { NO_OBJECTS, type ObjectReader } from "../objects/chunk-objects.ts";
import { type IndexedFiles, indexFiles } from "./index-files.ts";
import { type IndexTexts, newIndexingThread } from "./indexing-thread.ts";

export interface HubIndexerOptions {
  database: PostgresDatabase;
  /** Of the database, to hear of what is sent. */
  url: string;
  log: LibraryLog;
  /** Default: all bytes are in the database. */
  objects?: ObjectReader;
  /** Default: texts are not searchable. */
  indexTexts?: IndexTexts;
  /** Called after each transaction that has brought something. */
  onIndexed?: (indexed: IndexedFiles) => void;
}

/** Requests of one transaction: small sessions are written together. */
const MOST_REQUESTS = 256;
/** A transaction of so much tells that many sessions are being sent. */
const FLOOD = { bytes: 1024 * 1024, files: 16 };
/** No more is coming when nothing has for so long. */
const QUIET_MS = 500;
const MOST_GATHERING_MS = 5_000;
/** Requests for files that another lane or server works on just now. */
const BUSY_MS = 250;
/**
 * Nobody tells that a server has died, and with it what it was working on: so often each looks for what is left, a look
 * at an index.
 */
const LOOK_MS = 5_000;
const PAUSE_AFTER_ERROR_MS = 1_000;

/**
 * Brings what machines have sent into the catalog, beside any number of other servers that do so: each takes what no other
 * has taken, and what one has not brought to its end is there for the next.
 */
export class HubIndexer {
  readonly #listener: Listener;
  readonly #lanes: readonly Lane[];

  constructor(options: HubIndexerOptions) {
    this.#lanes = [new Lane("appends", options), new Lane("new", options)];
    const { url, log } = options;
    this.#listener = new Listener([INDEX_CHANNEL], { url, log, onNotice: () => this.#wake() });
  }

  /** Ends after the transactions under way, or gives them up where they wait for a thread. */
  async close(): Promise<void> {
    await Promise.all([this.#listener.close(), ...this.#lanes.map((lane) => lane.close())]);
  }

  #wake(): void {
    for (const lane of this.#lanes) lane.wake();
  }
}

/** What a lane does after a transaction. */
type Next = "go on" | "gather" | "others are at it" | "look later";

/** Does one transaction after the other, in a thread of its own. */
class Lane {
  readonly #kind: RequestKind;
  readonly #options: HubIndexerOptions;
  readonly #thread: Thread<RemoteTasks> = newIndexingThread();
  readonly #closing = new AbortController();
  #news = new AbortController();
  /** The next transaction is for one request: one of those before has failed, and takes no other with it. */
  #isAlone = false;
  /** Of the transaction under way, or the last one. */
  #taken: IndexRequests | null = null;
  readonly #running: Promise<void>;

  constructor(kind: RequestKind, options: HubIndexerOptions) {
    this.#kind = kind;
    this.#options = options;
    this.#running = this.#run();
  }

  wake(): void {
    this.#news.abort();
  }

  async close(): Promise<void> {
    this.#closing.abort();
    this.wake();
    await this.#thread.stop();
    await this.#running;
  }

  async #run(): Promise<void> {
    while (!this.#closing.signal.aborted) {
      const news = this.#nextNews();
      const next = await this.#step();
      if (next === "look later") await this.#pause(LOOK_MS, news);
      else if (next === "others are at it") await this.#pause(BUSY_MS);
      else if (next === "gather") await this.#gather();
    }
  }

  async #step(): Promise<Next> {
    const { log } = this.#options;
    try {
      return await this.#index();
    } catch (error) {
      if (this.#closing.signal.aborted) return "go on";
      // Where nothing was taken, no file is to blame.
      if (this.#taken === null || isPassing(error)) {
        log.warn({ err: error }, "What was sent cannot be indexed yet; trying again");
        await this.#pause(PAUSE_AFTER_ERROR_MS);
      } else if (this.#isAlone) await this.#giveUp(error, this.#taken);
      else this.#isAlone = true;
      return "go on";
    }
  }

  async #index(): Promise<Next> {
    const { database, objects = NO_OBJECTS, indexTexts = null, onIndexed } = this.#options;
    this.#taken = null;
    const indexed = await database.work(
      (db) => takeRequests(db, this.#kind, this.#isAlone ? 1 : MOST_REQUESTS),
      (db, requests) => {
        this.#taken = requests;
        return indexFiles(db, requests, { thread: this.#thread, objects, indexTexts });
      },
    );
    if (indexed === null) return "look later";
    this.#isAlone = false;
    if (indexed.files > 0) onIndexed?.(indexed);
    const { requests, files, bytes, isCut } = indexed;
    if (requests === 0) return "others are at it";
    const isFlood = this.#kind === "new" && (bytes >= FLOOD.bytes || files >= FLOOD.files);
    return isFlood && !isCut && requests < MOST_REQUESTS ? "gather" : "go on";
  }

  /**
   * Waits while more is being sent: what is indexed together becomes one segment of the text index. 1 GB that came at once
   * was some 800, and a search right after it took ten times as long as with 20.
   */
  async #gather(): Promise<void> {
    const end = performance.now() + MOST_GATHERING_MS;
    for (let isQuiet = false; !isQuiet && performance.now() < end && !this.#closing.signal.aborted; ) {
      isQuiet = await this.#pause(QUIET_MS, this.#nextNews());
    }
  }

  #nextNews(): AbortSignal {
    this.#news = new AbortController();
    return this.#news.signal;
  }

  /** @returns whether it has lasted so long. @param signal what ends it before; `close` is news too. */
  #pause(ms: number, signal = this.#closing.signal): Promise<boolean> {
    return delay(ms, true, { signal, ref: false }).catch(() => false);
  }

  /** Leaves a file for later: its content has ended the thread, for example. */
  async #giveUp(error: unknown, { userId, requests }: IndexRequests): Promise<void> {
    const { database, log } = this.#options;
    this.#isAlone = false;
    log.error({ err: error, file: requests[0]?.fileKey }, "Could not index a session");
    const sequences = requests.map(({ sequence }) => sequence);
    await database
      .write(userId, (db) => postponeRequests(db, sequences))
      .catch((reason: unknown) => log.warn({ err: reason }, "It will be tried again"));
  }
}
