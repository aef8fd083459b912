import type { BatchAnswer, Outbox } from "@sm/core";
import { HubProblem } from "./hub-connection.ts";

/** Delivers batches. */
export interface HubDelivery {
  send(body: Uint8Array, signal: AbortSignal): Promise<BatchAnswer>;
  close(): void;
}

export interface HubSenderOptions {
  outbox: Pick<Outbox, "next" | "delivered" | "failed" | "compare" | "onNews">;
  connection: HubDelivery;
  log: { info(fields: object, message: string): void; warn(fields: object, message: string): void };
  /** Milliseconds to wait after the first failure; default a second. */
  firstDelayMs?: number;
}

/** What was sent since the start, and what keeps it from going on. */
export interface SendingProgress {
  isSending: boolean;
  /** For people; `null` where nothing does. */
  problem: string | null;
  batches: number;
  /** Of files, and as they were sent. */
  fileBytes: number;
  sentBytes: number;
  /** Milliseconds since 1970; `null`: not yet. */
  lastSentAt: number | null;
}

const FIRST_DELAY_MS = 1_000;
/** A machine that is back on the network need not wait longer, and a hub that is away is not asked much. */
const LONGEST_DELAY_MS = 60_000;
/** The hub may have been restored from a backup while it was away. To ask takes 36 bytes for each file. */
const COMPARE_INTERVAL_MS = 10 * 60_000;

/** Sends what is new, batch by batch, and tries again where that fails. It waits for news and never asks whether there are any. */
export class HubSender {
  readonly #options: HubSenderOptions;
  readonly #stop = new AbortController();
  #working: Promise<void> | null = null;
  /** Told while it was at work. */
  #isDue = false;
  #retry: NodeJS.Timeout | null = null;
  #failures = 0;
  #comparedAt = performance.now();
  #progress: Omit<SendingProgress, "isSending"> = {
    problem: null,
    batches: 0,
    fileBytes: 0,
    sentBytes: 0,
    lastSentAt: null,
  };

  constructor(options: HubSenderOptions) {
    this.#options = options;
    options.outbox.onNews = () => this.#wake();
    this.#wake();
  }

  get progress(): SendingProgress {
    return { ...this.#progress, isSending: this.#working !== null };
  }

  async close(): Promise<void> {
    this.#options.outbox.onNews = () => undefined;
    this.#stop.abort();
    if (this.#retry !== null) clearTimeout(this.#retry);
    await this.#working;
    this.#options.connection.close();
  }

  #wake(): void {
    if (this.#stop.signal.aborted || this.#retry !== null) return;
    this.#isDue = true;
    this.#working ??= this.#work().finally(() => {
      this.#working = null;
    });
  }

  async #work(): Promise<void> {
    while (this.#isDue && !this.#stop.signal.aborted) {
      this.#isDue = false;
      try {
        while (await this.#sendOne());
      } catch (error) {
        this.#options.outbox.failed();
        if (!this.#stop.signal.aborted) this.#failed(error);
        return;
      }
    }
  }

  /** @returns whether there was anything to send. */
  async #sendOne(): Promise<boolean> {
    const { outbox, connection } = this.#options;
    const { signal } = this.#stop;
    const batch = await outbox.next();
    signal.throwIfAborted();
    if (batch === null) return false;
    const answer = await connection.send(batch.body, signal);
    this.#recovered();
    await outbox.delivered(answer);
    const { batches, fileBytes, sentBytes } = this.#progress;
    this.#progress = {
      problem: null,
      batches: batches + 1,
      fileBytes: fileBytes + batch.fileBytes,
      sentBytes: sentBytes + batch.body.length,
      lastSentAt: Date.now(),
    };
    return true;
  }

  #recovered(): void {
    if (this.#failures === 0) return;
    this.#failures = 0;
    this.#options.log.info({}, "The hub takes sessions again.");
    if (performance.now() - this.#comparedAt < COMPARE_INTERVAL_MS) return;
    this.#comparedAt = performance.now();
    this.#options.outbox.compare();
  }

  #failed(error: unknown): void {
    const { log, firstDelayMs = FIRST_DELAY_MS } = this.#options;
    const problem = error instanceof Error ? error.message : String(error);
    if (problem !== this.#progress.problem) {
      log.warn(error instanceof HubProblem ? {} : { err: error }, `Could not send to the hub: ${problem}`);
    }
    this.#progress = { ...this.#progress, problem };
    const grown = Math.min(LONGEST_DELAY_MS, firstDelayMs * 2 ** this.#failures);
    const wanted = error instanceof HubProblem ? (error.retryAfterMs ?? 0) : 0;
    this.#failures++;
    // Machines that a hub has lost together come back one after the other.
    const delay = Math.min(LONGEST_DELAY_MS, Math.max(wanted, grown * (0.5 + Math.random() / 2)));
    this.#retry = setTimeout(() => {
      this.#retry = null;
      this.#wake();
    }, delay);
    this.#retry.unref();
  }
}
