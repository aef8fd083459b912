import type { Usage } from "../session/record.ts";
import type { ByteReader, ByteWriter } from "../session/varint.ts";

/** Limits sums of hostile sessions. */
const LARGEST = Number.MAX_SAFE_INTEGER;
/** Whole numbers below this are encoded as such. */
const MAX_WHOLE_SIZE = 2 ** 48;

/** Form written by {@link UsageSum.write}: the tokens as four whole numbers. */
const WHOLE = 1;
/** The same as fractions. */
const FRACTIONS = 2;
const COST = 4;

/** Layout of the numbers of a usage. */
const INPUT = 0;
const OUTPUT = 1;
const CACHE_READ = 2;
const CACHE_WRITE = 3;
const DOLLARS = 4;
/** Number of entries with a recorded cost: if 0, the cost is unknown. */
const WITH_COST = 5;
/** Number of token counts, which come first. */
const TOKENS = 4;

/** Adds up usages. */
export class UsageSum {
  /** Numbers per usage. */
  static readonly NUMBERS = 6;
  /** The usage being added. */
  static readonly #more = new UsageSum();
  readonly #numbers = new Float64Array(UsageSum.NUMBERS);

  static of(usage: Usage): UsageSum {
    const sum = new UsageSum();
    sum.set(usage);
    return sum;
  }

  /** The usage stored from `start` on. */
  static usageIn(numbers: Float64Array, start: number): Usage {
    return {
      input_tokens: numbers[start + INPUT] ?? 0,
      output_tokens: numbers[start + OUTPUT] ?? 0,
      cache_read_tokens: numbers[start + CACHE_READ] ?? 0,
      cache_write_tokens: numbers[start + CACHE_WRITE] ?? 0,
      total_tokens: UsageSum.totalIn(numbers, start),
      cost_usd: numbers[start + WITH_COST] === 0 ? null : (numbers[start + DOLLARS] ?? 0),
    };
  }

  static totalIn(numbers: Float64Array, start: number): number {
    let total = 0;
    for (let at = start; at < start + TOKENS; at++) total += numbers[at] ?? 0;
    return total;
  }

  set(usage: Usage): void {
    this.#numbers[INPUT] = limited(usage.input_tokens);
    this.#numbers[OUTPUT] = limited(usage.output_tokens);
    this.#numbers[CACHE_READ] = limited(usage.cache_read_tokens);
    this.#numbers[CACHE_WRITE] = limited(usage.cache_write_tokens);
    this.#numbers[DOLLARS] = limited(usage.cost_usd ?? 0);
    this.#numbers[WITH_COST] = usage.cost_usd === null ? 0 : 1;
  }

  add(more: Usage): void {
    UsageSum.#more.set(more);
    UsageSum.#more.addTo(this.#numbers, 0);
  }

  /** Adds this to the numbers from `start` on. */
  addTo(numbers: Float64Array, start: number): void {
    for (let at = 0; at < UsageSum.NUMBERS; at++) {
      numbers[start + at] = (numbers[start + at] ?? 0) + (this.#numbers[at] ?? 0);
    }
  }

  toUsage(): Usage {
    return UsageSum.usageIn(this.#numbers, 0);
  }

  /** Encoding used by {@link write}, in three bits stored separately; 0 if it writes nothing. */
  get form(): number {
    const cost = this.#numbers[WITH_COST] === 0 ? 0 : COST;
    let isNothing = true;
    let isWhole = true;
    for (let at = 0; at < TOKENS; at++) {
      const amount = this.#numbers[at] ?? 0;
      isNothing &&= amount === 0;
      isWhole &&= Number.isInteger(amount) && amount >= 0 && amount < MAX_WHOLE_SIZE;
    }
    return isNothing ? cost : cost | (isWhole ? WHOLE : FRACTIONS);
  }

  write(form: number, to: ByteWriter): void {
    const numbers = this.#numbers;
    if ((form & WHOLE) !== 0) {
      for (let at = 0; at < TOKENS; at++) to.unsigned(numbers[at] ?? 0);
    } else if ((form & FRACTIONS) !== 0) {
      for (let at = 0; at < TOKENS; at++) to.double(numbers[at] ?? 0);
    }
    if ((form & COST) !== 0) to.double(numbers[DOLLARS] ?? 0);
  }

  /** Reads the output of {@link write} in this form, replacing the current value. */
  read(form: number, from: ByteReader): void {
    const numbers = this.#numbers;
    if ((form & WHOLE) !== 0) {
      for (let at = 0; at < TOKENS; at++) numbers[at] = from.unsigned();
    } else {
      for (let at = 0; at < TOKENS; at++) numbers[at] = (form & FRACTIONS) === 0 ? 0 : from.double();
    }
    const hasCost = (form & COST) !== 0;
    numbers[DOLLARS] = hasCost ? from.double() : 0;
    numbers[WITH_COST] = hasCost ? 1 : 0;
  }
}

function limited(amount: number): number {
  return Math.max(-LARGEST, Math.min(LARGEST, amount));
}
