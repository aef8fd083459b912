import { CLEAR_LINE, megabytes, type Terminal } from "../progress.ts";

const INTERVAL_MS = 100;

/** Progress of an export as one line that is rewritten and finally removed. Silent without a terminal. */
export class TransferLine {
  readonly #terminal: Terminal;
  readonly #now: () => number;
  #nextAt = 0;
  #isShown = false;
  #bytes = 0;
  #doing = "Exporting";

  constructor(terminal: Terminal, now: () => number = Date.now) {
    this.#terminal = terminal;
    this.#now = now;
  }

  /** Sets the current activity. */
  begin(doing: string): void {
    this.#doing = doing;
  }

  /** Counts passing bytes. */
  async *counted(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, void> {
    for await (const chunk of chunks) {
      this.#bytes += chunk.length;
      this.#show();
      yield chunk;
    }
  }

  /** Removes the line before other output. */
  clear(): void {
    if (this.#isShown) this.#terminal.write(CLEAR_LINE);
    this.#isShown = false;
  }

  #show(): void {
    if (this.#terminal.isTTY !== true || this.#now() < this.#nextAt) return;
    this.#nextAt = this.#now() + INTERVAL_MS;
    this.#isShown = true;
    this.#terminal.write(`${CLEAR_LINE}${this.#doing}: ${megabytes(this.#bytes)}`);
  }
}
