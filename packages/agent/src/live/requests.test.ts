import type { JsonObject } from "@sm/core";
import { AppError } from "@sm/core";
import { describe, expect, it, vi } from "vitest";
import { Requests } from "./requests.ts";

function open() {
  const written: JsonObject[] = [];
  const requests = new Requests((record) => written.push(record));
  const send = (type: string, ms = 1_000) => requests.send({ type }, ms, (data) => data);
  const answer = (response: JsonObject) => requests.answer({ type: "response", ...response });
  return { requests, written, send, answer };
}

describe("Requests", () => {
  it("gives each answer to who waits for it, in whatever order", async () => {
    const { written, send, answer } = open();
    const sent = [send("a"), send("a"), send("b")];
    expect(written).toEqual([
      { id: "1", type: "a" },
      { id: "2", type: "a" },
      { id: "3", type: "b" },
    ]);
    for (const id of ["3", "1", "2"]) expect(answer({ id, command: "a", success: true, data: id })).toBe(true);
    expect(await Promise.all(sent)).toEqual(["1", "2", "3"]);
    expect(answer({ id: "3", success: true })).toBe(false);
  });

  it("knows what the agent does not know, and an answer that was too long to be read", async () => {
    const { requests, send, answer } = open();
    const unknown = send("new");
    answer({ id: "1", success: false, error: "Unknown command: new" });
    await expect(unknown).rejects.toMatchObject({ code: "CONFLICT" });
    expect([requests.lacks("new"), requests.lacks("old")]).toEqual([true, false]);
    const long = send("old");
    answer({ id: "2", command: "old", truncated: true, bytes: 20_000_000 });
    await expect(long).rejects.toMatchObject({ message: "The agent's answer to old is too long." });
  });

  it("takes an answer without id for that to the oldest command of its name", async () => {
    const { send, answer } = open();
    const [first, second] = [send("b"), send("a")];
    expect(answer({ command: "parse", success: false, error: "?" })).toBe(false);
    expect(answer({ command: "a", success: false, error: "Unknown command: a" })).toBe(true);
    await expect(second).rejects.toMatchObject({
      code: "CONFLICT",
      message: expect.stringContaining("does not know a"),
    });
    answer({ id: "1", success: false, error: { odd: true } });
    await expect(first).rejects.toMatchObject({ code: "CONFLICT" });
  });

  it("waits no longer than it may", async () => {
    vi.useFakeTimers();
    try {
      const { send, answer } = open();
      const late = expect(send("a", 500)).rejects.toMatchObject({ code: "TIMEOUT" });
      vi.advanceTimersByTime(500);
      await late;
      expect(answer({ id: "1", success: true })).toBe(false);
      expect(vi.getTimerCount()).toBe(0);
    } finally {
      vi.useRealTimers();
    }
  });

  it("sends no more than an agent could have left unanswered", async () => {
    const { requests, written, send } = open();
    const sent = Promise.allSettled(Array.from({ length: 101 }, () => send("a")));
    expect(written).toHaveLength(100);
    requests.failAll(new AppError("CONFLICT", "The agent has exited."));
    expect((await sent).every(({ status }) => status === "rejected")).toBe(true);
  });

  it("fails at once where nothing can be written", async () => {
    const requests = new Requests(() => {
      throw new AppError("CONFLICT", "The agent has exited.");
    });
    await expect(requests.send({ type: "a" }, 1_000, () => {})).rejects.toMatchObject({ code: "CONFLICT" });
  });
});
