import type { Usage } from "../session/record.ts";

/** Prices are higher for requests with more tokens of input than one of these. */
export const CONTEXT_SIZES = [128_000, 200_000, 272_000, 512_000] as const;

/** Of a usage that costs nothing, or whose cost is recorded. */
export const NOT_ESTIMATED = 0;

/**
 * By which prices a usage is to be estimated: {@link NOT_ESTIMATED}, or one more than the number of context sizes that
 * its request exceeds.
 *
 * @param contextTokens of the request, where the usage is a part of what it used.
 */
export function priceTierOf(usage: Usage | null, contextTokens?: number): number {
  if (usage === null || usage.cost_usd !== null || usage.total_tokens === 0) return NOT_ESTIMATED;
  const context = contextTokens ?? usage.input_tokens + usage.cache_read_tokens + usage.cache_write_tokens;
  return 1 + CONTEXT_SIZES.filter((size) => context > size).length;
}
