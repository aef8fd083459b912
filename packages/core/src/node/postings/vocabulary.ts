import { termHash } from "./term-hash.ts";

/** What there is room for at first. */
const FIRST_SLOTS = 1 << 13;
const FIRST_TERMS = 1 << 12;
const FIRST_CHARACTERS = 1 << 15;

/**
 * Gives each different term a number, from 0 on in the order in which they come. Since common terms come early, what is
 * stored by number is mostly read near its beginning, which stays in the processor's cache.
 */
export class Vocabulary {
  /** An open hash table, at most two thirds full, of numbers plus one; 0 is free. */
  #slots = new Uint32Array(FIRST_SLOTS);
  /** Leaves as many bits of a hash as there are slots: the upper ones, which all characters have gone into. */
  #shift = 32 - Math.log2(FIRST_SLOTS);
  /** For each term its hash, and where in `#characters` it begins; the next one begins where it ends. */
  #terms = new Int32Array(2 * FIRST_TERMS + 2);
  #characters = new Uint16Array(FIRST_CHARACTERS);
  #size = 0;
  #added = new Uint16Array(64);

  get size(): number {
    return this.#size;
  }

  /**
   * Tells the number of the term that is the `length` units from `start` on, a new one where it is new.
   *
   * @param hash its `termHash`.
   */
  numberOf(units: Uint16Array, start: number, length: number, hash: number): number {
    const slots = this.#slots;
    const terms = this.#terms;
    const characters = this.#characters;
    let slot = hash >>> this.#shift;
    for (;;) {
      const number = (slots[slot] as number) - 1;
      if (number < 0) return this.#append(units, start, length, hash, slot);
      if (terms[2 * number] === hash) {
        const from = terms[2 * number + 1] as number;
        if ((terms[2 * number + 3] as number) - from === length) {
          let at = 0;
          while (at < length && characters[from + at] === units[start + at]) at++;
          if (at === length) return number;
        }
      }
      slot = (slot + 1) & (slots.length - 1);
    }
  }

  /** Tells the number of a term, a new one where it is new. */
  add(term: string): number {
    if (term.length > this.#added.length) this.#added = new Uint16Array(2 * term.length);
    for (let at = 0; at < term.length; at++) this.#added[at] = term.charCodeAt(at);
    return this.numberOf(this.#added, 0, term.length, termHash(term));
  }

  term(number: number): string {
    let term = "";
    // Three times faster than to spread a part of the array.
    const end = this.#terms[2 * number + 3] as number;
    for (let at = this.#terms[2 * number + 1] as number; at < end; at++) {
      term += String.fromCharCode(this.#characters[at] as number);
    }
    return term;
  }

  /** Lists all numbers in the order of the terms' UTF-16 units. */
  sorted(): Uint32Array {
    const numbers = Uint32Array.from({ length: this.#size }, (_, number) => number);
    this.#sort(numbers, 0, numbers.length, 0);
    return numbers;
  }

  /** Forgets all terms and keeps the room. */
  clear(): void {
    this.#slots.fill(0);
    this.#size = 0;
  }

  #append(units: Uint16Array, from: number, length: number, hash: number, slot: number): number {
    const number = this.#size++;
    const start = this.#terms[2 * number + 1] as number;
    if (start + length > this.#characters.length) {
      const grown = new Uint16Array(2 * (start + length));
      grown.set(this.#characters);
      this.#characters = grown;
    }
    for (let at = 0; at < length; at++) this.#characters[start + at] = units[from + at] as number;
    if (2 * number + 3 >= this.#terms.length) {
      const grown = new Int32Array(2 * this.#terms.length);
      grown.set(this.#terms);
      this.#terms = grown;
    }
    this.#terms[2 * number] = hash;
    this.#terms[2 * number + 3] = start + length;
    this.#slots[slot] = number + 1;
    if (3 * this.#size > 2 * this.#slots.length) this.#growSlots();
    return number;
  }

  #growSlots(): void {
    const slots = new Uint32Array(2 * this.#slots.length);
    this.#slots = slots;
    this.#shift--;
    for (let number = 0; number < this.#size; number++) {
      let slot = (this.#terms[2 * number] as number) >>> this.#shift;
      while (slots[slot] !== 0) slot = (slot + 1) & (slots.length - 1);
      slots[slot] = number + 1;
    }
  }

  /**
   * Sorts terms that agree in their first `depth` units: three-way by the next one, then each third. Many times faster
   * than to compare strings, and bounded in depth by their length.
   */
  #sort(numbers: Uint32Array, from: number, to: number, depth: number): void {
    while (to - from > 1) {
      const pivot = this.#unit(numbers[from + Math.floor(Math.random() * (to - from))] as number, depth);
      let below = from;
      let above = to;
      for (let at = from; at < above; ) {
        const number = numbers[at] as number;
        const unit = this.#unit(number, depth);
        if (unit < pivot) {
          numbers[at++] = numbers[below] as number;
          numbers[below++] = number;
        } else if (unit > pivot) {
          numbers[at] = numbers[--above] as number;
          numbers[above] = number;
        } else {
          at++;
        }
      }
      this.#sort(numbers, from, below, depth);
      if (pivot !== ENDED) this.#sort(numbers, below, above, depth + 1);
      from = above;
    }
  }

  #unit(number: number, depth: number): number {
    const at = (this.#terms[2 * number + 1] as number) + depth;
    return at < (this.#terms[2 * number + 3] as number) ? (this.#characters[at] as number) : ENDED;
  }
}

/** What comes before every unit. */
const ENDED = -1;
