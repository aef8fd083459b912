import { proportionalMemory } from "./process-tree.ts";

/** Reading `smaps_rollup` stops the process for about a millisecond. */
const INTERVAL_MS = 500;

export interface MemorySample {
  /** Since the record began. */
  seconds: number;
  bytes: number;
}

/** Records the proportional memory of a process tree over time. */
export class MemoryRecord {
  readonly samples: MemorySample[] = [];
  readonly #pid: number;
  readonly #start = performance.now();
  readonly #timer: NodeJS.Timeout;

  constructor(pid: number, intervalMs = INTERVAL_MS) {
    this.#pid = pid;
    this.#timer = setInterval(() => this.#sample(), intervalMs);
    this.#sample();
  }

  get peak(): number {
    return Math.max(...this.samples.map(({ bytes }) => bytes));
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  #sample(): void {
    this.samples.push({ seconds: (performance.now() - this.#start) / 1000, bytes: proportionalMemory(this.#pid) });
  }
}
