import { describe, expect, it } from "vitest";
import { threadSource } from "./thread-source.ts";

describe("threadSource", () => {
  it("explains what a method fails with, before its cause is lost", async () => {
    const driver = Object.assign(new Error("terminating connection"), { code: "57P01" });
    const source = threadSource({
      answer: async (left: number, right: number) => left + right,
      fail: async () => {
        throw new Error("Failed query", { cause: driver });
      },
    });
    expect(await source.answer(1, 2)).toBe(3);
    await expect(source.fail()).rejects.toMatchObject({ code: "UNAVAILABLE", details: { retry_after_ms: 1_000 } });
  });
});
