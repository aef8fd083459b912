import type { Usage } from "../../session/record.ts";
import { addUsage } from "../../session/usage.ts";
import type { SqliteDatabase } from "../storage/sqlite.ts";
import type { UsageNumbers } from "./attribution.ts";
import { USAGE_COLUMNS } from "./index-schema.ts";

/** What sums of costs are rounded to: what is taken away again leaves nothing. */
const DOLLAR_DIGITS = 1e9;

/** Reads by how much sessions count more or less than their files say, see `Answers`. */
export class CorrectedUsage {
  readonly #any;
  readonly #sums;

  constructor(client: SqliteDatabase) {
    this.#any = client.prepare<[], 1>("SELECT 1 FROM corrections LIMIT 1").pluck();
    const sums = USAGE_COLUMNS.map((column) => `sum(${column}) AS ${column}`).join(", ");
    this.#sums = client.prepare<[keys: string], UsageNumbers & { key: number }>(
      `SELECT key, ${sums} FROM corrections WHERE key IN (SELECT value FROM json_each(?)) GROUP BY key`,
    );
  }

  of(keys: readonly number[]): Corrections {
    const rows = this.#any.get() === undefined ? [] : this.#sums.all(JSON.stringify(keys));
    return new Corrections(new Map(rows.map((row) => [row.key, row])));
  }
}

/** The corrections of some sessions. */
export class Corrections {
  readonly #sums: ReadonlyMap<number, UsageNumbers>;

  constructor(sums: ReadonlyMap<number, UsageNumbers>) {
    this.#sums = sums;
  }

  apply(key: number, usage: Usage): Usage {
    const more = this.#sums.get(key);
    return more === undefined ? usage : corrected(usage, more);
  }
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
