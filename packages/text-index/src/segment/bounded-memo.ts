/**
 * Memo of a function of a string, with a bound: common words come back in many queries, and a search while typing repeats
 * the words before the cursor with each key. Cleared when it is full.
 */
export class BoundedMemo<Value extends object | null> {
  readonly #capacity: number;
  readonly #values = new Map<string, Value>();

  /** @param capacity values that are kept at most. */
  constructor(capacity: number) {
    this.#capacity = capacity;
  }

  /** Gives the value of a key; `compute` is called where it is not kept. */
  get(key: string, compute: () => Value): Value {
    const kept = this.#values.get(key);
    if (kept !== undefined) return kept;
    const value = compute();
    if (this.#values.size === this.#capacity) this.#values.clear();
    this.#values.set(key, value);
    return value;
  }
}
