import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseYaml, readPlainFields } from "./front-matter.ts";

describe("readPlainFields", () => {
  it("reads names and sentences", () => {
    expect(readPlainFields("\nname: tide-clock\ndescription: Reads tides, e.g. of Brest (in French).")).toEqual({
      name: "tide-clock",
      description: "Reads tides, e.g. of Brest (in French).",
    });
  });

  it.each([
    "",
    "name",
    "name: x: y",
    "name: x # y",
    "name: 'x'",
    "name: True",
    "null: x",
    "name: 1",
    "name: [x]",
    "name: x\n  more",
    "name: x\nname: y",
    "name: >\n  x",
    "name: x ",
  ])("leaves %j to the parser", (text) => {
    expect(readPlainFields(text)).toBeNull();
  });

  it("reads what the parser would read", async () => {
    const word = fc.oneof(
      fc.constantFrom(
        "name",
        "a",
        "true",
        "Null",
        "nan",
        "yes",
        "1",
        "-",
        "- a",
        ":",
        "#",
        "'",
        '"',
        "!",
        "?",
        "*a",
        "&a",
        "|",
      ),
      fc.string({ maxLength: 3 }),
    );
    const line = fc
      .array(fc.oneof(word, fc.constantFrom(" ", ": ", " #", ",", ".")), { maxLength: 6 })
      .map((parts) => parts.join(""));
    const field = fc.tuple(word, line).map(([key, value]) => `${key}: ${value}`);
    const text = fc.array(fc.oneof(field, line), { maxLength: 3 }).map((lines) => lines.join("\n"));
    await fc.assert(
      fc.asyncProperty(text, async (yaml) => {
        const fields = readPlainFields(yaml);
        if (fields !== null) expect(await parseYaml(yaml)).toEqual(fields);
      }),
      { numRuns: 3_000 },
    );
  });
});
