import type { TranscriptItem } from "@sm/core";
import { piItem } from "@sm/core";
import { describe, expect, it } from "vitest";
import { ReadingRuns, type ReadingRunsOptions } from "./reading-runs.ts";

type Line = { said: string } | { calls: string[]; said?: string; failed?: boolean } | { note: true } | null;

/** The items of lines; each call is followed by its result. */
function itemsOf(lines: Line[]): (TranscriptItem | undefined)[] {
  return lines.flatMap((line, at): (TranscriptItem | undefined)[] => {
    if (line === null) return [undefined];
    const item = (id: string, value: object) => piItem(value as never, { id, parentId: null });
    if ("note" in line) return [item(`n${at}`, { type: "model_change" })];
    if (!("calls" in line)) return [item(`u${at}`, { type: "message", message: { role: "user", content: line.said } })];
    const content = [
      ...(line.said === undefined ? [] : [{ type: "text", text: line.said }]),
      ...line.calls.map((name, nth) => ({ type: "toolCall", id: `c${at} ${nth}`, name, arguments: {} })),
      ...(line.calls.length === 0 ? [{ type: "thinking", thinking: "hm" }] : []),
    ];
    return [
      item(`m${at}`, { type: "message", message: { role: "assistant", content } }),
      ...line.calls.map((toolName, nth) => {
        const message = {
          role: "toolResult",
          toolCallId: `c${at} ${nth}`,
          toolName,
          content: [],
          isError: line.failed === true,
        };
        return item(`r${at} ${nth}`, { type: "message", message });
      }),
    ];
  });
}

function runsIn(lines: Line[], options: Partial<ReadingRunsOptions> = {}) {
  const items = itemsOf(lines);
  const runs = new ReadingRuns({
    itemAt: (place) => items[place],
    from: 0,
    isMarked: () => false,
    startsDay: () => false,
    ...options,
  });
  // From the end, as one scrolls up.
  const found = items.map((_, at) => runs.at(items.length - 1 - at)).reverse();
  return [...new Set(found)].flatMap((run) => {
    if (run === null) return [];
    for (const [place, one] of found.entries()) {
      const isMember = run.ids.includes(items[place]?.id ?? "");
      expect(one === run, `place ${place}`).toBe(isMember);
    }
    return [`${run.ids.join(" ")}: ${run.calls.length} from ${run.fromBlock}`];
  });
}

const read = { calls: ["read"] };

describe("ReadingRuns", () => {
  it("finds calls that only look, over several messages", () => {
    expect(runsIn([{ said: "look" }, read, { calls: ["grep", "ls"] }, { said: "and" }, read, read, read])).toEqual([
      "m1 m2: 3 from 0",
      "m4 m5 m6: 3 from 0",
    ]);
  });

  it("begins anew behind what is said", () => {
    expect(runsIn([read, read, read, { said: "Now there.", calls: ["read", "read"] }, read])).toEqual([
      "m0 m1 m2: 3 from 0",
      "m3 m4: 3 from 1",
    ]);
  });

  it("takes what was thought between them along, but not at its ends", () => {
    expect(runsIn([{ calls: [] }, read, { calls: [] }, read, read, { calls: [] }])).toEqual(["m1 m2 m3 m4: 3 from 0"]);
  });

  it("leaves alone what is shown anyway: few calls, failures, other tools, notes, what is not loaded", () => {
    expect(runsIn([read, read])).toEqual([]);
    expect(runsIn([read, { ...read, failed: true }, read, read])).toEqual([]);
    expect(runsIn([read, { calls: ["edit"] }, read, read])).toEqual([]);
    expect(runsIn([read, { note: true }, read, read])).toEqual([]);
    expect(runsIn([read, null, read, read])).toEqual([]);
  });

  it("does not hide what is marked, what a day begins with, and what a comparison has above", () => {
    expect(runsIn([read, read, read, read], { isMarked: (id) => id === "m1" })).toEqual([]);
    expect(runsIn([read, read, read, read], { isMarked: (id) => id === "r3 0" })).toEqual(["m0 m1 m2: 3 from 0"]);
    expect(runsIn([read, read, read, read], { startsDay: (place) => place === 4 })).toEqual([]);
    expect(runsIn([read, read, read, read], { from: 2 })).toEqual(["m1 m2 m3: 3 from 0"]);
  });
});
