import { describe, expect, it } from "vitest";
import { InputQueue } from "./input-queue.ts";

/** A service whose answers wait until they are let go. */
function setUp() {
  const sent: string[] = [];
  const errors: unknown[] = [];
  let settle: { resolve(): void; reject(error: Error): void } | null = null;
  const send = (data: string) =>
    new Promise<void>((resolve, reject) => {
      sent.push(data);
      settle = { resolve, reject };
    });
  const queue = new InputQueue(send, (error) => errors.push(error));
  const answer = async (error?: Error) => {
    if (error === undefined) settle?.resolve();
    else settle?.reject(error);
    await new Promise((done) => setTimeout(done));
  };
  return { queue, sent, errors, answer };
}

describe("InputQueue", () => {
  it("sends what is typed meanwhile together, after the answer", async () => {
    const { queue, sent, answer } = setUp();
    for (const key of "abc") queue.type(key);
    expect(sent).toEqual(["a"]);
    await answer();
    expect(sent).toEqual(["a", "bc"]);
    await answer();
    queue.type("d");
    expect(sent).toEqual(["a", "bc", "d"]);
  });

  it("cuts what is long, and not within a character", async () => {
    const { queue, sent, answer } = setUp();
    const text = `x${"😀".repeat(100_000)}`;
    queue.type(text);
    for (let count = 0; count < sent.length; count++) await answer();
    expect(sent.join("")).toBe(text);
    expect(sent.length).toBeGreaterThan(1);
    expect(sent.every((part) => !/[\ud800-\udbff]$/.test(part))).toBe(true);
  });

  it("drops what follows something that did not arrive, and goes on", async () => {
    const { queue, sent, errors, answer } = setUp();
    queue.type("a");
    queue.type("b");
    await answer(new Error("gone"));
    expect([sent, errors.length]).toEqual([["a"], 1]);
    queue.type("c");
    expect(sent).toEqual(["a", "c"]);
  });
});
