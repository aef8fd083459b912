import { createSegmentBuilder, type SegmentBuilder } from "@sm/text-index";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { anyPiLine } from "../../format/pi/line.fixture.ts";
import { piFormat } from "../../format/pi/pi.ts";
import { parseLine } from "../../session/jsonl.ts";
import { JsonScanner } from "../session-file/json-scanner.ts";
import { addParsed, addScanned } from "./entry-text.ts";

/** What may come between the bytes of a line. */
const FRAGMENTS = [
  '"}],"isError":false,"timestamp":1}}',
  '","content":[],"x":"',
  '"},{"type":"text","text":"second',
  '"role":"user",',
  '"toolName":"other",',
  '{"type":"message",',
  '"',
  "\\",
  '\\"',
  "\\\\",
  "\\u0000",
  "\\u001b",
  "\\u0041",
  "\\ud83d\\ude00",
  "\\uDC00",
  "\\u00",
  "\\/",
  "\\x41",
  "{",
  "]",
  "\0",
  "\t",
  "\r",
  "\n",
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
const anyBytes = anyPiLine.map((line) => Buffer.from(line));

/** What happens to a line: something comes between, is lost, or comes twice; or it is torn and another one glued on. */
const anyHarm = fc.oneof(
  fc.record({ at: fc.double({ min: 0, max: 1, noNaN: true }), removed: fc.nat(20), put: anyFragment }),
  fc.record({ at: fc.double({ min: 0, max: 1, noNaN: true }), removed: fc.constant(0), put: anyFragment }),
  fc.record({ at: fc.double({ min: 0, max: 1, noNaN: true }), removed: fc.constant(10_000), put: anyBytes }),
);

const anyHarmed = fc.tuple(anyBytes, fc.array(anyHarm, { maxLength: 2 })).map(([line, harms]) =>
  harms.reduce((whole, { at, removed, put }) => {
    const start = Math.floor(at * whole.length);
    return Buffer.concat([whole.subarray(0, start), put, whole.subarray(start + removed)]);
  }, line),
);

/** Each takes longer to make than a line to index. */
const scanner = new JsonScanner();
const scannedBuilder = createSegmentBuilder();
const parsedBuilder = createSegmentBuilder();

/** All that a segment would be written from. */
function builtBy(builder: SegmentBuilder) {
  const documents = structuredClone(builder.documents());
  const terms: unknown[] = [];
  const areas = { postings: "", positions: "" };
  builder.emitTerms({
    appendPostings: (bytes) => {
      areas.postings += Buffer.from(bytes).toString("hex");
    },
    appendPositions: (bytes) => {
      areas.positions += Buffer.from(bytes).toString("hex");
    },
    endTerm: (term, list) => terms.push([term, structuredClone(list)]),
  });
  builder.clear();
  return { documents, terms, areas };
}

/** Indexes lines as they are; `parsedCount` are left to be parsed. */
function indexScanned(lines: readonly Buffer[]) {
  let parsedCount = 0;
  for (const [ordinal, bytes] of lines.entries()) {
    const origin = { path: "/a.jsonl", key: 1, ordinal, timestamp: 5, role: null };
    const scanned = scanner.scan(bytes);
    if (scanned !== null && addScanned(scannedBuilder, piFormat, scanned, origin)) continue;
    const line = parseLine(bytes.toString());
    if (line !== null) addParsed(scannedBuilder, piFormat, line, origin);
    parsedCount++;
  }
  return { ...builtBy(scannedBuilder), parsedCount };
}

function indexParsed(lines: readonly Buffer[]) {
  for (const [ordinal, bytes] of lines.entries()) {
    const line = parseLine(bytes.toString());
    if (line !== null)
      addParsed(parsedBuilder, piFormat, line, { path: "/a.jsonl", key: 1, ordinal, timestamp: 5, role: null });
  }
  return builtBy(parsedBuilder);
}

describe("the text of lines that are not parsed", () => {
  it("is what parsing gives, whatever is written and whatever has happened to it", () => {
    let total = 0;
    let parsed = 0;
    fc.assert(
      fc.property(fc.array(fc.oneof(anyBytes, anyHarmed), { minLength: 1, maxLength: 4 }), (lines) => {
        const { parsedCount, ...scanned } = indexScanned(lines);
        expect(scanned).toEqual(indexParsed(lines));
        total += lines.length;
        parsed += parsedCount;
      }),
      { numRuns: 3000 },
    );
    expect(parsed).toBeLessThan(total / 2);
  });
});
