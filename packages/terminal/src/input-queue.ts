import { writeSync } from "node:fs";

/** Bytes per write: more than the system accepts. */
const WRITE_BYTES = 64 * 1024;
/** Initial and maximum wait while the program does not read; doubled in between. */
const FIRST_WAIT_MS = 2;
const MAX_WAIT_MS = 128;

/**
 * Writes to a non-blocking terminal descriptor, in order and at the pace of its program.
 *
 * Node's streams write to terminals synchronously, and node-pty retries in every turn of the event loop, which uses a
 * whole core while a program does not read.
 */
export class InputQueue {
  readonly #descriptor: number;
  #chunks: Buffer[] = [];
  #waiting = 0;
  #wait = FIRST_WAIT_MS;
  #timer: NodeJS.Timeout | null = null;
  #isClosed = false;

  constructor(descriptor: number) {
    this.#descriptor = descriptor;
  }

  /** Bytes not written yet. */
  get waiting(): number {
    return this.#waiting;
  }

  write(data: string): void {
    if (this.#isClosed || data === "") return;
    const chunk = Buffer.from(data, "utf8");
    this.#chunks.push(chunk);
    this.#waiting += chunk.length;
    if (this.#timer === null) this.#writeOn();
  }

  /** Must be called before the descriptor is closed, because its number will be reused. */
  close(): void {
    this.#isClosed = true;
    this.#chunks = [];
    this.#waiting = 0;
    if (this.#timer !== null) clearTimeout(this.#timer);
  }

  #writeOn(): void {
    this.#timer = null;
    for (;;) {
      const chunk = this.#chunks[0];
      if (chunk === undefined) return;
      let written: number;
      try {
        written = writeSync(this.#descriptor, chunk, 0, Math.min(chunk.length, WRITE_BYTES));
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === "EAGAIN") this.#retry();
        // The terminal's program has ended.
        else this.close();
        return;
      }
      this.#wait = FIRST_WAIT_MS;
      this.#waiting -= written;
      if (written < chunk.length) this.#chunks[0] = chunk.subarray(written);
      else this.#chunks.shift();
    }
  }

  #retry(): void {
    this.#timer = setTimeout(() => this.#writeOn(), this.#wait);
    this.#wait = Math.min(this.#wait * 2, MAX_WAIT_MS);
  }
}
