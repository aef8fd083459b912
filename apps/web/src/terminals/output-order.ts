/** Output of a terminal with its number. */
export interface Output {
  seq: number;
  data: string;
}

/** What there is to do with output that has come. */
export type OutputStep = { type: "write"; output: Output } | { type: "attach" } | { type: "wait" };

/**
 * Puts the output of a terminal in order: while the terminal is attached to, what comes may be part of the answer or
 * come after it.
 */
export class OutputOrder {
  #last: number | null = null;
  #early: Output[] = [];
  #earlyLength = 0;

  /** Begins to attach: what comes from now on waits for the answer. */
  begin(): void {
    this.#last = null;
    this.#early = [];
    this.#earlyLength = 0;
  }

  /** Takes output that has come: it is to be written, to be left, or there is a gap before it. */
  take(output: Output): OutputStep {
    if (this.#last === null) {
      if (this.#earlyLength < MAX_EARLY) {
        this.#early.push(output);
        this.#earlyLength += output.data.length;
      }
      return { type: "wait" };
    }
    if (output.seq <= this.#last) return { type: "wait" };
    if (output.seq > this.#last + 1) return { type: "attach" };
    this.#last = output.seq;
    return { type: "write", output };
  }

  /** Takes the answer, and gives what has come after it. */
  attached(seq: number): OutputStep[] {
    const early = this.#early;
    this.#last = seq;
    this.#early = [];
    return early.map((output) => this.take(output)).filter(({ type }) => type !== "wait");
  }
}

/** Characters that wait for an answer; a gap behind them is found, and the terminal attached to again. */
const MAX_EARLY = 4 * 1024 * 1024;
