import { setTimeout as delay } from "node:timers/promises";
import type { RemoteTasks, Thread } from "@sm/core/remote";
import type { LibraryLog } from "@sm/core/state";
import type { PostgresDatabase } from "../database/database.ts";
import { isPassing } from "../database/errors.ts";
import { Listener } from "../database/listener.ts";
import { INDEX_CHANNEL, type IndexRequests, postponeRequests, takeRequests } from "../files/index-requests.ts";
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
  /** Transactions at a time, each with a thread; default 1. */
  lanes?: number;
  /** Default: texts are not searchable. */
  indexTexts?: IndexTexts;
  /** Called after each transaction that has brought something. */
  onIndexed?: (indexed: IndexedFiles) => void;
}

/** Requests of one transaction: small sessions are written together. */
const MOST_REQUESTS = 64;
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
  readonly #lanes: Lane[];

  constructor(options: HubIndexerOptions) {
    this.#lanes = Array.from({ length: options.lanes ?? 1 }, () => new Lane(options));
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

/** Does one transaction after the other. */
class Lane {
  readonly #options: HubIndexerOptions;
  readonly #thread: Thread<RemoteTasks> = newIndexingThread();
  readonly #closing = new AbortController();
  #news = new AbortController();
  /** By turns, so that neither appends nor new sessions wait for ever for the others. */
  #isOldestNext = false;
  /** The next transaction is for one request: one of those before has failed, and takes no other with it. */
  #isAlone = false;
  /** Of the transaction under way, or the last one. */
  #taken: IndexRequests | null = null;
  readonly #running: Promise<void>;

  constructor(options: HubIndexerOptions) {
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
      const news = new AbortController();
      this.#news = news;
      if (await this.#step()) continue;
      const signal = AbortSignal.any([news.signal, this.#closing.signal]);
      // Rejects when there is news.
      await delay(LOOK_MS, undefined, { signal, ref: false }).catch(() => undefined);
    }
  }

  /** @returns whether there may be more. */
  async #step(): Promise<boolean> {
    const { log } = this.#options;
    try {
      return await this.#index();
    } catch (error) {
      const { signal } = this.#closing;
      if (signal.aborted) return false;
      // Where nothing was taken, no file is to blame.
      if (this.#taken === null || isPassing(error)) {
        log.warn({ err: error }, "What was sent cannot be indexed yet; trying again");
        await delay(PAUSE_AFTER_ERROR_MS, undefined, { signal, ref: false }).catch(() => undefined);
      } else if (this.#isAlone) await this.#giveUp(error, this.#taken);
      else this.#isAlone = true;
      return true;
    }
  }

  async #index(): Promise<boolean> {
    const { database, objects = NO_OBJECTS, indexTexts = null, onIndexed } = this.#options;
    this.#taken = null;
    const indexed = await database.work(
      (db) => takeRequests(db, this.#isOldestNext ? "oldest" : "appends", this.#isAlone ? 1 : MOST_REQUESTS),
      (db, requests) => {
        this.#taken = requests;
        return indexFiles(db, requests, { thread: this.#thread, objects, indexTexts });
      },
    );
    if (indexed === null) return false;
    this.#isAlone = false;
    this.#isOldestNext = !this.#isOldestNext;
    if (indexed.files > 0) onIndexed?.(indexed);
    // None: others work on all files that were asked for.
    return indexed.requests > 0;
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
