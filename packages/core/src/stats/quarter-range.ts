import { QUARTER_MS } from "./activity.ts";

/** Which quarters of an hour lie in a range of time. */
export class QuarterRange {
  /** Whether there is one: else all quarters lie in it, and what has no time does too. */
  readonly isBounded: boolean;
  readonly #since: number;
  readonly #until: number;
  // The same in quarters: where the range begins or ends within one, it is an edge and none of those between.
  readonly #first: number;
  readonly #end: number;
  readonly #firstEdge: number;
  readonly #lastEdge: number;

  /**
   * @param since in milliseconds since 1970, `null` for all that was before.
   * @param until excluded; `null` for all that comes after.
   */
  constructor(since: number | null, until: number | null) {
    this.isBounded = since !== null || until !== null;
    this.#since = since ?? Number.NEGATIVE_INFINITY;
    this.#until = until ?? Number.POSITIVE_INFINITY;
    this.#first = Math.ceil(this.#since / QUARTER_MS);
    this.#end = Math.floor(this.#until / QUARTER_MS);
    this.#firstEdge = edgeOf(since);
    this.#lastEdge = edgeOf(until);
  }

  /** Whether the range holds all of a quarter. */
  holds(quarter: number): boolean {
    return quarter >= this.#first && quarter < this.#end;
  }

  /** Whether the range holds all quarters from one to another. */
  holdsAll(first: number, last: number): boolean {
    return !this.isBounded || (this.holds(first) && this.holds(last));
  }

  /** Whether the range holds nothing of the quarters from one to another, of which there may be none. */
  isBeside(first: number, last: number): boolean {
    if (!this.isBounded) return false;
    return last < Math.floor(this.#since / QUARTER_MS) || first >= Math.ceil(this.#until / QUARTER_MS);
  }

  /** Whether the range begins or ends within a quarter. */
  isAtEdge(quarter: number): boolean {
    return quarter === this.#firstEdge || quarter === this.#lastEdge;
  }

  holdsTime(timestamp: number): boolean {
    return timestamp >= this.#since && timestamp < this.#until;
  }
}

/** `NaN` where a time is the limit between two quarters. */
function edgeOf(time: number | null): number {
  return time === null || time % QUARTER_MS === 0 ? Number.NaN : Math.floor(time / QUARTER_MS);
}
