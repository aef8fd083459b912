import type { VaultService } from "@sm/core";
import { describe, expect, it } from "vitest";
import { publishedVault } from "./published-vault.ts";

type Verify = VaultService["verify"];

/** Verifies as `work` does, and returns what was published. */
async function eventsOf(work: Verify) {
  const events: unknown[] = [];
  const vault = publishedVault({ verify: work } as VaultService, {
    publish: (name, payload) => void events.push([name, payload]),
  });
  const outcome = await vault.verify().catch((error: unknown) => error);
  return { events, outcome };
}

describe("a verification", () => {
  it("tells its progress now and then, and its end", async () => {
    const result = { checked: 500, damaged: [{ path: "/a.jsonl", is_repaired: true }] };
    const { events, outcome } = await eventsOf(async (tell) => {
      for (let checked = 1; checked <= 500; checked++) tell?.(checked, 500);
      return result;
    });
    expect(outcome).toBe(result);
    expect(events).toEqual([
      ["vault-verification", { checked: 1, total: 500, done: false, damaged: null }],
      ["vault-verification", { checked: 500, total: 500, done: true, damaged: 1 }],
    ]);
  });

  it("that is interrupted has an end too", async () => {
    const gone = new Error("gone");
    const { events, outcome } = await eventsOf(() => Promise.reject(gone));
    expect(outcome).toBe(gone);
    expect(events).toEqual([["vault-verification", { checked: 0, total: 0, done: true, damaged: null }]]);
  });
});
