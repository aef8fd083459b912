import type { LibraryStatus } from "@sm/core";
import { describe, expect, it } from "vitest";
import { progressLine } from "./progress.ts";

const CLEAR = "\r\x1b[2K";
const COUNTS = { sessions: 0, pending: 0, skipped_files: 0 };

function status(fields: Partial<LibraryStatus>): LibraryStatus {
  return { state: "indexing", reason: null, ...COUNTS, bytes_done: 0, bytes_total: 0, ...fields };
}

function onTerminal(isTTY = true) {
  const written: string[] = [];
  let time = 0;
  const line = progressLine({ isTTY, write: (text) => written.push(text) }, () => time);
  return { line, written, wait: (milliseconds: number) => (time += milliseconds) };
}

describe("progressLine", () => {
  it("rewrites one line and takes it away at the end", () => {
    const { line, written, wait } = onTerminal();
    line.update(status({ bytes_done: 1_200_000, bytes_total: 4_000_000, pending: 1234 }));
    wait(100);
    line.update(status({ bytes_done: 4_000_000, bytes_total: 4_000_000, pending: 1 }));
    line.update(status({ state: "ready", bytes_done: 4_000_000, bytes_total: 4_000_000 }));
    expect(written).toEqual([
      `${CLEAR}Indexing sessions: 30 % of 4 MB, files left: 1,234`,
      `${CLEAR}Indexing sessions: 100 % of 4 MB, files left: 1`,
      CLEAR,
    ]);
  });

  it("tells the rate and the time that is left as soon as they are known", () => {
    const { line, written, wait } = onTerminal();
    for (const megabytes of [100, 150, 200, 420]) {
      line.update(status({ bytes_done: megabytes * 1e6, bytes_total: 4e9, pending: 7 }));
      wait(megabytes < 200 ? 1_000 : 6_000);
    }
    expect(written.map((text) => text.split("files left: ")[1])).toEqual([
      "7",
      "7",
      "7, 50 MB/s, 76 s left",
      "7, 40 MB/s, 2 min left",
    ]);
  });

  it("shows the first indexing only", () => {
    const { line, written } = onTerminal();
    line.update(status({ state: "ready" }));
    line.update(status({ bytes_done: 1, bytes_total: 2 }));
    expect(written).toEqual([]);
  });

  it("rewrites at most ten times a second", () => {
    const { line, written, wait } = onTerminal();
    for (let millisecond = 0; millisecond < 1000; millisecond += 1) {
      line.update(status({ bytes_done: millisecond, bytes_total: 1000 }));
      wait(1);
    }
    expect(written).toHaveLength(10);
  });

  it("makes room for a log line and comes back", () => {
    const { line, written, wait } = onTerminal();
    line.update(status({ bytes_done: 1, bytes_total: 2 }));
    line.clear();
    line.clear();
    expect(written.slice(1)).toEqual([CLEAR]);
    wait(100);
    line.update(status({ bytes_done: 1, bytes_total: 2 }));
    expect(written).toHaveLength(3);
  });

  it("is silent where there is no terminal", () => {
    const { line, written } = onTerminal(false);
    line.update(status({ bytes_done: 1, bytes_total: 2 }));
    line.clear();
    expect(written).toEqual([]);
  });
});
