/** Longer IDs of calls are refused by providers, as are other characters. */
const LONGEST = 64;
const REFUSED = /[^a-zA-Z0-9_-]/g;

/** Gives each call of a session an ID that all providers take, and that no other has: the recorded one if possible. */
export class CallIds {
  readonly #taken = new Set<string>();
  /** The number that was given last, by what was wanted: a session may record one ID thousands of times. */
  readonly #numbers = new Map<string, number>();

  take(recorded: string | null): string {
    const wanted = (recorded ?? "").slice(0, LONGEST).replace(REFUSED, "_") || "call";
    let number = this.#numbers.get(wanted) ?? 1;
    let id = wanted;
    for (; this.#taken.has(id); number++) {
      const ending = `_${number + 1}`;
      id = wanted.slice(0, LONGEST - ending.length) + ending;
    }
    this.#numbers.set(wanted, number);
    this.#taken.add(id);
    return id;
  }
}
