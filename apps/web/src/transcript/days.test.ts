import { type JsonObject, piItem, type TranscriptItem } from "@sm/core";
import { describe, expect, it } from "vitest";
import { type DatedEntries, startsDay } from "./days.ts";

/** Times of the local calendar. */
const at = (day: number, hour: number) => new Date(2026, 2, day, hour).toISOString();

type Line = { message?: object; type?: string; at: string | null };

const said = (time: string | null): Line => ({ message: { role: "user", content: "said" }, at: time });
const called = (time: string): Line => ({
  message: { role: "assistant", content: [{ type: "toolCall", id: "c", name: "read", arguments: {} }] },
  at: time,
});
const returned = (time: string): Line => ({
  message: { role: "toolResult", toolCallId: "c", toolName: "read", content: [], isError: false },
  at: time,
});
const note = (time: string): Line => ({ type: "model_change", at: time });

function entries(lines: (Line | null)[]): DatedEntries {
  const items = lines.map((line, place): TranscriptItem | undefined => {
    if (line === null) return undefined;
    const { message, type = "message" } = line;
    return {
      ...piItem({ type, ...(message !== undefined && { message }) } as JsonObject, { id: `e${place}`, parentId: null }),
      timestamp: line.at,
    } as TranscriptItem;
  });
  return { itemAt: (place) => items[place], timeAt: (place) => items[place]?.timestamp };
}

const starts = (lines: (Line | null)[]) =>
  lines.flatMap((line, place) => (line !== null && startsDay(place, entries(lines)) ? [place] : []));

describe("startsDay", () => {
  it("holds for the first entry, and where the local day is another", () => {
    expect(starts([said(at(1, 0)), said(at(1, 23)), said(at(2, 0)), said(at(2, 23))])).toEqual([0, 2]);
  });

  it("holds for a note too: an entry below it has no date then", () => {
    expect(starts([note(at(1, 9)), said(at(1, 9)), note(at(3, 9)), said(at(3, 9))])).toEqual([0, 2]);
  });

  it("leaves out what has no time", () => {
    expect(starts([said(null), said(at(1, 9)), said(null), said(at(1, 9)), said(at(2, 9))])).toEqual([1, 4]);
  });

  it("holds below a result that came on that day, but stands with its call", () => {
    expect(starts([called(at(1, 23)), returned(at(2, 0)), said(at(2, 1)), said(at(2, 2))])).toEqual([0, 1, 2]);
  });

  it("does not hold where nothing is known of what is above", () => {
    expect(starts([null, said(at(1, 9)), said(at(2, 9))])).toEqual([2]);
  });
});
