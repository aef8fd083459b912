import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { KEY_NAMES, type ScannedLine } from "../../format/scanned-line.ts";
import {
  ARRAY,
  ASCII,
  ESCAPED,
  FALSE,
  NAME_STEP,
  NULL,
  NUMBER,
  OBJECT,
  TOKEN_NUMBERS,
  TRUE,
  UTF8,
} from "../../format/token-layout.ts";
import { parseLine } from "../../session/jsonl.ts";
import { JsonScanner } from "./json-scanner.ts";
import { written } from "./json-text.fixture.ts";

const scanner = new JsonScanner();

function scan(line: string | Uint8Array): ScannedLine | null {
  return scanner.scan(Buffer.from(line));
}

/** What a token stands for, made from the tokens alone; `next`: the token behind it. */
function valueAt(line: ScannedLine, token: number): { value: unknown; next: number } {
  const at = (number: number) => line.tokens[token * TOKEN_NUMBERS + number] ?? 0;
  const kind = at(0) & (NAME_STEP - 1);
  const [start, end] = [at(1), at(2)];
  if (kind === ARRAY || kind === OBJECT) {
    const inner: { key: string; value: unknown }[] = [];
    for (let place = token + 1; place < end; ) {
      const key = keyOf(line, place);
      const { value, next } = valueAt(line, place);
      inner.push({ key, value });
      place = next;
    }
    if (kind === ARRAY) return { value: inner.map(({ value }) => value), next: end };
    const object: Record<string, unknown> = {};
    for (const { key, value } of inner) {
      Object.defineProperty(object, key, { value, enumerable: true, writable: true, configurable: true });
    }
    return { value: object, next: end };
  }
  const text = line.text(start, end);
  const next = token + 1;
  switch (kind) {
    case ASCII:
      expect(line.ascii(start, end)).toBe(text);
      return { value: text, next };
    case UTF8:
      return { value: text, next };
    case ESCAPED:
      return { value: JSON.parse(`"${text}"`), next };
    default:
      expect([NULL, FALSE, TRUE, NUMBER]).toContain(kind);
      return { value: JSON.parse(text), next };
  }
}

function keyOf(line: ScannedLine, token: number): string {
  const [head = 0, , , start = 0, end = 0] = line.tokens.subarray(token * TOKEN_NUMBERS, (token + 1) * TOKEN_NUMBERS);
  const key = line.text(start, end);
  expect(KEY_NAMES[Math.floor(head / NAME_STEP) - 1]).toBe(
    (KEY_NAMES as readonly string[]).includes(key) ? key : undefined,
  );
  return key;
}

describe("a line", () => {
  it.each<[string, string]>([
    ["of nothing", "{}"],
    ["of every kind of value", '{"a":[null,true,false,-0.5e+3,0,1E9,"x",[],{},[[{"b":{}}]]],"type":"é","id":"\\n"}'],
    ["with spaces between", ' \t{ "a" :\t[ 1 , { } ] \r, "b":"" }\r'],
    [
      "with strings of every length",
      JSON.stringify(Array.from({ length: 70 }, (_, at) => "x".repeat(at)).map((a) => [a])),
    ],
    ["with every name", JSON.stringify(Object.fromEntries(KEY_NAMES.map((name) => [name, name])))],
    ["with keys like names", '{"typ":1,"types":2,"arguments_":3,"an even longer key than any name":4,"":5}'],
    ["that is 60 deep", `${'{"a":'.repeat(60)}0${"}".repeat(60)}`],
  ])("%s is walked", (_, text) => {
    const json = text.startsWith("[") ? `{"a":${text}}` : text;
    const line = scan(json);
    expect(line && valueAt(line, 0).value).toEqual(JSON.parse(json));
  });

  it.each<[string, string]>([
    ["is no object", "[1]"],
    ["is empty", ""],
    ["is torn", '{"a":"b'],
    ["has something behind it", '{"a":1}{'],
    ["has a comma too many", '{"a":[1,]}'],
    ["has a key without a value", '{"a"}'],
    ["has a key with escapes", '{"\\u0074ype":"x"}'],
    ["is deeper than any agent's", `${'{"a":'.repeat(61)}0${"}".repeat(61)}`],
    ["has more values than any agent's", `{"a":[${"0,".repeat(20_000)}0]}`],
    ["is longer than the buffer", `{"a":"${"x".repeat(1 << 20)}"}`],
  ])("is left to the parser where it %s", (_, json) => {
    expect(scan(json)).toBeNull();
  });

  it("is never taken for what it is not", () => {
    let tried = 0;
    let walked = 0;
    const value = fc.letrec((tie) => ({
      object: fc.dictionary(
        fc.oneof({ weight: 30, arbitrary: fc.constantFrom(...KEY_NAMES) }, fc.string()),
        tie("any"),
        {
          maxKeys: 4,
        },
      ),
      any: fc.oneof(
        { maxDepth: 4 },
        fc.jsonValue({ maxDepth: 1 }),
        fc.string({ unit: "binary" }),
        fc.array(tie("any"), { maxLength: 4 }),
        tie("object"),
      ),
    })).object;
    fc.assert(
      fc.property(written(value), (bytes) => {
        tried++;
        const line = scan(bytes);
        if (line === null) return;
        walked++;
        expect(valueAt(line, 0).value).toEqual(parseLine(bytes.toString()));
      }),
      { numRuns: 3000 },
    );
    expect(walked).toBeGreaterThan(tried / 6);
  });
});

it("walks lines one behind the other", () => {
  const lines = ['{"a":1}', "no JSON", '{"b":"c"}'];
  scanner.bytes.write(`${lines.join("\n")}\n`);
  expect(scanner.scanAt(0)).toBe(8);
  expect(scanner.scanAt(8)).toBe(-1);
  expect(scanner.scanAt(16)).toBe(26);
});
