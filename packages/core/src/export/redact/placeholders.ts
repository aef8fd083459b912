/** A placeholder in an export; its group is the type. */
export const PLACEHOLDER = /\[redacted:([a-z0-9-]{1,40})-\d{1,9}\]/g;

/** Maximum remembered values; further ones are replaced too, but get a new number each time. */
const MAX_VALUES = 10_000;
/** Characters remembered of both ends of a value. */
const ENDS = 64;

/** Shorter prefixes are ambiguous. */
const MIN_CUT_LENGTH = 20;

/** Gives values their placeholders. */
export interface Numbering {
  of(type: string, value: string): string;
  /** Of the prefix of a longer value. */
  cut(type: string, value: string): string;
}

/** Assigns placeholders to values: equal values share one, numbered from 1 per type. */
export class Placeholders implements Numbering {
  readonly #numbers = new Map<string, number>();
  readonly #last = new Map<string, number>();

  /** The prefix of a value in a truncated text, and its placeholder. */
  #cut: { type: string; value: string; placeholder: string } | null = null;

  /** Registers the prefix of a longer value, which gets the same placeholder. */
  cut(type: string, value: string): string {
    const placeholder = this.of(type, value);
    if (value.length >= MIN_CUT_LENGTH) this.#cut = { type, value, placeholder };
    return placeholder;
  }

  of(type: string, value: string): string {
    if (this.#cut?.type === type && value.startsWith(this.#cut.value)) return this.#cut.placeholder;
    const key = `${type} ${value.length <= 2 * ENDS ? value : `${value.slice(0, ENDS)}${value.length} ${value.slice(-ENDS)}`}`;
    let number = this.#numbers.get(key);
    if (number === undefined) {
      number = (this.#last.get(type) ?? 0) + 1;
      this.#last.set(type, number);
      if (this.#numbers.size < MAX_VALUES) this.#numbers.set(key, number);
    }
    return `[redacted:${type}-${number}]`;
  }
}
