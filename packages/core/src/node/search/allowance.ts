/**
 * What one search may cost, so that no query holds the thread for long. Whoever runs out of it leaves matches out, and
 * the total is then no longer exact.
 */
export class Allowance {
  #left: number;
  #isComplete = true;

  /** @param steps some 10 ns each: a document or a position of a term is decoded. */
  constructor(steps: number) {
    this.#left = steps;
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
    if (this.#left < 0) this.leaveOut();
    return this.#left >= 0;
  }

  /** Tells that there may be matches that were not looked at. */
  leaveOut(): void {
    this.#isComplete = false;
  }
}
