import { getEventListeners, setMaxListeners } from "node:events";
import { describe, expect, it } from "vitest";
import type { Requester } from "../../requester.ts";
import type { ReadingTasks } from "../reading/reading-tasks.ts";
import { SharedThread } from "./shared-thread.ts";
import type { RunOptions, Thread } from "./thread.ts";

interface HandedOver {
  input: unknown;
  signal: AbortSignal | undefined;
  resolve(output: unknown): void;
  reject(error: Error): void;
}

/** A thread whose tasks end when the test says so. */
class FakeThread implements Pick<Thread<ReadingTasks>, "run" | "stop" | "busy"> {
  readonly handedOver: HandedOver[] = [];
  isStopped = false;
  busy = false;

  run(_name: string, input: unknown, { signal }: RunOptions = {}): Promise<never> {
    return new Promise<never>((resolve, reject) => {
      this.handedOver.push({ input, signal, resolve: resolve as (output: unknown) => void, reject });
    });
  }

  async stop(): Promise<void> {
    this.isStopped = true;
  }

  get paths(): unknown[] {
    return this.handedOver.map(({ input }) => (input as { path: string }).path);
  }
}

function setUp(mostOfClient = 100) {
  const fake = new FakeThread();
  // It uses nothing else.
  const shared = new SharedThread(fake as unknown as Thread<ReadingTasks>, mostOfClient);
  const ask = (path: string, requester?: Requester) => shared.run("treeStart", { path }, requester);
  return { fake, shared, ask };
}

const settled = () => new Promise((resolve) => setImmediate(resolve));

describe("a thread that clients share", () => {
  it("is handed two tasks at a time, and the next one when one of them has ended, however", async () => {
    const { fake, ask } = setUp();
    const answers = Promise.allSettled(["a", "b", "c", "d", "e"].map((path) => ask(path)));
    expect(fake.paths).toEqual(["a", "b"]);
    fake.handedOver[1]?.resolve("B");
    await settled();
    expect(fake.paths).toEqual(["a", "b", "c"]);
    fake.handedOver[0]?.reject(new Error("A"));
    await settled();
    expect(fake.paths).toEqual(["a", "b", "c", "d"]);
    for (const { resolve } of fake.handedOver) resolve("done");
    await settled();
    fake.handedOver[4]?.resolve("E");
    expect((await answers).map(({ status }) => status)).toEqual([
      "rejected",
      ...Array.from({ length: 4 }, () => "fulfilled"),
    ]);
  });

  it("never gets what nobody waits for any more", async () => {
    const { fake, ask } = setUp(200);
    const client = new AbortController();
    setMaxListeners(0, client.signal);
    const abandoned = Array.from({ length: 200 }, () => ask("flood", { client: "a", signal: client.signal }));
    const outcomes = Promise.allSettled(abandoned);
    const other = ask("other", { client: "b" });
    client.abort(new Error("gone"));
    expect(fake.paths).toEqual(["flood", "flood"]);
    // What has been handed over is told by its signal, and ends as the thread says.
    for (const { signal, reject } of fake.handedOver) reject(signal?.reason);
    await settled();
    expect(fake.paths).toEqual(["flood", "flood", "other"]);
    fake.handedOver[2]?.resolve("found");
    expect(await other).toBe("found");
    expect(new Set((await outcomes).map((one) => one.status === "rejected" && one.reason))).toEqual(
      new Set([client.signal.reason]),
    );
    expect(getEventListeners(client.signal, "abort")).toEqual([]);
  });

  it("is not asked at all for somebody who has gone before", async () => {
    const { fake, ask } = setUp();
    await expect(ask("late", { signal: AbortSignal.abort(new Error("gone")) })).rejects.toThrow("gone");
    expect(fake.paths).toEqual([]);
  });

  it("refuses what is too much of one client, and says when to come again", async () => {
    const { fake, shared, ask } = setUp(3);
    const waiting = Array.from({ length: 5 }, () => ask("a", { client: "a" }));
    await expect(ask("a", { client: "a" })).rejects.toMatchObject({
      code: "UNAVAILABLE",
      details: { retry_after_ms: expect.any(Number) },
    });
    const other = ask("b", { client: "b" });
    const begun = shared.run("treeNext", { stream: "1.1" }, { client: "a" }, true);
    for (let ended = 0; ended < 7; ended++) {
      fake.handedOver[ended]?.resolve("done");
      await settled();
    }
    expect(await Promise.all([...waiting, other, begun])).toHaveLength(7);
  });

  it("gives what waits to the thread that takes its place", async () => {
    const { fake, shared, ask } = setUp();
    const answers = ["a", "b", "c"].map((path) => ask(path));
    const next = new FakeThread();
    shared.replace(next as unknown as Thread<ReadingTasks>);
    expect(next.paths).toEqual(["c"]);
    for (const { resolve } of [...fake.handedOver, ...next.handedOver]) resolve("done");
    expect(await Promise.all(answers)).toEqual(["done", "done", "done"]);
    expect(fake.paths).toEqual(["a", "b"]);
  });

  it("refuses what waits when it is stopped", async () => {
    const { fake, shared, ask } = setUp();
    const answers = ["a", "b", "c"].map((path) => ask(path));
    const refused = expect(answers[2]).rejects.toMatchObject({ code: "UNAVAILABLE" });
    await shared.stop();
    await refused;
    expect(fake.isStopped).toBe(true);
  });
});
