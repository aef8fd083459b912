/** A few milliseconds. */
const STEPS_BETWEEN_CHECKS = 200_000;

/**
 * Limits the cost of one search, so that no query occupies the thread for long. When it is spent, matches are left out and
 * the total is no longer exact.
 */
export class CostBudget {
  #left: number;
  #isComplete = true;
  readonly #isWanted: () => boolean;
  /** When fewer steps are left, the limits are checked again. */
  #nextCheck: number;

  /**
   * @param steps about 10 ns each: decoding a document or a position.
   * @param isWanted whether the search was not cancelled; otherwise the budget is exhausted at the next check.
   */
  constructor(steps: number, isWanted = () => true) {
    this.#left = steps;
    this.#isWanted = isWanted;
    this.#nextCheck = Math.max(0, steps - STEPS_BETWEEN_CHECKS);
  }

  /** Makes another budget for the same search. */
  of(steps: number): CostBudget {
    return new CostBudget(steps, this.#isWanted);
  }

  /** Whether all matches were found. */
  get isComplete(): boolean {
    return this.#isComplete;
  }

  /** Steps that may still be spent. */
  get left(): number {
    return Math.max(0, this.#left);
  }

  /** Whether the search must end. */
  get isSpent(): boolean {
    return this.#left < 0;
  }

  /** @returns whether the search may go on. */
  spend(steps: number): boolean {
    this.#left -= steps;
    if (this.#left < this.#nextCheck) this.#checkLimits();
    return this.#left >= 0;
  }

  #checkLimits(): void {
    if (!this.#isWanted()) this.#left = Number.NEGATIVE_INFINITY;
    if (this.#left < 0) this.leaveOut();
    this.#nextCheck = Math.max(0, this.#left - STEPS_BETWEEN_CHECKS);
  }

  /** Records that matches may be missing. */
  leaveOut(): void {
    this.#isComplete = false;
  }
}
