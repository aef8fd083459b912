import type { Usage } from "./record.ts";

/** Makes a usage of nothing. */
export function noUsage(): Usage {
  return {
    input_tokens: 0,
    output_tokens: 0,
    cache_read_tokens: 0,
    cache_write_tokens: 0,
    cache_write_1h_tokens: 0,
    reasoning_tokens: 0,
    total_tokens: 0,
    cost_usd: null,
    estimated_cost_usd: null,
  };
}

/** Adds to a usage in place. */
export function addUsage(total: Usage, more: Usage): void {
  total.input_tokens += more.input_tokens;
  total.output_tokens += more.output_tokens;
  total.cache_read_tokens += more.cache_read_tokens;
  total.cache_write_tokens += more.cache_write_tokens;
  total.cache_write_1h_tokens += more.cache_write_1h_tokens;
  total.reasoning_tokens += more.reasoning_tokens;
  total.total_tokens += more.total_tokens;
  total.cost_usd = sumOfCosts(total.cost_usd, more.cost_usd);
  total.estimated_cost_usd = sumOfCosts(total.estimated_cost_usd, more.estimated_cost_usd);
}

/** Adds costs of which some are not known. */
function sumOfCosts(cost: number | null, more: number | null): number | null {
  return more === null ? cost : (cost ?? 0) + more;
}
