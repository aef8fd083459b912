import { getEventListeners } from "node:events";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { SessionText, TestHome, until } from "../library/library.fixture.ts";
import type { ReadingTasks } from "../reading/reading-tasks.ts";
import { cacheShare } from "./cache-budget.ts";
import { OLD_GENERATION_MB } from "./spare-worker.ts";
import { Thread } from "./thread.ts";

let home: TestHome;
let thread: Thread<ReadingTasks>;
beforeEach(async () => {
  home = await TestHome.create();
  thread = new Thread<ReadingTasks>({ index: null, caches: cacheShare("long", 0) }, { idleMs: 1 });
});
afterEach(async () => {
  await thread.stop();
  await home[Symbol.asyncDispose]();
});

describe("a thread that may rest", () => {
  it("ends when it is idle, and starts again with the next task", async () => {
    for (let round = 0; round < 2; round++) {
      await thread.run("work", null);
      await until(() => !thread.started);
    }
    await expect(thread.run("treeNext", { stream: "1.1" })).rejects.toMatchObject({ code: "UNAVAILABLE" });
  });

  it("stays until what it hands over piece by piece was taken", async () => {
    const session = new SessionText();
    for (let n = 0; n < 600; n++) session.user(`question ${n}`);
    const path = await home.write(join("p", "a.jsonl"), session.lines);
    const { stream } = await thread.run("treeStart", { path });
    const next = async () => (await thread.run("treeNext", { stream }))?.length ?? null;
    const lengths = [await next(), await next()];
    expect(await thread.run("isFree", null)).toBe(false);
    lengths.push(await next());
    expect(lengths).toEqual([512, 88, null]);
    await until(() => !thread.started);
  });
});

it("a thread has a limit for its heap", async () => {
  expect(thread.start().resourceLimits).toMatchObject({ maxOldGenerationSizeMb: OLD_GENERATION_MB });
});

it("a task that takes more memory than its thread may have is refused, and the next one gets another thread", async () => {
  const worker = thread.start();
  const refused = expect(thread.run("work", null)).rejects.toMatchObject({
    code: "UNAVAILABLE",
    message: expect.stringContaining("more memory"),
  });
  // As Node tells it. When it does so is V8's affair: see `hasTooManyValues`.
  worker.emit("error", Object.assign(new Error("Worker terminated"), { code: "ERR_WORKER_OUT_OF_MEMORY" }));
  await refused;
  await worker.terminate();
  await thread.run("work", null);
  expect(thread.start()).not.toBe(worker);
});

describe("a task that nobody waits for any more", () => {
  it("does not begin, and the others do", async () => {
    const path = await home.write(join("p", "a.jsonl"), new SessionText().user("question").lines);
    const name = (text: string, signal?: AbortSignal) => thread.run("rename", { path, name: text }, { signal });
    const client = new AbortController();
    // The thread is not even started when the client goes.
    const outcomes = Promise.allSettled([name("first", client.signal), name("second"), name("third", client.signal)]);
    client.abort(new Error("gone"));
    expect(await outcomes).toMatchObject([
      { status: "rejected", reason: client.signal.reason },
      { status: "fulfilled" },
      { status: "rejected", reason: client.signal.reason },
    ]);
    const text = await readFile(path, "utf8");
    expect(["first", "second", "third"].map((one) => text.includes(`"${one}"`))).toEqual([false, true, false]);
    expect(getEventListeners(client.signal, "abort")).toEqual([]);
  });
});

describe("a thread that is stopped", () => {
  it("is not started again by who has waited for its last task", async () => {
    const done = thread.run("work", null).then(() => thread.run("work", null));
    await Promise.all([thread.stop(), expect(done).rejects.toMatchObject({ code: "UNAVAILABLE" })]);
    expect(thread.started).toBe(false);
  });

  it("has ended, also where it was going to rest", async () => {
    const worker = thread.start();
    let hasEnded = false;
    worker.once("exit", () => {
      hasEnded = true;
    });
    void thread.rest();
    await thread.stop();
    expect(hasEnded).toBe(true);
  });
});
