import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { retryDelay } from "./backoff.ts";

describe("retryDelay", () => {
  it("tries again at once after the first failure", () => {
    expect(retryDelay(0)).toBeLessThanOrEqual(250);
  });

  it("grows, and waits 30 seconds at most", () => {
    fc.assert(
      fc.property(fc.nat(10_000), (attempts) => {
        const longest = Math.min(30_000, 250 * 2 ** attempts);
        const delay = retryDelay(attempts);
        expect(delay).toBeGreaterThanOrEqual(longest / 2);
        expect(delay).toBeLessThanOrEqual(longest);
      }),
    );
  });

  it("spreads the clients of a service that restarts", () => {
    expect(new Set(Array.from({ length: 20 }, () => retryDelay(3))).size).toBeGreaterThan(10);
  });
});
