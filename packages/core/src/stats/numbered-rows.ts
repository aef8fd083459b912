const PAGE = 256;

/**
 * Rows of sums by whole numbers that are mostly close together, such as hours: sorting a map took a fifth of the time
 * of a query (measured).
 */
export class NumberedRows {
  readonly #add: () => number;
  /** Pages of rows plus one; zero means no row. */
  readonly #pages = new Map<number, Float64Array>();
  #number = Number.NaN;
  #page: Float64Array = new Float64Array(0);

  /** @param add creates a row. */
  constructor(add: () => number) {
    this.#add = add;
  }

  /** The row of a number, created on first use. */
  at(number: number): number {
    const page = Math.floor(number / PAGE);
    if (page !== this.#number) this.#turnTo(page);
    const place = number - page * PAGE;
    const kept = this.#page[place] ?? 0;
    if (kept > 0) return kept - 1;
    const row = this.#add();
    this.#page[place] = row + 1;
    return row;
  }

  /** Numbers with their rows, in ascending order. */
  *inOrder(): Generator<readonly [number: number, row: number]> {
    for (const [number, page] of [...this.#pages].sort(([a], [b]) => a - b)) {
      for (const [place, kept] of page.entries()) if (kept > 0) yield [number * PAGE + place, kept - 1];
    }
  }

  #turnTo(number: number): void {
    let page = this.#pages.get(number);
    if (page === undefined) {
      page = new Float64Array(PAGE);
      this.#pages.set(number, page);
    }
    this.#number = number;
    this.#page = page;
  }
}
