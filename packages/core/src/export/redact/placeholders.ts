/** A placeholder as an export shows it; its group is the type. */
export const PLACEHOLDER = /\[redacted:([a-z0-9-]{1,40})-\d{1,9}\]/g;

/** Values that are known again; later ones are replaced too, but get a new number each time. */
const MOST_VALUES = 10_000;
/** Characters of a value that are remembered from each of its ends. */
const ENDS = 64;

/** Gives values their placeholders: the same to the same value, numbered from 1 for each type. */
export class Placeholders {
  readonly #numbers = new Map<string, number>();
  readonly #last = new Map<string, number>();

  of(type: string, value: string): string {
    const key = `${type} ${value.length <= 2 * ENDS ? value : `${value.slice(0, ENDS)}${value.length} ${value.slice(-ENDS)}`}`;
    let number = this.#numbers.get(key);
    if (number === undefined) {
      number = (this.#last.get(type) ?? 0) + 1;
      this.#last.set(type, number);
      if (this.#numbers.size < MOST_VALUES) this.#numbers.set(key, number);
    }
    return `[redacted:${type}-${number}]`;
  }
}
