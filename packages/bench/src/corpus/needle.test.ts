import { describe, expect, it } from "vitest";
import { type Needle, planNeedle, searchesFor } from "./needle.ts";
import { Random } from "./random.ts";

const needle: Needle = {
  place: "file_path",
  form: "word",
  text: "qzazezi",
  query: "qzazezi",
  path: "agent/sessions/--w--/a.jsonl",
  entryId: "00000001",
  kind: "tool_call",
  role: "tool",
  cwd: "/w",
};

describe("searchesFor", () => {
  it("asks for a path in every way", () => {
    expect(searchesFor(needle)).toEqual([
      { way: "words", query: "qzazezi", role: "all" },
      { way: "words", query: "qzazezi", role: "tool" },
      { way: "substring", query: '~"zazez"', role: "all" },
      { way: "fields", query: 'qzazezi project:"/w" tool:read file:"src/qzazezi.ts"', role: "tool" },
      { way: "fields", query: 'project:"/w" tool:read file:"src/qzazezi.ts"', role: "all" },
    ]);
  });

  it("asks for a name without a role or a tool", () => {
    expect(searchesFor({ ...needle, place: "name", kind: "name", role: "all" })).toEqual([
      { way: "words", query: "qzazezi", role: "all" },
      { way: "substring", query: '~"zazez"', role: "all" },
      { way: "fields", query: 'qzazezi project:"/w"', role: "all" },
    ]);
  });
});

it("leaves at least three characters of every needle to ask for as a part", () => {
  const random = new Random(1);
  for (let index = 0; index < 500; index++) {
    expect([...planNeedle(random, index).text].length).toBeGreaterThanOrEqual(5);
  }
});
