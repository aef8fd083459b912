/** A growable list of numbers. */
export class NumberList {
  numbers: Uint32Array;
  length = 0;

  /** @param room initial capacity. */
  constructor(room = 1024) {
    this.numbers = new Uint32Array(room);
  }

  push(number: number): void {
    if (this.length === this.numbers.length) this.#grow(2 * this.length);
    this.numbers[this.length++] = number;
  }

  append(numbers: Uint32Array): void {
    const length = this.length + numbers.length;
    if (length > this.numbers.length) this.#grow(2 * length);
    this.numbers.set(numbers, this.length);
    this.length = length;
  }

  clear(): void {
    this.length = 0;
  }

  #grow(room: number): void {
    const grown = new Uint32Array(room);
    grown.set(this.numbers);
    this.numbers = grown;
  }
}
