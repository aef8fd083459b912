import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { LineSplitter, parseLine } from "./jsonl.ts";

function split(chunks: Uint8Array[], offset = 0) {
  const lines: { text: string; offset: number }[] = [];
  const splitter = new LineSplitter(
    (bytes, at) => lines.push({ text: new TextDecoder().decode(bytes), offset: at }),
    offset,
  );
  for (const chunk of chunks) splitter.push(chunk);
  const rest = splitter.takeRest();
  return { lines, rest: new TextDecoder().decode(rest.bytes), restOffset: rest.offset };
}

const bytes = (text: string) => new TextEncoder().encode(text);

describe("LineSplitter", () => {
  it.each([
    ["nothing", "", [], ""],
    ["a rest only", "abc", [], "abc"],
    ["lines and no rest", "a\nb\n", ["a", "b"], ""],
    ["empty lines", "\n\na\n", ["", "", "a"], ""],
    ["other line ends", "a\u2028b\u2029c\r\nd\u0085", ["a\u2028b\u2029c\r"], "d\u0085"],
  ])("cuts %s at LF only", (_, text, lines, rest) => {
    const result = split([bytes(text)]);
    expect(result.lines.map((line) => line.text)).toEqual(lines);
    expect(result.rest).toBe(rest);
  });

  it("gives the same lines and offsets however the bytes are cut", () => {
    const pieces = fc.array(fc.string({ unit: fc.constantFrom("a", "é", "\n", "漢", "\n") }), { maxLength: 20 });
    fc.assert(
      fc.property(pieces, fc.nat(100), (texts, offset) => {
        const whole = split([bytes(texts.join(""))], offset);
        expect(split(texts.map(bytes), offset)).toEqual(whole);
        expect(whole.lines.map((line) => `${line.text}\n`).join("") + whole.rest).toBe(texts.join(""));
      }),
    );
  });

  it.each([bytes("ab"), Buffer.from("ab")])("leaves the caller free to use its buffer again", (buffer) => {
    const lines: string[] = [];
    const splitter = new LineSplitter((line) => lines.push(new TextDecoder().decode(line)));
    splitter.push(buffer);
    buffer.set(bytes("c\n"));
    splitter.push(buffer);
    expect(lines).toEqual(["abc"]);
  });
});

describe("parseLine", () => {
  it.each(["", " ", "1", "null", '"text"', "[1]", "{", '{"a":1}{"b":2}', "not json"])(
    "takes %j for no object",
    (text) => {
      expect(parseLine(text)).toBeNull();
    },
  );

  it("parses an object", () => {
    expect(parseLine('{"a":[1]}\r')).toEqual({ a: [1] });
  });
});
