import { QUARTER_MS } from "./activity.ts";

/** The quarters of an hour in a time range. */
export class QuarterRange {
  /** Whether there is a limit: otherwise all quarters are included, and activity without a time too. */
  readonly isBounded: boolean;
  readonly #since: number;
  readonly #until: number;
  // Limits in quarters; a quarter that contains a limit is an edge.
  readonly #first: number;
  readonly #end: number;
  readonly #firstEdge: number;
  readonly #lastEdge: number;

  /**
   * @param since in milliseconds since 1970, `null` for no limit.
   * @param until exclusive; `null` for no limit.
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

  /** Whether the range contains a whole quarter. */
  holds(quarter: number): boolean {
    return quarter >= this.#first && quarter < this.#end;
  }

  /** Whether the range contains all quarters of an interval. */
  holdsAll(first: number, last: number): boolean {
    return !this.isBounded || (this.holds(first) && this.holds(last));
  }

  /** Whether the range and an interval of quarters, possibly empty, are disjoint. */
  isBeside(first: number, last: number): boolean {
    if (!this.isBounded) return false;
    return last < Math.floor(this.#since / QUARTER_MS) || first >= Math.ceil(this.#until / QUARTER_MS);
  }

  /** Whether the range starts or ends within a quarter. */
  isAtEdge(quarter: number): boolean {
    return quarter === this.#firstEdge || quarter === this.#lastEdge;
  }

  holdsTime(timestamp: number): boolean {
    return timestamp >= this.#since && timestamp < this.#until;
  }
}

/** `NaN` if the time is a boundary between two quarters. */
function edgeOf(time: number | null): number {
  return time === null || time % QUARTER_MS === 0 ? Number.NaN : Math.floor(time / QUARTER_MS);
}
