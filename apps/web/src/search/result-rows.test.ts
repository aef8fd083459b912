import { describe, expect, it } from "vitest";
import { layOutHits, marksOf, piecesOf, type SearchHit } from "./result-rows.ts";

const hit = (
  session_path: string,
  snippet = "",
  highlights: [number, number][] = [],
  kind: SearchHit["kind"] = "text",
): SearchHit => ({
  session_path,
  format: "pi",
  session_id: session_path,
  session_title: session_path,
  cwd: null,
  entry_id: "1",
  role: "user",
  kind,
  tool_name: null,
  timestamp: null,
  snippet,
  highlights,
  score: 1,
});

describe("layOutHits", () => {
  it("puts hits of a session together, also over the border of two pages", () => {
    const rows = layOutHits([{ hits: [hit("a"), hit("a")] }, { hits: [hit("a"), hit("b"), hit("a")] }], 5);
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

  it("says once of a session that there is more than is shown", () => {
    const rows = layOutHits([{ hits: [hit("a"), hit("a"), hit("b")] }, { hits: [hit("a"), hit("b")] }], 2);
    expect(rows.filter(({ kind }) => kind !== "session").map(({ kind, hit }) => `${kind} ${hit.session_path}`)).toEqual(
      ["hit a", "hit a", "hit b", "more a", "hit b"],
    );
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

describe("piecesOf in Markdown", () => {
  it.each([
    ["see **tide clock** now", [[6, 10]], ["see ", "*tide", " clock now"]],
    ["`tide`", [[1, 5]], ["*tide"]],
    ["# Tide", [[2, 6]], ["*Tide"]],
    // What was found in an address stays in sight.
    ["[clock](https://tide.org)", [[16, 20]], ["clock](https://", "*tide", ".org)"]],
  ] as [string, [number, number][], string[]][])("shows %j without its signs", (snippet, highlights, pieces) => {
    const found = piecesOf(hit("a", snippet, highlights));
    expect(found.map(({ text, isMarked }) => `${isMarked ? "*" : ""}${text}`)).toEqual(pieces);
  });

  it("is not looked for in what tools say", () => {
    expect(piecesOf(hit("a", "**tide**", [[2, 6]], "tool_result")).map(({ text }) => text)).toEqual([
      "**",
      "tide",
      "**",
    ]);
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
