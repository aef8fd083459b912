import type { ListOptions } from "../../library.ts";
import type { Place } from "./page-cursor.ts";

/** How a value of a session compares with a place, as a function for `sort` does. */
type Comparison = (value: string | number, key: number, place: Place) => number;

/** The first few places of an order, behind a place of it. */
export class BestPlaces {
  readonly #most: number;
  readonly #compare: Comparison;
  readonly #start: Place | null;
  #places: Place[] = [];
  /** What comes behind it is none of them. */
  #last: Place | null = null;

  constructor(most: number, compare: Comparison, start: Place | null) {
    this.#most = most;
    this.#compare = compare;
    this.#start = start;
  }

  add(value: string | number, key: number): void {
    if (this.#last !== null && this.#compare(value, key, this.#last) > 0) return;
    if (this.#start !== null && this.#compare(value, key, this.#start) <= 0) return;
    this.#places.push({ value, key });
    if (this.#places.length < 2 * this.#most) return;
    this.#places = this.sorted();
    this.#last = this.#places.at(-1) ?? null;
  }

  sorted(): Place[] {
    return this.#places.sort((a, b) => this.#compare(a.value, a.key, b)).slice(0, this.#most);
  }
}

/** Orders as SQLite does: texts by code points, what is equal by its key. */
export function comparison({ order }: Pick<ListOptions, "order">): Comparison {
  const direction = order === "asc" ? 1 : -1;
  return (value, key, place) => direction * compareValues(value, place.value) || key - place.key;
}

function compareValues(a: string | number, b: string | number): number {
  if (a === b) return 0;
  if (typeof a === "string" && typeof b === "string") return compareCodePoints(a, b);
  return a < b ? -1 : 1;
}

function compareCodePoints(a: string, b: string): number {
  const shorter = Math.min(a.length, b.length);
  for (let at = 0; at < shorter; at++) {
    const left = a.charCodeAt(at);
    const right = b.charCodeAt(at);
    if (left === right) continue;
    // A surrogate, of a code point behind all others, lies before the last of those.
    return isSurrogate(left) === isSurrogate(right) ? left - right : isSurrogate(left) ? 1 : -1;
  }
  return a.length - b.length;
}

function isSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit < 0xe000;
}
