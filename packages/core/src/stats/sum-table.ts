import type { ActivitySum } from "../statistics.ts";
import { UsageSum } from "./usage-sum.ts";

const FIRST_ROWS = 1_024;
/** Number of messages, and the numbers of a usage. */
const COLUMNS = 1 + UsageSum.NUMBERS;

/**
 * Sums as rows of one array. Years of sessions have some hundred thousand; as objects they took twice as long, half of
 * it garbage collection (measured).
 */
export class SumTable {
  /** Numbers per row. */
  static readonly COLUMNS = COLUMNS;
  #numbers = new Float64Array(FIRST_ROWS * COLUMNS);
  #rows = 0;

  /** @returns the index of a new row. */
  add(): number {
    const row = this.#rows++ * COLUMNS;
    if (row === this.#numbers.length) {
      const grown = new Float64Array(2 * this.#numbers.length);
      grown.set(this.#numbers);
      this.#numbers = grown;
    }
    return row;
  }

  addMessages(row: number, messages: number): void {
    this.#numbers[row] = (this.#numbers[row] ?? 0) + messages;
  }

  addUsage(row: number, usage: UsageSum): void {
    usage.addTo(this.#numbers, row + 1);
  }

  addRow(row: number, more: number): void {
    this.addNumbers(row, this.#numbers, more);
  }

  /** Adds a row of another array, from `start` on. */
  addNumbers(row: number, more: Float64Array, start: number): void {
    const numbers = this.#numbers;
    for (let column = 0; column < COLUMNS; column++) {
      numbers[row + column] = (numbers[row + column] ?? 0) + (more[start + column] ?? 0);
    }
  }

  /** Whether the row is empty. */
  isNothing(row: number): boolean {
    return this.#numbers.subarray(row, row + COLUMNS).every((number) => number === 0);
  }

  messages(row: number): number {
    return this.#numbers[row] ?? 0;
  }

  totalTokens(row: number): number {
    return UsageSum.totalIn(this.#numbers, row + 1);
  }

  /** The row as an object. */
  at(row: number): ActivitySum {
    return { messages: this.messages(row), usage: UsageSum.usageIn(this.#numbers, row + 1) };
  }
}
