import fc from "fast-check";
import { expect, it } from "vitest";
import { parseLine } from "../../session/jsonl.ts";
import { SessionFold } from "../../session/session-fold.ts";
import { anyLongLine, sourceOf } from "./long-line.fixture.ts";
import { LongLine } from "./long-line.ts";

const open = (bytes: Buffer) => LongLine.open(sourceOf(bytes), 0, bytes.length);
const lineOf = (text: string) => Buffer.from(`{"text":"${text}"}`);
const LONG = 100_000;

it("says what parsing says, whatever stands in a line", () => {
  let tried = 0;
  let opened = 0;
  fc.assert(
    fc.property(anyLongLine, (bytes) => {
      tried++;
      const long = open(bytes);
      if (long === null) return;
      opened++;
      const parsed = parseLine(bytes.toString());
      const named = long.named();
      expect(named === null).toBe(parsed === null);
      if (parsed === null) return;
      const told = (textOf: (named: string) => Iterable<string>) =>
        JSON.parse(JSON.stringify(named), (_, value) =>
          typeof value === "string" ? [...textOf(value)].join("") : value,
        );
      expect(told((text) => long.pieces(text))).toEqual(parsed);
      expect(told((text) => long.smallPieces(text))).toEqual(parsed);
      const trimmed = JSON.parse(JSON.stringify(parsed), (_, value) =>
        typeof value === "string" ? value.trim() : value,
      );
      expect(told((text) => long.pieces(text.trim()))).toEqual(trimmed);
    }),
    { numRuns: 300 },
  );
  expect(opened).toBeGreaterThan(tried / 4);
});

it("is folded to what it is when it is parsed", () => {
  const header = { type: "session", version: 3, id: "s", timestamp: "2026-01-01T00:00:00Z", cwd: "/" };
  const folded = (add: (fold: SessionFold) => void) => {
    const fold = new SessionFold();
    fold.add(header, 0, 10);
    add(fold);
    return { record: fold.record({ path: "/s", size: 1, modifiedAt: 0 }), outline: fold.outline.encodeChunk(0) };
  };
  let tried = 0;
  let added = 0;
  fc.assert(
    fc.property(anyLongLine, (bytes) => {
      tried++;
      const long = open(bytes);
      const named = long?.named() ?? null;
      const parsed = parseLine(bytes.toString());
      if (long === null || named === null || parsed === null) return;
      let isAdded = false;
      const told = folded((fold) => {
        isAdded = fold.addNamed(named, (text) => long.isNamedIn(text), 10, bytes.length);
      });
      if (!isAdded) return;
      added++;
      expect(told).toEqual(folded((fold) => fold.add(parsed, 10, bytes.length)));
    }),
    { numRuns: 200 },
  );
  expect(added).toBeGreaterThan(tried / 10);
});

it("gives pieces that end where a line does", () => {
  const long = open(lineOf(`${"some words\\\\n or\\\\\\n".repeat(LONG / 10)}the end`));
  const pieces = [...(long?.pieces(String(long.named()?.text)) ?? [])];
  expect(pieces.length).toBeGreaterThan(2);
  for (const piece of pieces.slice(0, -1)) expect(piece.endsWith("or\\\n")).toBe(true);
  expect(pieces.at(-1)?.endsWith("the end")).toBe(true);
});

it("gives pieces that end where a word does where no line ends", () => {
  const long = open(lineOf(`${"some words and ".repeat(LONG)}end`));
  const pieces = [...(long?.pieces(String(long.named()?.text)) ?? [])];
  expect(pieces.length).toBeGreaterThan(20);
  for (const piece of pieces.slice(0, -1)) expect(piece.endsWith(" ")).toBe(true);
});

it("gives a text of one word as one piece", () => {
  const long = open(lineOf("x".repeat(LONG)));
  expect([...(long?.pieces(String(long.named()?.text)) ?? [])]).toEqual(["x".repeat(LONG)]);
});

it.each([
  ["letters of three bytes", "中"],
  ["letters of four", "x😀"],
  ["escapes", "\\ud83d\\ude00"],
  ["escaped backslashes", "\\\\"],
  ["escaped backslashes before escapes", '\\\\\\"'],
  ["escaped backslashes before letters", "\\\\u00"],
  ["bytes that are no letter", "\u0080"],
])("gives small pieces of a text of %s, whatever stands before it", (_, unit) => {
  for (let before = 0; before < 14; before++) {
    const bytes = lineOf(`x${"y".repeat(before)}${unit.repeat(LONG / 2)}z`);
    const long = open(bytes);
    const pieces = [...(long?.smallPieces(String(long.named()?.text)) ?? [])];
    expect(pieces.join("")).toBe(parseLine(bytes.toString())?.text);
    for (const piece of pieces) expect(piece.length).toBeLessThanOrEqual(64 * 1024);
  }
});

it.each([
  ["line feeds", "\\n\\n", "\\n"],
  ["all that is usual", "\\r\\n \\t\\f", "\\t \\r\\n"],
  ["a backslash before an n", "", "\\\\n"],
  ["a backslash before a line feed", "", "\\\\\\n"],
])("leaves white space around a text to who reads it: %s", (_, before, behind) => {
  const bytes = lineOf(`${before}${"x ".repeat(LONG)}.${behind}`);
  const long = open(bytes);
  const whole = String(parseLine(bytes.toString())?.text);
  const named = String(long?.named()?.text);
  expect([...(long?.pieces(named) ?? [])].join("")).toBe(whole);
  expect([...(long?.pieces(named.trim()) ?? [])].join("")).toBe(whole.trim());
});

it.each([
  ["without long strings", lineOf("short")],
  ["with much besides", Buffer.from(`{"a":[${"1,".repeat(3_000_000)}1],"text":"${"x".repeat(LONG)}"}`)],
  ["with a long key", Buffer.from(`{"${"x".repeat(LONG)}" :1}`)],
  ["with a long string that may be blank", lineOf(`${" \\n".repeat(LONG)}x`)],
  ["with a long string that ends with much white space", lineOf(`x${" \\n".repeat(LONG)}`)],
  ["with white space that is seldom there", lineOf(`\\u00a0${"x".repeat(LONG)}`)],
  ["with such at the end", lineOf(`${"x".repeat(LONG)}\u2003 \\n`)],
  ["with such that is escaped", lineOf(`${"x".repeat(LONG)}\\u2028`)],
  ["with a control character", lineOf(`${"x".repeat(LONG)}\n`)],
  ["with an escape that is none", lineOf(`${"x".repeat(LONG)}\\u12G4`)],
  ["that ends too soon", lineOf("x".repeat(LONG)).subarray(0, LONG)],
])("leaves a line %s to others", (_, bytes) => {
  expect(open(bytes)).toBeNull();
});

it("ends a text where its file does meanwhile", () => {
  const bytes = lineOf("some words\\n".repeat(LONG / 5));
  let length = bytes.length;
  const long = LongLine.open(
    { fill: (buffer, offset) => sourceOf(bytes.subarray(0, length)).fill(buffer, offset) },
    0,
    bytes.length,
  );
  length = LONG;
  expect([...(long?.pieces(String(long.named()?.text)) ?? [])].join("").length).toBeLessThan(LONG);
});
