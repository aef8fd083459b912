import { readdirSync, readFileSync } from "node:fs";
import { afterEach, describe, expect, it } from "vitest";
import { cacheShare } from "./cache-budget.ts";
import { Thread } from "./thread.ts";

/** Nice values of the threads of this process. */
function niceValues(): number[] {
  return readdirSync("/proc/self/task").map((thread) => {
    const stat = readFileSync(`/proc/self/task/${thread}/stat`, "utf8");
    return Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[16]);
  });
}

describe.runIf(process.platform === "linux")("a thread in the background", () => {
  const threads: Thread<{ isFree: { input: null; output: boolean } }>[] = [];
  afterEach(async () => {
    await Promise.all(threads.splice(0).map((thread) => thread.stop()));
  });

  it.each([true, false])("lets others go first: %s", async (isBackground) => {
    const before = niceValues().filter((nice) => nice >= 10).length;
    const thread = new Thread<{ isFree: { input: null; output: boolean } }>(
      { index: null, caches: cacheShare("long", 1) },
      { isBackground },
    );
    threads.push(thread);
    await thread.run("isFree", null);
    expect(niceValues().filter((nice) => nice >= 10).length - before).toBe(isBackground ? 1 : 0);
  });
});
