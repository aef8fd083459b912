import { readdirSync, readlinkSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { setTimeout as delay } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Requester } from "../../requester.ts";
import { EXPORT, SessionText, searchFor, TestHome, treeOf, until, untilIndexed } from "./library.fixture.ts";
import type { Library } from "./library.ts";

let home: TestHome;
let library: Library;
let path: string;
beforeAll(async () => {
  home = await TestHome.create();
  const session = new SessionText();
  for (let n = 0; n < 2_000; n++) session.user(`question ${n} about the tide clock`);
  path = await home.write("p/long.jsonl", session.lines);
  library = await home.open({ mostWaiting: 50 });
  await untilIndexed(library);
});
afterAll(() => home[Symbol.asyncDispose]());

const GONE = new Error("gone");

/** A client that has gone already. */
const gone = (): Requester => ({ signal: AbortSignal.abort(GONE) });

describe("who has gone", () => {
  it.each<[string, (requester: Requester) => Promise<unknown>]>([
    ["search", (requester) => library.search(searchFor("tide"), requester)],
    ["statistics", (requester) => library.statistics({}, requester)],
    ["read entries", (requester) => library.readEntries({ path }, requester)],
    ["find", (requester) => library.find({ path, query: "tide" }, requester)],
    ["read the tree", (requester) => library.readTree(path, requester)],
    [
      "read the text",
      async (requester) => drained((await library.textStream(path, requester))[Symbol.asyncIterator]()),
    ],
    ["export", (requester) => library.export({ ...EXPORT, path, format: "json" }, requester)],
    ["preview redactions", (requester) => library.previewRedactions({ path }, requester)],
    ["rename", (requester) => library.rename(path, "never", requester)],
    ["fork", (requester) => library.fork(path, null, requester)],
  ])("does not %s", async (_what, ask) => {
    const before = await readFile(path, "utf8");
    await expect(ask(gone())).rejects.toBe(GONE);
    expect(await readFile(path, "utf8")).toBe(before);
  });

  it.runIf(process.platform === "linux").each<[string, (requester: Requester) => Promise<AsyncIterable<unknown>>]>([
    ["a tree", (requester) => library.readTree(path, requester)],
    ["a text", (requester) => library.textStream(path, requester)],
    [
      "a copy",
      async (requester) => (await library.exportStream({ ...EXPORT, path, format: "jsonl" }, requester)).chunks,
    ],
    [
      "an export",
      async (requester) => (await library.exportStream({ ...EXPORT, path, format: "json" }, requester)).chunks,
    ],
  ])("leaves nothing open of %s that nobody has come for", async (_what, ask) => {
    const client = new AbortController();
    const pieces = (await ask({ signal: client.signal }))[Symbol.asyncIterator]();
    await pieces.next();
    await until(() => isOpen(path));
    client.abort(GONE);
    await until(() => !isOpen(path));
    await expect(drained(pieces)).rejects.toBe(GONE);
  });

  it("has a change made as a whole or not at all", async () => {
    const outcomes = new Set<string>();
    const file = await home.write("p/short.jsonl", new SessionText().user("question").lines);
    for (let round = 0; round < 20; round++) {
      const before = await readFile(file, "utf8");
      const client = new AbortController();
      const name = `name ${round}`;
      const renamed = library.rename(file, name, { signal: client.signal }).then(
        (record) => record.name,
        (reason: unknown) => reason,
      );
      await delay(round % 5);
      client.abort(GONE);
      const outcome = await renamed;
      const after = await readFile(file, "utf8");
      if (outcome === GONE) expect(after).toBe(before);
      else
        expect([outcome, after.startsWith(before), after.trim().split("\n").length]).toEqual([
          name,
          true,
          before.trim().split("\n").length + 1,
        ]);
      outcomes.add(outcome === GONE ? "gone" : "made");
    }
    expect(outcomes.size).toBeGreaterThan(0);
  });
});

describe("clients", () => {
  const findFor = (client: string) => library.find({ path, query: "clock" }, { client });

  it("take turns: one who comes late waits for few tasks of who has come before", async () => {
    let answered = 0;
    const flood = Promise.all(Array.from({ length: 40 }, () => findFor("flood").then(() => (answered += 1))));
    await until(() => answered > 0);
    const before = answered;
    await findFor("other");
    // Two at hand, one whose turn it was, and what was on its way meanwhile.
    expect(answered - before).toBeLessThan(10);
    await flood;
  });

  it("may have so much waiting, and others are answered meanwhile", async () => {
    const flood = Array.from({ length: 200 }, () => findFor("flood"));
    const outcomes = Promise.allSettled(flood);
    expect(await treeOf(library, path)).toHaveLength(2_000);
    const refused = (await outcomes).flatMap((one) => (one.status === "rejected" ? [one.reason] : []));
    expect(refused.length).toBeGreaterThan(100);
    for (const reason of refused) {
      expect(reason).toMatchObject({ code: "UNAVAILABLE", details: { retry_after_ms: 1_000 } });
    }
  });
});

async function drained(pieces: AsyncIterator<unknown>): Promise<void> {
  while ((await pieces.next()).done !== true);
}

/** Whether this process has the file open. */
function isOpen(file: string): boolean {
  return readdirSync("/proc/self/fd").some((descriptor) => {
    try {
      return readlinkSync(`/proc/self/fd/${descriptor}`) === file;
    } catch {
      return false;
    }
  });
}
