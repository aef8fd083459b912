import type { ProgramStatus } from "@sm/core";
import { QUERY_REPLY, StatusReader, type StatusReport } from "./status-reader.ts";

/** Programs may report often; listeners are told at most this often. */
const QUIET_MS = 250;

export interface StatusTrackerOptions {
  /** Called some time after a change, once for several. */
  onChange(): void;
  /** Sends the answer to a query to the program. */
  reply(text: string): void;
  /** Process group in the foreground of the terminal; `null` if unknown. */
  foregroundGroup(): Promise<number | null>;
  isGroupAlive(group: number): boolean;
}

/**
 * Keeps the status that the program of a terminal reports. A program that ends while it works or waits does so no more:
 * its process group is gone, its shell shows a prompt, or the terminal ends. `done`, `error` and `idle` last until they
 * are replaced or cleared.
 */
export class StatusTracker {
  readonly #options: StatusTrackerOptions;
  readonly #reader = new StatusReader();
  #status: ProgramStatus | null = null;
  #isFinding = false;
  #foundAt = Number.NEGATIVE_INFINITY;
  #timer: NodeJS.Timeout | null = null;

  constructor(options: StatusTrackerOptions) {
    this.#options = options;
  }

  get status(): ProgramStatus | null {
    this.#checkGroup();
    return this.#status;
  }

  /** Reads a piece of the terminal's output. */
  read(text: string): void {
    this.#checkGroup();
    let isAsked = false;
    for (const signal of this.#reader.read(text)) {
      if (signal.type === "report") this.#report(signal.report);
      else if (signal.type === "clear") this.#set(null);
      else if (signal.type === "prompt") this.#interrupt();
      else isAsked = true;
    }
    if (isAsked) this.#options.reply(QUERY_REPLY);
  }

  /** The terminal's own program has ended. */
  end(): void {
    this.#interrupt();
    if (this.#timer !== null) clearTimeout(this.#timer);
  }

  get #isRunning(): boolean {
    return this.#status?.state === "working" || this.#status?.state === "blocked";
  }

  /** Whether the process group of the last report exists, as far as is known. */
  get #isGroupAlive(): boolean {
    const group = this.#status?.process_group ?? null;
    return group === null || this.#options.isGroupAlive(group);
  }

  #report(report: StatusReport): void {
    const before = this.#status;
    const since = before?.state === report.state ? before.since : new Date().toISOString();
    const process_group = this.#isGroupAlive ? (before?.process_group ?? null) : null;
    const status = { ...report, since, process_group };
    if (JSON.stringify(status) === JSON.stringify(before)) return;
    this.#set(status);
    if (process_group === null) void this.#findGroup();
  }

  #checkGroup(): void {
    if (!this.#isGroupAlive) this.#interrupt();
  }

  /** Whoever worked or waited has ended. */
  #interrupt(): void {
    if (this.#isRunning) this.#set(null);
  }

  #set(status: ProgramStatus | null): void {
    if (this.#status === null && status === null) return;
    this.#status = status;
    this.#timer ??= setTimeout(() => {
      this.#timer = null;
      // It is not looked for with each of many reports.
      if (this.#status?.process_group === null) void this.#findGroup();
      this.#options.onChange();
    }, QUIET_MS).unref();
  }

  async #findGroup(): Promise<void> {
    const now = performance.now();
    if (this.#isFinding || now - this.#foundAt < QUIET_MS) return;
    this.#isFinding = true;
    this.#foundAt = now;
    const process_group = await this.#options.foregroundGroup();
    this.#isFinding = false;
    if (this.#status !== null && process_group !== null) this.#set({ ...this.#status, process_group });
  }
}
