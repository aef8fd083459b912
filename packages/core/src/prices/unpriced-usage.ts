import type { Usage } from "../session/record.ts";
import type { TokenRates } from "./model-prices.ts";

/** The tokens of a usage that have prices of their own. */
export interface PricedTokens {
  input: number;
  output: number;
  cache_read: number;
  cache_write: number;
  cache_write_1h: number;
}

/** Tokens without a recorded cost, of one model of a session. */
export interface UnpricedUsage extends PricedTokens {
  /** Its number in the session, see `NamedModels`. */
  model: number;
  /** See `priceTierOf`. */
  tier: number;
}

/** Of a session; more models are not estimated. */
const MAX_UNPRICED = 100;

export function tokensOf(usage: Usage): PricedTokens {
  return {
    input: usage.input_tokens,
    output: usage.output_tokens,
    cache_read: usage.cache_read_tokens,
    cache_write: usage.cache_write_tokens,
    cache_write_1h: usage.cache_write_1h_tokens,
  };
}

/** Adds to the sums of a session in place. */
export function addUnpriced(sums: UnpricedUsage[], more: UnpricedUsage): void {
  const sum = sums.find(({ model, tier }) => model === more.model && tier === more.tier);
  if (sum === undefined) {
    if (sums.length < MAX_UNPRICED) sums.push(more);
    return;
  }
  sum.input += more.input;
  sum.output += more.output;
  sum.cache_read += more.cache_read;
  sum.cache_write += more.cache_write;
  sum.cache_write_1h += more.cache_write_1h;
}

/** In the units of {@link TokenRates}. */
export function unitsOf(tokens: PricedTokens, [input, output, read, write, writeForAnHour]: TokenRates): number {
  return (
    tokens.input * input +
    tokens.output * output +
    tokens.cache_read * read +
    (tokens.cache_write - tokens.cache_write_1h) * write +
    tokens.cache_write_1h * writeForAnHour
  );
}
