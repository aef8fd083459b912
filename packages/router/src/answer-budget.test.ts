import { describe, expect, it } from "vitest";
import { AnswerBudget } from "./answer-budget.ts";

const settled = () => new Promise(setImmediate);

/** Asks for parts of 10 bytes each; `names` are those that have got theirs, in that order. */
function asking(budget: AnswerBudget) {
  const got: string[] = [];
  const take = async (client: string, bytes = 10, signal?: AbortSignal) => {
    const part = await budget.take(bytes, { client, signal });
    got.push(client);
    return part;
  };
  return { got, take };
}

describe("the budget of answers", () => {
  it("lets begin what has room, and the next when that is given back", async () => {
    const budget = new AnswerBudget({ bytes: 40 });
    const { got, take } = asking(budget);
    const parts = await Promise.all(["a", "b", "c", "d"].map((client) => take(client)));
    void take("e");
    await settled();
    expect([got.length, budget.reservedBytes, budget.waiting]).toEqual([4, 40, 1]);
    parts[2]?.release();
    parts[2]?.release();
    await settled();
    expect([got.at(-1), budget.reservedBytes, budget.waiting]).toEqual(["e", 40, 0]);
  });

  it("gives a client a quarter of what the others leave, whatever it asks for", async () => {
    const budget = new AnswerBudget({ bytes: 80 });
    const { got, take } = asking(budget);
    const gone = new AbortController();
    const parts = [take("greedy"), take("greedy")];
    const more = Promise.allSettled(Array.from({ length: 10 }, () => take("greedy", 10, gone.signal)));
    const others = ["a", "b", "c"].map((client) => take(client, 20));
    await settled();
    expect(got).toEqual(["greedy", "greedy", "a", "b", "c"]);
    (await parts[0])?.release();
    await settled();
    expect(got.slice(5)).toEqual([]);
    for (const other of others) (await other).release();
    await settled();
    expect(got.slice(5)).toEqual(["greedy"]);
    // Who still waits when a test ends is refused within another one.
    gone.abort(new Error("gone"));
    expect((await more).filter(({ status }) => status === "rejected")).toHaveLength(9);
  });

  it("has room for the next client, whatever some have that give nothing back", async () => {
    const budget = new AnswerBudget({ bytes: 256, mostOfClient: 1_000 });
    const { got, take } = asking(budget);
    const asked: AbortController[] = [];
    const ask = (client: string, bytes: number) => {
      const gone = new AbortController();
      asked.push(gone);
      return take(client, bytes, gone.signal);
    };
    const slow = ["a", "b", "c", "d", "e", "f"];
    const all = Promise.allSettled(slow.flatMap((client) => Array.from({ length: 256 }, () => ask(client, 1))));
    await settled();
    expect(slow.map((client) => got.filter((one) => one === client).length)).toEqual([64, 48, 36, 27, 20, 15]);
    await ask("next", 40);
    await ask("last", 6);
    for (const gone of asked) gone.abort(new Error("gone"));
    await all;
  });

  it("gives clients turns, and each its answers in the order in which it asked", async () => {
    const budget = new AnswerBudget({ bytes: 10 });
    const { got, take } = asking(budget);
    const first = await take("first");
    // Each gives its part back as soon as it has it.
    const all = ["a", "a", "a", "b", "c", "c"].map((client) => take(client).then((part) => part.release()));
    first.release();
    await Promise.all(all);
    expect(got).toEqual(["first", "a", "b", "c", "a", "c", "a"]);
  });

  it("keeps room for a large answer that waits, though small ones come", async () => {
    const budget = new AnswerBudget({ bytes: 40 });
    const { got, take } = asking(budget);
    const small = await Promise.all(["a", "b", "c", "d"].map((client) => take(client)));
    void take("large", 30);
    void take("e");
    for (const part of small.slice(0, 2)) part.release();
    await settled();
    expect(got.slice(4)).toEqual([]);
    small[2]?.release();
    await settled();
    expect(got.slice(4)).toEqual(["large"]);
    small[3]?.release();
    await settled();
    expect(got.slice(4)).toEqual(["large", "e"]);
  });

  it("takes one that is larger than all when there is nothing else", async () => {
    const budget = new AnswerBudget({ bytes: 10 });
    const { got, take } = asking(budget);
    const part = await take("a", 100);
    void take("b");
    await settled();
    expect(got).toEqual(["a"]);
    part.release();
    await settled();
    expect(got).toEqual(["a", "b"]);
  });

  it("counts what an answer has come to", async () => {
    const budget = new AnswerBudget({ bytes: 40 });
    const { got, take } = asking(budget);
    const part = await take("a", 40);
    void take("b", 35);
    part.resize(5);
    await settled();
    expect([got, budget.reservedBytes]).toEqual([["a", "b"], 40]);
    part.resize(50);
    part.release();
    part.resize(50);
    expect(budget.reservedBytes).toBe(35);
  });

  it("refuses what waits too long, and what more would wait", async () => {
    const budget = new AnswerBudget({ bytes: 10, waitMs: 1, mostOfClient: 2 });
    const { take } = asking(budget);
    await take("a");
    const refused = await Promise.allSettled([take("b"), take("b"), take("b")]);
    const reason = { code: "UNAVAILABLE", details: { retry_after_ms: 1_000 } };
    expect(refused).toMatchObject([{ reason }, { reason }, { reason }]);
    expect(refused.map(({ status }) => status)).toEqual(["rejected", "rejected", "rejected"]);
    expect([budget.reservedBytes, budget.waiting]).toEqual([10, 0]);
  });

  it("has room for whoever comes, however much of another client waits", async () => {
    const budget = new AnswerBudget({ bytes: 10, mostOfClient: 2 });
    const { got, take } = asking(budget);
    const first = await take("flood");
    const flood = Promise.allSettled(Array.from({ length: 5_000 }, () => take("flood").then((part) => part.release())));
    const other = take("other").then((part) => part.release());
    expect(budget.waiting).toBe(3);
    first.release();
    await other;
    expect(got).toEqual(["flood", "flood", "other"]);
    expect((await flood).filter(({ status }) => status === "fulfilled")).toHaveLength(2);
  });

  it("forgets clients that have gone, waiting or served", async () => {
    const budget = new AnswerBudget({ bytes: 10 });
    const { got, take } = asking(budget);
    const served = new AbortController();
    await take("a", 10, served.signal);
    const waiting = new AbortController();
    const refused = expect(take("b", 10, waiting.signal)).rejects.toThrow("gone");
    void take("c");
    waiting.abort(new Error("gone"));
    await refused;
    await expect(take("d", 10, waiting.signal)).rejects.toThrow("gone");
    expect(budget.waiting).toBe(1);
    served.abort();
    await settled();
    expect([got, budget.reservedBytes, budget.waiting]).toEqual([["a", "c"], 10, 0]);
  });
});
