import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { JsonSyntaxError, linePosition, scanJson } from "./json-syntax.ts";

function mistake(text: string): { line: number; column: number; reason: string } | null {
  try {
    scanJson(text);
    return null;
  } catch (error) {
    if (!(error instanceof JsonSyntaxError)) throw error;
    return { ...linePosition(text, error.offset), reason: error.message };
  }
}

describe("scanJson", () => {
  it.each([
    ["", 1, 1, "expected a value, but the text ends here"],
    ["{\n  http_port: 1\n}", 2, 3, 'expected a field name in double quotes, found "h"'],
    ['{\n  "a": 1\n  "b": 2\n}', 3, 3, 'expected "," or "}", found "\\""'],
    ['{\n  "a": 1,\n}', 3, 1, 'expected a field name, found "}" (no comma after the last one)'],
    ["[1, ]", 1, 5, 'expected a value, found "]" (no comma after the last one)'],
    ['{"a": 1, // port\n}', 1, 10, 'expected a field name in double quotes, found "/" (JSON has no comments)'],
    ["{'a': 1}", 1, 2, 'expected a field name in double quotes, found "\'" (JSON strings stand in double quotes)'],
    ['{"a" 1}', 1, 6, 'expected ":" after the field name, found "1"'],
    ['{"a": yes}', 1, 7, 'expected a value, found "y"'],
    ['{"a": 01}', 1, 7, 'expected a value, found "0"'],
    ['{"a": "b\n"}', 1, 9, 'expected the closing quote of a string, found "\\n"'],
    ['{"a": "C:\\data"}', 1, 10, 'expected an escape that JSON knows, found "\\\\"'],
    ['{"a": 1', 1, 8, 'expected "," or "}", but the text ends here'],
    ["{} {}", 1, 4, 'expected the end of the text, found "{"'],
    ["😀", 1, 1, 'expected a value, found "😀"'],
  ])("finds the mistake in %j", (text, line, column, reason) => {
    expect(mistake(text)).toEqual({ line, column, reason });
  });

  it("accepts and rejects what JSON.parse accepts and rejects", () => {
    const nearlyJson = fc
      .tuple(fc.json(), fc.nat(), fc.constantFrom("", ",", '"', "}", "\\", "\u0001", "\u007f", "-", "1", " "))
      .map(([text, position, extra]) => {
        const at = position % (text.length + 1);
        return text.slice(0, at) + extra + text.slice(at + (position % 2));
      });
    fc.assert(
      fc.property(fc.oneof(nearlyJson, fc.string()), (text) => {
        let valid = true;
        try {
          JSON.parse(text);
        } catch {
          valid = false;
        }
        expect(mistake(text) === null).toBe(valid);
      }),
      { numRuns: 2000 },
    );
  });

  it("tells where each value is", () => {
    const text = ' {\n  "a": {"b" : [10, true ]},\n  "c": "x"\n}\n';
    const values = [...scanJson(text)].map(([path, { start, end }]) => [path, text.slice(start, end)]);
    expect(values).toEqual([
      ["", text.trim()],
      ["a", '{"b" : [10, true ]}'],
      ["a.b", "[10, true ]"],
      ["a.b.0", "10"],
      ["a.b.1", "true"],
      ["c", '"x"'],
    ]);
  });
});
