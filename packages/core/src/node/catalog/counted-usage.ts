import { PriceList } from "../../prices/price-list.ts";
import type { FoldState } from "../../session/fold-state.ts";
import type { Usage } from "../../session/record.ts";
import { addUsage } from "../../session/usage.ts";
import { got } from "../../stats/got.ts";
import type { SqliteDatabase } from "../storage/sqlite.ts";
import type { UsageNumbers } from "./attribution.ts";
import { USAGE_COLUMNS } from "./index-schema.ts";

/** What sums of costs are rounded to: what is taken away again leaves nothing. */
const DOLLAR_DIGITS = 1e9;

/** Corrections of a session: sums by model and prices. */
type CorrectionSum = UsageNumbers & { key: number; model: number; tier: number };

/** What a session is counted with. */
export type UsageOf = (key: number, state: FoldState) => Usage;

/** Finds what sessions are counted with: as their files say, corrected by `Answers`, with an estimated cost. */
export class CountedUsage {
  readonly #any;
  readonly #sums;
  prices = new PriceList();

  constructor(client: SqliteDatabase) {
    this.#any = client.prepare<[], 1>("SELECT 1 FROM corrections LIMIT 1").pluck();
    const sums = USAGE_COLUMNS.map((column) => `sum(${column}) AS ${column}`).join(", ");
    this.#sums = client.prepare<[keys: string], CorrectionSum>(
      `SELECT key, model, tier, ${sums} FROM corrections
      WHERE key IN (SELECT value FROM json_each(?)) GROUP BY key, model, tier`,
    );
  }

  /** @returns a function for these sessions. */
  of(keys: readonly number[]): UsageOf {
    const corrections = new Map<number, CorrectionSum[]>();
    if (this.#any.get() !== undefined) {
      for (const row of this.#sums.all(JSON.stringify(keys))) got(corrections, row.key, () => []).push(row);
    }
    return (key, state) => countedUsage(state, corrections.get(key) ?? [], this.prices);
  }
}

/** What a session is counted with, by the corrections of it. */
export function countedUsage(
  { usage, unpriced, named_models }: FoldState,
  corrections: readonly Omit<CorrectionSum, "key">[],
  prices: PriceList,
): Usage {
  const counted = corrections.reduce(corrected, usage);
  if (unpriced.length === 0) return counted;
  return { ...counted, estimated_cost_usd: prices.estimate(named_models, [...unpriced, ...corrections]) };
}

/** What is left of a usage. */
export function corrected(usage: Usage, more: UsageNumbers): Usage {
  const left = { ...usage };
  addUsage(left, usageOf(more));
  if (left.cost_usd !== null) left.cost_usd = Math.round(left.cost_usd * DOLLAR_DIGITS) / DOLLAR_DIGITS;
  return left;
}

function usageOf({ input, output, cache_read, cache_write, cache_write_1h, cost }: UsageNumbers): Usage {
  return {
    input_tokens: input,
    output_tokens: output,
    cache_read_tokens: cache_read,
    cache_write_tokens: cache_write,
    cache_write_1h_tokens: cache_write_1h,
    reasoning_tokens: 0,
    total_tokens: input + output + cache_read + cache_write,
    cost_usd: cost,
    estimated_cost_usd: null,
  };
}
