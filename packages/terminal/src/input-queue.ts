import { writeSync } from "node:fs";

/** Bytes a write: more than the system takes at once. */
const WRITE_BYTES = 64 * 1024;
/** How long to wait while the program does not read: the first time, and at most, doubled in between. */
const FIRST_WAIT_MS = 2;
const LONGEST_WAIT_MS = 128;

/**
 * Writes to the descriptor of a terminal, which does not block, in order and as fast as its program reads.
 *
 * Node's streams write to terminals in a way that blocks the process, and node-pty tries again in every turn of the
 * event loop, which takes a whole processor while a program does not read.
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

  /** Bytes that are not written yet. */
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

  /** Must be called before the descriptor is closed: its number is given to the next file. */
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
        // The terminal has no program any more.
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
    this.#wait = Math.min(this.#wait * 2, LONGEST_WAIT_MS);
  }
}
