import { describe, expect, it } from "vitest";
import { CACHE_BUDGET_BYTES, type CacheRole, cacheShare } from "./cache-budget.ts";

/** What a thread may keep that opens so many text databases. */
function bytesOf(role: CacheRole, shards: number, opened: number): number {
  const { catalog, folds, shard, text } = cacheShare(role, shards);
  return catalog + folds + opened * (shard + text);
}

describe("the budget for caches", () => {
  it.each([1, 2, 3, 4])("is not exceeded by %i text databases and their successors", (shards) => {
    const ofReaders = bytesOf("state", shards, 0) + bytesOf("quick", shards, shards) + bytesOf("long", shards, 0);
    const ofIndex =
      bytesOf("main", shards, 0) +
      bytesOf("scout", shards, shards) +
      bytesOf("verification", shards, shards) +
      shards * bytesOf("indexing", shards, 1);
    const all = ofReaders + 2 * ofIndex;
    expect(all).toBeLessThanOrEqual(CACHE_BUDGET_BYTES);
    expect(all).toBeGreaterThan(CACHE_BUDGET_BYTES * 0.95);
  });
});
