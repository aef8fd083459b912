import { type JsonObject, noUsage, piItem, type TranscriptItem } from "@sm/core";
import { describe, expect, it } from "vitest";
import { isSameRow, rowAt } from "./rows.ts";

const message = (fields: JsonObject): JsonObject => ({ type: "message", message: fields });
const calling = (...ids: string[]) =>
  message({ role: "assistant", content: ids.map((id) => ({ type: "toolCall", id, name: "bash", arguments: {} })) });
const result = (toolCallId: string) => message({ role: "toolResult", toolCallId, toolName: "bash", content: [] });
const said = (role: string) => message({ role, content: "text" });
const note = { type: "model_change", provider: "p", modelId: "m" };

function rows(entries: (JsonObject | undefined)[]): string[] {
  return shown(
    entries.map((entry, place) =>
      entry === undefined ? undefined : piItem({ ...entry }, { id: String(place), parentId: null }),
    ),
  );
}

function shown(items: (TranscriptItem | undefined)[]): string[] {
  const itemAt = (place: number): TranscriptItem | undefined => items[place];
  return items.map((_, place) => {
    const row = rowAt(place, itemAt);
    if (row.kind === "missing" || row.kind === "absorbed") return row.kind;
    const more = row.kind === "message" && row.results.length > 0 ? ` +${row.results.map(({ id }) => id)}` : "";
    return `${row.item.kind}${more}${row.continues ? " continues" : ""}`;
  });
}

describe("rowAt", () => {
  it.each<[string, (JsonObject | undefined)[], string[]]>([
    [
      "puts results to their calls, whatever notes lie between",
      [said("user"), calling("1", "2"), result("1"), note, result("2"), said("assistant")],
      ["message", "message +2,4", "absorbed", "note", "absorbed", "message continues"],
    ],
    ["leaves a result alone that nobody called for", [said("user"), result("1")], ["message", "tool_result"]],
    ["leaves a result alone that stands at the root", [result("1")], ["tool_result"]],
    ["waits with a result for what is above it", [undefined, result("1")], ["missing", "absorbed"]],
    [
      "ends the waiting at the next message",
      [calling("1"), said("user"), result("1")],
      ["message", "message", "tool_result"],
    ],
    [
      "goes on in a turn over notes",
      [said("assistant"), note, said("assistant")],
      ["message", "note", "message continues"],
    ],
    [
      "begins a turn anew behind a summary",
      [said("assistant"), { type: "compaction", summary: "s" }, said("assistant")],
      ["message", "summary", "message"],
    ],
  ])("%s", (_what, entries, expected) => {
    expect(rows(entries)).toEqual(expected);
  });
});

it("leaves out what the agent's client notes for itself", () => {
  const place = { id: "1", parent_id: null, timestamp: null };
  const noted = (hidden: boolean) => ({
    ...place,
    kind: "note" as const,
    type: "turn_duration",
    value: {},
    hidden,
    usage: null,
  });
  expect(shown([noted(false), noted(true)])).toEqual(["note", "absorbed"]);
});

describe("an answer in several entries", () => {
  const usage = (output_tokens: number) => ({ ...noUsage(), output_tokens });
  const piece = (id: string, answer_id: string, output: number, entry = said("assistant")): TranscriptItem => {
    const item = piItem(entry, { id, parentId: null });
    return item.kind === "message" ? { ...item, answer_id, usage: usage(output) } : item;
  };
  const other = (id: string, entry: JsonObject) => piItem(entry, { id, parentId: null });
  const ITEMS = [
    piece("0", "a", 1),
    piece("1", "a", 1, calling("1")),
    piece("2", "a", 60, calling("2")),
    other("3", result("1")),
    other("4", result("2")),
    piece("5", "b", 7),
  ];

  it("has its results with its calls, whatever piece they are in", () => {
    expect(shown(ITEMS)).toEqual([
      "message",
      "message +3 continues",
      "message +4 continues",
      "absorbed",
      "absorbed",
      "message continues",
    ]);
    const mixed = [piece("0", "a", 1, calling("1")), piece("1", "b", 1, calling("2")), other("2", result("1"))];
    expect(shown(mixed)).toEqual(["message", "message continues", "tool_result continues"]);
  });

  it("tells once what it took", () => {
    const rows = ITEMS.map((_, place) => rowAt(place, (at) => ITEMS[at]));
    expect(rows.map((row) => (row.kind === "message" ? row.usage?.output_tokens : row.kind))).toEqual([
      60,
      undefined,
      undefined,
      "absorbed",
      "absorbed",
      7,
    ]);
  });
});

describe("isSameRow", () => {
  it("notices another result", () => {
    const items = [calling("1"), result("1")].map((entry, place) => piItem(entry, { id: `${place}`, parentId: null }));
    const before = rowAt(0, (place) => (place === 0 ? items[0] : undefined));
    const after = rowAt(0, (place) => items[place]);
    expect(isSameRow(before, after)).toBe(false);
    expect(
      isSameRow(
        after,
        rowAt(0, (place) => items[place]),
      ),
    ).toBe(true);
    expect(
      isSameRow(
        after,
        rowAt(1, (place) => items[place]),
      ),
    ).toBe(false);
  });
});
