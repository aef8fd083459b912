import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { StatusReader, type StatusSignal } from "./status-reader.ts";

const base64 = (text: string) => Buffer.from(text).toString("base64");
const st = (body: string) => `\x1b]7501;${body}\x1b\\`;

function read(...pieces: string[]): StatusSignal[] {
  const reader = new StatusReader();
  return pieces.flatMap((piece) => reader.read(piece));
}

function reportOf(body: string): object | null {
  const [signal] = read(st(body));
  return signal?.type === "report" ? signal.report : null;
}

const NOTHING = { app: null, kind: null, title: null, message: null, progress: null };

describe("StatusReader", () => {
  it.each([
    ["state=idle:app=pi", { ...NOTHING, state: "idle", app: "pi" }],
    [
      `state=working:app=pi:msg=${base64("Tide clock")}`,
      { ...NOTHING, state: "working", app: "pi", message: "Tide clock" },
    ],
    [
      `state=blocked:app=pi:kind=question:msg=${base64("Delete it?")}`,
      { ...NOTHING, state: "blocked", app: "pi", kind: "question", message: "Delete it?" },
    ],
    ["state=working:progress=40", { ...NOTHING, state: "working", progress: 40 }],
    [`state=done:title=${base64("Build")}`, { ...NOTHING, state: "done", title: "Build" }],
    [`state=error:msg=${base64("Überlauf 漢")}`, { ...NOTHING, state: "error", message: "Überlauf 漢" }],
    ["state=done:later=field:alone", { ...NOTHING, state: "done" }],
    // What is no part of the protocol, or means harm.
    ["state=working:progress=101", { ...NOTHING, state: "working" }],
    ["state=working:kind=question", { ...NOTHING, state: "working" }],
    ["state=blocked:kind=money", { ...NOTHING, state: "blocked" }],
    [`state=done:app=${"a".repeat(33)}`, { ...NOTHING, state: "done" }],
    ["state=done:app=<b>", { ...NOTHING, state: "done" }],
    [`state=done:msg=${base64("a\x1b[31m\n b\u202e\0c")}`, { ...NOTHING, state: "done", message: "a [31m b c" }],
    [`state=done:msg=${base64("  \n")}`, { ...NOTHING, state: "done" }],
    [`state=done:msg=${base64("x".repeat(300))}`, { ...NOTHING, state: "done", message: "x".repeat(200) }],
    [`state=done:msg=${base64(`${"x".repeat(199)}😀`)}`, { ...NOTHING, state: "done", message: "x".repeat(199) }],
    ["state=done:msg=no base64", null],
    [`state=done:msg=${Buffer.from([0xff, 0xfe]).toString("base64")}`, null],
    ["state=asleep", null],
    ["app=pi", null],
    ["", null],
    ["state=working:id=part/one", null],
    ["state=clear:id=part", null],
    [`state=done:msg=${"A".repeat(4_100)}`, null],
    ["state=do\x01ne", null],
  ])("reads %j", (body, report) => {
    expect(reportOf(body)).toEqual(report);
  });

  it.each([
    ["BEL", "\x1b]7501;state=done\x07"],
    ["ST", "\x1b]7501;state=done\x1b\\"],
    ["single characters", "\x9d7501;state=done\x9c"],
    ["another sequence that was broken off", "\x1b]0;title\x1b]7501;state=done\x07"],
    ["a string that has no end", "\x1bPq#0\x1b]7501;state=done\x07"],
    ["text around it", "before\x1b[31m\x1b]7501;state=done\x07after"],
  ])("reads a report with %s", (_, output) => {
    expect(read(output)).toEqual([{ type: "report", report: { ...NOTHING, state: "done" } }]);
  });

  it.each([
    ["state=clear", [{ type: "clear" }]],
    ["?", [{ type: "query" }]],
  ])("understands %s", (body, signals) => {
    expect(read(st(body))).toEqual(signals);
  });

  it.each([
    ["\x1b]133;A\x07", [{ type: "prompt" }]],
    ["\x1b]133;A;cl=m\x1b\\", [{ type: "prompt" }]],
    ["\x1b]133;B\x07", []],
    ["\x1bc", [{ type: "clear" }]],
    ["\x1b[c", []],
    ["\x1b]7501;state=done\x18", []],
    ["\x1b]7501;state=done", []],
    ["\x1b]7501;state=done\x1b[31m", []],
    ["7501;state=done\x07", []],
    ["\x1b]17501;state=done\x07", []],
  ])("sees in %j: %j", (output, signals) => {
    expect(read(output)).toEqual(signals);
  });

  it("gives the same however the output comes, and never fails", () => {
    const piece = fc.oneof(
      fc.constantFrom("\x1b", "]", "[", "P", "\\", "c", "\x07", "\x18", "\x9d", "\x9c", "7501;", "133;A", "?", ":"),
      fc.constantFrom("state=", "working", "done", "clear", "app=pi", "id=a", "msg=", base64("Überlauf"), "😀", "\n"),
      fc.constantFrom(st("state=working:app=pi"), st("?"), "\x1b]133;A\x07", st("state=clear"), "x".repeat(4_096)),
      fc.string({ unit: "binary", maxLength: 5 }),
    );
    const output = fc.array(piece, { maxLength: 30 }).map((pieces) => pieces.join(""));
    const lengths = fc.infiniteStream(fc.integer({ min: 1, max: 12 }));
    fc.assert(
      fc.property(output, lengths, (text, stream) => {
        const pieces: string[] = [];
        for (let at = 0; at < text.length; at += pieces.at(-1)?.length ?? 1) {
          pieces.push(text.slice(at, at + (stream.next().value ?? 1)));
        }
        expect(read(...pieces)).toEqual(read(text));
      }),
    );
  });

  it("keeps nothing of a sequence that is too long, and reads the next", () => {
    const reader = new StatusReader();
    const megabyte = "A".repeat(1024 * 1024);
    expect(reader.read("\x1b]1337;File=:")).toEqual([]);
    for (let count = 0; count < 10; count++) expect(reader.read(megabyte)).toEqual([]);
    expect(reader.read(`\x07${st("state=done")}`)).toHaveLength(1);
  });
});
