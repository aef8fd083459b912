import { type JsonObject, piItem, type TranscriptItem } from "@sm/core";
import { describe, expect, it } from "vitest";
import { isSameRow, rowAt } from "./rows.ts";

const message = (fields: JsonObject): JsonObject => ({ type: "message", message: fields });
const calling = (...ids: string[]) =>
  message({ role: "assistant", content: ids.map((id) => ({ type: "toolCall", id, name: "bash", arguments: {} })) });
const result = (toolCallId: string) => message({ role: "toolResult", toolCallId, toolName: "bash", content: [] });
const said = (role: string) => message({ role, content: "text" });
const note = { type: "model_change", provider: "p", modelId: "m" };

function rows(entries: (JsonObject | undefined)[]): string[] {
  const items = entries.map((entry, place) =>
    entry === undefined ? undefined : piItem({ ...entry }, { id: String(place), parentId: null }),
  );
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
