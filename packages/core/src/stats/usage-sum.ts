import { dollarsOf, type TokenRates } from "../prices/model-prices.ts";
import type { Usage } from "../session/record.ts";
import type { ByteReader, ByteWriter } from "../session/varint.ts";

/** Limits sums of hostile sessions. */
const LARGEST = Number.MAX_SAFE_INTEGER;
/** Whole numbers below this are encoded as such. */
const MAX_WHOLE_SIZE = 2 ** 48;

/** Form written by {@link UsageSum.write}: the tokens as four whole numbers. */
const WHOLE = 1;
/** All tokens as fractions. */
const FRACTIONS = 2;
/** All tokens as whole numbers, with those that are parts of others. */
const WHOLE_WITH_PARTS = 3;
/** The bits of these. */
const TOKEN_FORM = 3;
const COST = 4;

/** Layout of the numbers of a usage. */
const INPUT = 0;
const OUTPUT = 1;
const CACHE_READ = 2;
const CACHE_WRITE = 3;
/** Part of the cache writes. */
const CACHE_WRITE_1H = 4;
/** Part of the output. */
const REASONING = 5;
const DOLLARS = 6;
/** Number of entries with a recorded cost: if 0, the cost is unknown. */
const WITH_COST = 7;
/** In the units of `TokenRates`, whole numbers: the order in which they are added makes no difference. */
const ESTIMATED = 8;
/** Number of sums with an estimated cost. */
const WITH_ESTIMATE = 9;
/** Number of token counts that add up to the total, which come first; then those that are parts of them. */
const SUMMANDS = 4;
const TOKENS = 6;

/** Adds up usages. */
export class UsageSum {
  /** Numbers per usage. */
  static readonly NUMBERS = 10;
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
      cache_write_1h_tokens: numbers[start + CACHE_WRITE_1H] ?? 0,
      reasoning_tokens: numbers[start + REASONING] ?? 0,
      total_tokens: UsageSum.totalIn(numbers, start),
      cost_usd: numbers[start + WITH_COST] === 0 ? null : (numbers[start + DOLLARS] ?? 0),
      estimated_cost_usd: numbers[start + WITH_ESTIMATE] === 0 ? null : dollarsOf(numbers[start + ESTIMATED] ?? 0),
    };
  }

  static totalIn(numbers: Float64Array, start: number): number {
    let total = 0;
    for (let at = start; at < start + SUMMANDS; at++) total += numbers[at] ?? 0;
    return total;
  }

  set(usage: Usage): void {
    this.#numbers[INPUT] = limited(usage.input_tokens);
    this.#numbers[OUTPUT] = limited(usage.output_tokens);
    this.#numbers[CACHE_READ] = limited(usage.cache_read_tokens);
    this.#numbers[CACHE_WRITE] = limited(usage.cache_write_tokens);
    this.#numbers[CACHE_WRITE_1H] = limited(usage.cache_write_1h_tokens);
    this.#numbers[REASONING] = limited(usage.reasoning_tokens);
    this.#numbers[DOLLARS] = limited(usage.cost_usd ?? 0);
    this.#numbers[WITH_COST] = usage.cost_usd === null ? 0 : 1;
    this.estimate(null);
  }

  /** Sets the estimated cost, which is not stored; `null` if the prices are not known. */
  estimate(rates: TokenRates | null): void {
    const numbers = this.#numbers;
    numbers[WITH_ESTIMATE] = rates === null ? 0 : 1;
    numbers[ESTIMATED] = rates === null ? 0 : limited(this.#unitsBy(rates));
  }

  #unitsBy([input, output, read, write, writeForAnHour]: TokenRates): number {
    const numbers = this.#numbers;
    const forAnHour = numbers[CACHE_WRITE_1H] ?? 0;
    return (
      (numbers[INPUT] ?? 0) * input +
      (numbers[OUTPUT] ?? 0) * output +
      (numbers[CACHE_READ] ?? 0) * read +
      ((numbers[CACHE_WRITE] ?? 0) - forAnHour) * write +
      forAnHour * writeForAnHour
    );
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
    let isWhole = true;
    let used = 0;
    for (let at = 0; at < TOKENS; at++) {
      const amount = this.#numbers[at] ?? 0;
      if (amount !== 0) used = at + 1;
      isWhole &&= Number.isInteger(amount) && amount >= 0 && amount < MAX_WHOLE_SIZE;
    }
    if (used === 0) return cost;
    if (!isWhole) return cost | FRACTIONS;
    return cost | (used > SUMMANDS ? WHOLE_WITH_PARTS : WHOLE);
  }

  write(form: number, to: ByteWriter): void {
    const numbers = this.#numbers;
    const tokens = tokensOf(form);
    for (let at = 0; at < tokens; at++) {
      if ((form & WHOLE) !== 0) to.unsigned(numbers[at] ?? 0);
      else to.double(numbers[at] ?? 0);
    }
    if ((form & COST) !== 0) to.double(numbers[DOLLARS] ?? 0);
  }

  /** Reads the output of {@link write} in this form, replacing the current value. */
  read(form: number, from: ByteReader): void {
    const numbers = this.#numbers;
    const tokens = tokensOf(form);
    for (let at = 0; at < tokens; at++) numbers[at] = (form & WHOLE) !== 0 ? from.unsigned() : from.double();
    numbers.fill(0, tokens, TOKENS);
    const hasCost = (form & COST) !== 0;
    numbers[DOLLARS] = hasCost ? from.double() : 0;
    numbers[WITH_COST] = hasCost ? 1 : 0;
    this.estimate(null);
  }
}

/** Number of token counts written in a form. */
function tokensOf(form: number): number {
  const tokens = form & TOKEN_FORM;
  if (tokens === 0) return 0;
  return tokens === WHOLE ? SUMMANDS : TOKENS;
}

function limited(amount: number): number {
  return Math.max(-LARGEST, Math.min(LARGEST, amount));
}
