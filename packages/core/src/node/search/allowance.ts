/** Some milliseconds. */
const STEPS_BETWEEN_LOOKS = 200_000;

/**
 * What one search may cost, so that no query holds the thread for long. Whoever runs out of it leaves matches out, and
 * the total is then no longer exact.
 */
export class Allowance {
  #left: number;
  #isComplete = true;
  readonly #isWanted: () => boolean;
  /** With fewer steps left, it is looked at what follows from that. */
  #nextLook: number;

  /**
   * @param steps some 10 ns each: a document or a position of a term is decoded.
   * @param isWanted whether anybody waits for the search: else there is soon nothing left.
   */
  constructor(steps: number, isWanted = () => true) {
    this.#left = steps;
    this.#isWanted = isWanted;
    this.#nextLook = Math.max(0, steps - STEPS_BETWEEN_LOOKS);
  }

  /** Makes another one for the same search. */
  of(steps: number): Allowance {
    return new Allowance(steps, this.#isWanted);
  }

  /** Whether nothing was left out. */
  get isComplete(): boolean {
    return this.#isComplete;
  }

  /** Steps that may still be spent. */
  get left(): number {
    return Math.max(0, this.#left);
  }

  /** Whether the search may not go on. */
  get isSpent(): boolean {
    return this.#left < 0;
  }

  /** @returns whether the search may go on. */
  spend(steps: number): boolean {
    this.#left -= steps;
    if (this.#left < this.#nextLook) this.#look();
    return this.#left >= 0;
  }

  #look(): void {
    if (!this.#isWanted()) this.#left = Number.NEGATIVE_INFINITY;
    if (this.#left < 0) this.leaveOut();
    this.#nextLook = Math.max(0, this.#left - STEPS_BETWEEN_LOOKS);
  }

  /** Tells that there may be matches that were not looked at. */
  leaveOut(): void {
    this.#isComplete = false;
  }
}
