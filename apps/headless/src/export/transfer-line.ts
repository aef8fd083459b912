import { CLEAR_LINE, megabytes, type Terminal } from "../progress.ts";

const INTERVAL_MS = 100;

/** How much of an export has arrived, as one line that rewrites itself and disappears. Silent without a terminal. */
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

  /** Says what is done from now on. */
  begin(doing: string): void {
    this.#doing = doing;
  }

  /** Counts what passes. */
  async *counted(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, void> {
    for await (const chunk of chunks) {
      this.#bytes += chunk.length;
      this.#show();
      yield chunk;
    }
  }

  /** Takes the line away, so that something else can be written. */
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
