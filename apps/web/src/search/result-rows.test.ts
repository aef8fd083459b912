import { describe, expect, it } from "vitest";
import { layOutHits, marksOf, piecesOf, type SearchHit } from "./result-rows.ts";

const hit = (session_path: string, snippet = "", highlights: [number, number][] = []): SearchHit => ({
  session_path,
  session_id: session_path,
  session_title: session_path,
  cwd: null,
  entry_id: "1",
  role: "user",
  kind: "text",
  tool_name: null,
  timestamp: null,
  snippet,
  highlights,
  score: 1,
});

describe("layOutHits", () => {
  it("puts hits of a session together, also over the border of two pages", () => {
    const rows = layOutHits([{ hits: [hit("a"), hit("a")] }, { hits: [hit("a"), hit("b"), hit("a")] }]);
    expect(rows.map(({ kind, hit }) => `${kind} ${hit.session_path}`)).toEqual([
      "session a",
      "hit a",
      "hit a",
      "hit a",
      "session b",
      "hit b",
      "session a",
      "hit a",
    ]);
    expect(new Set(rows.map(({ key }) => key)).size).toBe(rows.length);
  });
});

describe("piecesOf", () => {
  it.each([
    ["plain", [], ["plain"]],
    ["a tide", [[2, 6]], ["a ", "*tide"]],
    [
      "😀tide, ebb",
      [
        [2, 6],
        [8, 11],
      ],
      ["😀", "*tide", ", ", "*ebb"],
    ],
  ] as [string, [number, number][], string[]][])("cuts %j at %j", (snippet, highlights, pieces) => {
    const found = piecesOf(hit("a", snippet, highlights));
    expect(found.map(({ text, isMarked }) => `${isMarked ? "*" : ""}${text}`)).toEqual(pieces);
  });
});

describe("marksOf", () => {
  it("gives each text once, whatever its case, and not too many", () => {
    expect(
      marksOf(
        hit("a", "Tide tide ebb", [
          [0, 4],
          [5, 9],
          [10, 13],
        ]),
      ),
    ).toEqual(["tide", "ebb"]);
    const letters = "abcdefghijkl";
    const all = [...letters].map((_, at): [number, number] => [at, at + 1]);
    expect(marksOf(hit("a", letters, all))).toHaveLength(8);
  });
});
