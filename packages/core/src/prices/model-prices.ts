/** US dollars per million tokens. Where a price of the cache is missing, that of input counts, for an hour twice. */
export interface ModelPrices {
  input: number;
  output: number;
  cache_read?: number | undefined;
  cache_write?: number | undefined;
  cache_write_1h?: number | undefined;
}

/** Prices that the user has set, by model, or by provider and model: `openai/gpt-5.2`. */
export type UserPrices = Readonly<Record<string, ModelPrices>>;

/**
 * Millionths of a microdollar per token, whole numbers: input, output, reading from the cache, writing to it, and writing
 * to it for an hour.
 */
export type TokenRates = readonly [input: number, output: number, read: number, write: number, writeForAnHour: number];

const UNITS_PER_MICRODOLLAR = 1e6;
/** Of US dollars per million tokens. */
const UNITS_PER_PRICE = 1e6;

export function ratesOf({ input, output, cache_read, cache_write, cache_write_1h }: ModelPrices): TokenRates {
  const prices = [input, output, cache_read ?? input, cache_write ?? input, cache_write_1h ?? 2 * input] as const;
  const [a, b, c, d, e] = prices.map((price) => Math.round(price * UNITS_PER_PRICE));
  return [a ?? 0, b ?? 0, c ?? 0, d ?? 0, e ?? 0];
}

/** Rounds to microdollars. */
export function dollarsOf(units: number): number {
  return Math.round(units / UNITS_PER_MICRODOLLAR) / 1e6;
}
