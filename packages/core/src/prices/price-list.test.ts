import { readFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { noUsage } from "../session/usage.ts";
import { CONTEXT_SIZES, NOT_ESTIMATED, priceTierOf } from "./context-size.ts";
import { PriceList, PriceLists } from "./price-list.ts";
import * as table from "./price-table.ts";
import { tokensOf } from "./unpriced-usage.ts";

const MILLION = 1_000_000;
const NOTHING = { ...noUsage(), cost_usd: null };

/** What a million tokens of each kind cost. */
function pricesOf(model: string, tier = 1, list = new PriceList(), provider: string | null = null) {
  return list.rates({ model, provider }, tier)?.map((rate) => rate / MILLION);
}

describe("the price table", () => {
  it("is what the installed version of its package says", async () => {
    const generator = new URL("../../prices.mjs", import.meta.url).href;
    const { priceTable } = (await import(generator)) as { priceTable(date: string): Promise<string> };
    const written = await readFile(new URL("price-table.ts", import.meta.url), "utf8");
    expect(written, "Run `npm run prices`.").toBe(await priceTable(table.PRICE_DATE));
    expect(written.length).toBeLessThan(30_000);
  });

  it("has no sizes but those that usage is told apart by", () => {
    const sizes = [...table.PRICE_LINES.matchAll(/\| (\d+)/g)].map(([, size]) => Number(size));
    expect([...new Set(sizes)].filter((size) => !CONTEXT_SIZES.some((one) => one === size))).toEqual([]);
  });

  it.each([
    ["claude-opus-4-5-20251101", [5, 25, 0.5, 6.25, 10]],
    ["claude-opus-4.5", [5, 25, 0.5, 6.25, 10]],
    ["us.anthropic.claude-opus-4-5-20251101-v1:0", [5, 25, 0.5, 6.25, 10]],
    ["anthropic/claude-opus-4.5", [5, 25, 0.5, 6.25, 10]],
    ["claude-opus-4-5@20251101", [5, 25, 0.5, 6.25, 10]],
    ["claude-sonnet-4-5-20250929[1m]", [3, 15, 0.3, 3.75, 6]],
    ["claude-opus-4-20250514", [15, 75, 1.5, 18.75, 30]],
    ["claude-opus-4-1-20250805", [15, 75, 1.5, 18.75, 30]],
    ["gpt-5.1-codex", [1.25, 10, 0.125, 1.25, 2.5]],
    ["gpt-4o-2024-05-13", [5, 15, 5, 5, 10]],
    ["gpt-4o-2024-11-20", [2.5, 10, 1.25, 2.5, 5]],
    ["gemini-2.5-pro-preview-06-05", [1.25, 10, 0.125, 1.25, 2.5]],
    ["my-own-model", undefined],
    ["constructor", undefined],
  ])("knows %s", (model, prices) => expect(pricesOf(model)).toEqual(prices));
});

describe("estimated costs", () => {
  it("are higher for long requests", () => {
    const tier = priceTierOf({ ...NOTHING, input_tokens: 1, cache_read_tokens: 200_000, total_tokens: 200_001 });
    expect(pricesOf("claude-sonnet-4-5", tier)).toEqual([6, 22.5, 0.6, 7.5, 12]);
    expect(pricesOf("gemini-2.5-pro", tier)).toEqual([2.5, 15, 0.25, 2.5, 5]);
    expect(pricesOf("gpt-5.4", tier)).toEqual([2.5, 15, 0.25, 2.5, 5]);
    expect(priceTierOf({ ...NOTHING, input_tokens: 200_000, total_tokens: 200_000 })).toBe(tier - 1);
    expect(priceTierOf({ ...NOTHING, output_tokens: 5, total_tokens: 5 }, 200_001)).toBe(tier);
  });

  it("are only for what has no recorded cost", () => {
    expect(priceTierOf({ ...NOTHING, input_tokens: 1, total_tokens: 1, cost_usd: 0 })).toBe(NOT_ESTIMATED);
    expect(priceTierOf(NOTHING)).toBe(NOT_ESTIMATED);
    expect(priceTierOf(null)).toBe(NOT_ESTIMATED);
    expect(pricesOf("gpt-5", NOT_ESTIMATED)).toBeUndefined();
  });

  it("follow the prices of the user", () => {
    const list = new PriceList({
      "GPT-5": { input: 1, output: 2 },
      "local/qwen": { input: 0, output: 0.5, cache_read: 0.1 },
    });
    expect(pricesOf("gpt-5", 5, list)).toEqual([1, 2, 1, 1, 2]);
    expect(pricesOf("gpt-5-2025-08-07", 1, list)).toEqual([1, 2, 1, 1, 2]);
    expect(pricesOf("qwen", 1, list, "Local")).toEqual([0, 0.5, 0.1, 0, 0]);
    expect(pricesOf("qwen", 1, list, "other")).toBeUndefined();
    const lists = new PriceLists();
    expect(lists.of({})).toBe(lists.of({}));
    expect(lists.of({ a: { input: 1, output: 1 } })).not.toBe(lists.of({}));
  });

  it("add up all models that are known, in microdollars", () => {
    const models = [
      { model: "claude-opus-4-5", provider: null },
      { model: "unknown", provider: null },
    ];
    const usage = {
      ...NOTHING,
      input_tokens: 1,
      output_tokens: 3,
      cache_write_tokens: 1_000,
      cache_write_1h_tokens: 400,
    };
    const tokens = tokensOf(usage);
    const list = new PriceList();
    // 5 + 75 + 600 × 6.25 + 400 × 10 microdollars.
    expect(
      list.estimate(models, [
        { ...tokens, model: 1, tier: 1 },
        { ...tokens, model: 2, tier: 1 },
      ]),
    ).toBe(0.00783);
    expect(list.estimate(models, [{ ...tokens, model: 2, tier: 1 }])).toBeNull();
    expect(list.estimate(models, [{ ...tokens, input: Number.POSITIVE_INFINITY, model: 1, tier: 1 }])).toBeNull();
    expect(list.estimate(models, [{ ...tokens, model: 9, tier: 1 }])).toBeNull();
  });
});
