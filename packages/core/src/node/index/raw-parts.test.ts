import fc from "fast-check";
import { expect, it } from "vitest";
import { piFormat } from "../../format/pi.ts";
import { anyText } from "../../search/any-text.fixture.ts";
import { tokenize } from "../../search/tokens.ts";
import { parseLine } from "../../session/jsonl.ts";
import { NumberList } from "../postings/number-list.ts";
import { Tokenizer } from "../postings/tokenizer.ts";
import { rawLine } from "../raw-line.fixture.ts";

/** What may stand in the text of a result, and what may come between its bytes. */
const FRAGMENTS = [
  '"}],"isError":false,"timestamp":1}}',
  '","content":[],"x":"',
  '"}],"content":[{"type":"text","text":"other',
  '"},{"type":"text","text":"second',
  '"content":"other",',
  '"isError":true,',
  '"role":"user",',
  '"toolName":"other",',
  '"id":"other",',
  '{"type":"message",',
  '"details":{"diff":"+"},',
  '"',
  "\\",
  '\\"',
  "\\\\",
  "\\u0000",
  "\\u001b",
  "\\u0020",
  "\\u0041",
  "\\u00e9",
  "\\ud83d\\ude00",
  "\\uDC00",
  "\\u00",
  "\\/",
  "\\x41",
  "\0",
  "\t",
  "\r",
  "\x7f",
  "\u2028",
  "\ufeff",
  "é",
  "中",
  "getUser",
  "0",
];
/** No UTF-8: what begins nothing, what ends too soon, a half of a pair, a zero in two bytes, beyond Unicode. */
const BROKEN_LETTERS = [[0xff], [0x80], [0xc3], [0xe4, 0xb8], [0xf0, 0x9f, 0x98], [0xed, 0xa0, 0x80], [0xc0, 0x80]];

const anyFragment = fc.oneof(
  fc.constantFrom(...FRAGMENTS).map((text) => Buffer.from(text)),
  fc.constantFrom(...BROKEN_LETTERS).map((bytes) => Buffer.from(bytes)),
);

const anyResult = fc
  .record({
    text: fc.array(fc.oneof(anyText, fc.constantFrom(...FRAGMENTS)), { maxLength: 4 }).map((texts) => texts.join("")),
    toolName: fc.constantFrom("bash", "mcp__x.y", "", 'a"b'),
    parentId: fc.constantFrom(null, "55b8dbd9"),
    isFirstVersion: fc.boolean(),
    isLong: fc.boolean(),
    end: fc.constantFrom("", "", "\r", " ", "}"),
  })
  .map(({ text, toolName, parentId, isFirstVersion, isLong, end }) => {
    const content = [{ type: "text", text: `${text}${isLong ? " more".repeat(100) : ""}` }];
    const message = { role: "toolResult", toolCallId: "toolu_1", toolName, content, isError: false, timestamp: 1 };
    const ids = isFirstVersion ? {} : { id: "3bf80fa8", parentId };
    return Buffer.from(
      `${JSON.stringify({ type: "message", ...ids, timestamp: "2026-03-01T10:00:00Z", message })}${end}`,
    );
  });

/** What happens to a line: something comes between, is lost, or comes twice; or it is torn and another one glued on. */
const anyHarm = fc.oneof(
  fc.record({ at: fc.double({ min: 0, max: 1, noNaN: true }), removed: fc.nat(20), put: anyFragment }),
  fc.record({ at: fc.double({ min: 0, max: 1, noNaN: true }), removed: fc.constant(0), put: anyFragment }),
  fc.record({ at: fc.double({ min: 0, max: 1, noNaN: true }), removed: fc.constant(10_000), put: anyResult }),
);

const anyLine = fc.tuple(anyResult, fc.array(anyHarm, { maxLength: 2 })).map(([result, harms]) =>
  harms.reduce((line, { at, removed, put }) => {
    const start = Math.floor(at * line.length);
    return Buffer.concat([line.subarray(0, start), put, line.subarray(start + removed)]);
  }, result),
);

const tokenizer = new Tokenizer();

/** The terms of a line that is split without being parsed; `null` where it has to be. */
function splitRaw(bytes: Buffer) {
  const line = rawLine(bytes);
  const part = piFormat.rawPart?.(line) ?? null;
  if (part === null || !tokenizer.loadJson(line.bytes(part.start, part.end))) return null;
  const list = new NumberList();
  tokenizer.runLoaded(list);
  const terms = tokenizer.terms();
  const { kind, role, toolName } = part;
  return { kind, role, toolName, terms: Array.from(list.numbers.subarray(0, list.length), (number) => terms[number]) };
}

it("takes no line for what it is not, whatever has happened to it", () => {
  let whole = 0;
  fc.assert(
    fc.property(anyLine, (bytes) => {
      tokenizer.clear();
      const raw = splitRaw(bytes);
      if (raw === null) return;
      whole++;
      const parsed = parseLine(bytes.toString());
      if (parsed === null) throw new Error("It is no JSON object.");
      const parts = piFormat.parts(parsed).map(({ kind, role, toolName, model, text, files }) => {
        expect([model, files]).toEqual([null, []]);
        return { kind, role, toolName, terms: tokenize(text).map(({ term }) => term) };
      });
      expect(parts).toEqual([raw]);
    }),
    { numRuns: 3000 },
  );
  expect(whole).toBeGreaterThan(300);
});
