/** Mixes integers into one 32-bit seed, so that every part of a corpus has a stream of its own. */
export function mixSeed(...values: number[]): number {
  let hash = 0x9e3779b9;
  for (const value of values) {
    hash = Math.imul(hash ^ value, 0x85ebca6b);
    hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
    hash ^= hash >>> 16;
  }
  return hash >>> 0;
}

/** Draws the same numbers for the same seed on every machine: the generator sfc32, which is small and fast. */
export class Random {
  readonly #state: Int32Array;

  constructor(seed: number) {
    this.#state = Int32Array.of(seed, mixSeed(seed, 1), mixSeed(seed, 2), 1);
    for (let round = 0; round < 12; round++) this.next();
  }

  /** An integer from 0 to 2^32 - 1. */
  next(): number {
    const state = this.#state;
    const b = state[1] ?? 0;
    const c = state[2] ?? 0;
    const counter = state[3] ?? 0;
    const result = ((state[0] ?? 0) + b + counter) | 0;
    state[3] = counter + 1;
    state[0] = b ^ (b >>> 9);
    state[1] = (c + (c << 3)) | 0;
    state[2] = (((c << 21) | (c >>> 11)) + result) | 0;
    return result >>> 0;
  }

  /** A number from 0 up to, not including, 1. */
  fraction(): number {
    return this.next() / 0x1_0000_0000;
  }

  /** An integer from 0 up to, not including, `limit`. */
  below(limit: number): number {
    return Math.floor((this.next() / 0x1_0000_0000) * limit);
  }

  /** An integer from `low` to `high`, both included. */
  between(low: number, high: number): number {
    return low + this.below(high - low + 1);
  }

  chance(probability: number): boolean {
    return this.fraction() < probability;
  }

  pick<T>(items: readonly T[]): T {
    const item = items[this.below(items.length)];
    if (item === undefined) throw new RangeError("Nothing to pick from.");
    return item;
  }

  /** Picks with a preference for the first items, as people return to the same few files and names. */
  pickSkewed<T>(items: readonly T[]): T {
    const fraction = this.fraction();
    const item = items[Math.floor(fraction * fraction * items.length)];
    if (item === undefined) throw new RangeError("Nothing to pick from.");
    return item;
  }

  /** A log-normal number whose median is `median`. */
  logNormal(median: number, sigma: number): number {
    const radius = Math.sqrt(-2 * Math.log(1 - this.fraction()));
    return median * Math.exp(sigma * radius * Math.cos(2 * Math.PI * this.fraction()));
  }

  /** Lower-case hexadecimal digits. */
  hex(digits: number): string {
    let text = "";
    while (text.length < digits) text += this.next().toString(16).padStart(8, "0");
    return text.slice(0, digits);
  }

  /** Base64 of so many random bytes: an image or a signature, as far as a reader can tell. */
  base64(bytes: number): string {
    const words = new Uint32Array(Math.ceil(bytes / 4));
    for (let index = 0; index < words.length; index++) words[index] = this.next();
    return Buffer.from(words.buffer, 0, bytes).toString("base64");
  }
}
