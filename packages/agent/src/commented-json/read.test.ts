import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { positionOf, readWithComments } from "./read.ts";

describe("readWithComments", () => {
  it.each([
    ["", "1:1: a value is missing"],
    ["{\n  http_port: 1\n}", "2:3: an unknown word"],
    ['{\n  "a": 1\n  "b": 2\n}', '3:3: "," is missing'],
    ["{'a': 1}", "1:2: an unknown word"],
    ['{"a" 1}', '1:6: ":" is missing'],
    ['{"a": }', "1:7: a value is missing"],
    ['{"a": "b\n"}', "1:7: a string is not closed"],
    ['{"a": "C:\\data"}', "1:7: an invalid escape"],
    ['{"a": 1', '1:8: "}" is missing'],
    ['{"a": 1,,}', "1:9: a field name in double quotes is missing"],
    ["{} {}", "1:4: text after the end"],
    ["{} /* more", "1:4: a comment is not closed"],
    [`${"[".repeat(200_000)}`, "1:1: it is nested too deeply"],
  ])("finds the mistake in %.20j", (text, mistake) => {
    expect(readWithComments(text)).toEqual({ mistake });
  });

  it("reads comments and trailing commas", () => {
    expect(readWithComments('// a\r\n{"a": [1, /* b */ 2,], // c\n}')).toEqual({ value: { a: [1, 2] } });
  });

  it("accepts and rejects what JSON.parse accepts and rejects, without comments and trailing commas", () => {
    const nearlyJson = fc
      .tuple(fc.json(), fc.nat(), fc.constantFrom("", ",", '"', "}", "\\", "\u0001", "\u007f", "-", "1", " "))
      .map(([text, position, extra]) => {
        const at = position % (text.length + 1);
        return text.slice(0, at) + extra + text.slice(at + (position % 2));
      });
    const isPlain = (text: string) => !/\/[/*]|,\s*[\]}]|__proto__/.test(text);
    fc.assert(
      fc.property(fc.oneof(nearlyJson, fc.string()).filter(isPlain), (text) => {
        let plain: unknown;
        try {
          plain = { value: JSON.parse(text) };
        } catch {
          plain = { mistake: expect.stringMatching(/^\d+:\d+: /) };
        }
        expect(readWithComments(text)).toEqual(plain);
      }),
      { numRuns: 2000 },
    );
  });
});

it.each([
  [[], "2:1"],
  [["a", "b", 1], "3:28"],
  [["c", "", "/"], "4:19"],
  [["a", "b", 7], "3:15"],
  [["none", 1], "2:1"],
])("the position of %j is found between comments", (path, position) => {
  const text = '// {\n{\n  "a": {"b" : [10, /* 1 */ true,]},\n  "c": {"": {"/": "x"}},\n}\n';
  expect(positionOf(text, path)).toBe(position);
});
