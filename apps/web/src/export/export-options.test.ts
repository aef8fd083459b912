import { describe, expect, it } from "vitest";
import { exportAddress, readOptions } from "./export-options.ts";

const USUAL = readOptions(null);

describe("readOptions", () => {
  it.each([
    [undefined, USUAL],
    ["html", USUAL],
    [{ format: "exe", theme: 3, thinking: "no", tools: null, redact: "yes", words: ["Ada"] }, USUAL],
    [{ words: "Ada, " }, { ...USUAL, words: "Ada, " }],
    [
      { format: "json", thinking: false, redact: true, notes: true, subagents: true },
      { ...USUAL, format: "json", thinking: false, redact: true, notes: true, subagents: true },
    ],
    [
      { tools: false, theme: "dark" },
      { ...USUAL, tools: false, theme: "dark" },
    ],
  ])("reads %j", (stored, options) => expect(readOptions(stored)).toEqual(options));
});

describe("exportAddress", () => {
  it.each([
    [{}, null, "format=html"],
    [{ theme: "dark" }, "a b", "format=html&theme=dark&leaf_id=a+b"],
    [{ format: "markdown", theme: "dark", thinking: false }, null, "format=markdown&include_thinking=false"],
    [{ format: "json", tools: false, redact: true }, "1", "format=json&include_tools=false&redact=true&leaf_id=1"],
    [{ format: "json", words: "Ada" }, null, "format=json"],
    [
      { format: "json", redact: true, words: "Ada\n Acme  Corp,x" },
      null,
      "format=json&redact=true&redact_words=Ada&redact_words=Acme+Corp&redact_words=x",
    ],
    [{ format: "json", notes: true }, null, "format=json&include_notes=true"],
    [{ format: "json", subagents: true }, null, "format=json&include_subagents=true"],
    [{ format: "jsonl", tools: false, redact: true, notes: true, subagents: true }, "1", "format=jsonl"],
  ] as const)("is, with %j", (options, leafId, query) => {
    expect(exportAddress("/a&b.jsonl", { ...USUAL, ...options }, leafId)).toBe(
      `/api/export?path=%2Fa%26b.jsonl&${query}`,
    );
  });
});
