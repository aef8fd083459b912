import type { JsonObject } from "@sm/core";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { RECORD_LINES, readRecord, type TakenRecord, takeRecord } from "./agent-record.ts";
import { BoundedLines } from "./lines.ts";

/** What becomes of an output; it comes in pieces as from a pipe. */
function readAll(output: Buffer): TakenRecord[] {
  const records: TakenRecord[] = [];
  const lines = new BoundedLines({
    ...RECORD_LINES,
    onLine(line) {
      const taken = readRecord(line);
      if (taken !== null) records.push(taken);
    },
  });
  for (let start = 0; start < output.length; start += 65_536) lines.push(output.subarray(start, start + 65_536));
  lines.end();
  return records;
}

const read = (text: string): JsonObject | undefined => readAll(Buffer.from(text))[0]?.record;

const message = (text: string) => ({ role: "assistant", content: [{ type: "text", text }] });

describe("a message_update", () => {
  const delta = { type: "text_delta", contentIndex: 0, delta: "He" };

  it.each([
    ["0.74", { assistantMessageEvent: { ...delta, partial: message("Hello") }, message: message("Hello") }],
    ["another order", { message: message("Hello"), assistantMessageEvent: { partial: message("Hello"), ...delta } }],
    ["0.87", { usage: { input: 1, output: 2 }, assistantMessageEvent: delta }],
  ])("is reduced to its delta (%s)", (_, fields) => {
    const record = { type: "message_update", ...fields };
    const reduced = { type: "message_update", assistantMessageEvent: delta };
    expect(read(JSON.stringify(record))).toEqual(reduced);
    expect(takeRecord(record)?.record).toEqual(reduced);
  });

  it("keeps whatever is in the delta", () => {
    fc.assert(
      fc.property(
        fc.string({ unit: "binary" }),
        fc.string(),
        fc.constantFrom("text", "toolcall"),
        (text, more, kind) => {
          const event = { type: `${kind}_delta`, contentIndex: 0, delta: `${text},"partial":{"${more}` };
          const partial = message(`${more},"partial":`);
          const record = { type: "message_update", assistantMessageEvent: { ...event, partial }, message: partial };
          expect(read(JSON.stringify(record))).toEqual({ type: "message_update", assistantMessageEvent: event });
        },
      ),
    );
  });

  it("tells of a tool call which it is, as new versions do", () => {
    const partial = { role: "assistant", content: [{ type: "toolCall", id: "call-1", name: "bash", arguments: {} }] };
    const event = { type: "toolcall_start", contentIndex: 0 };
    expect(read(JSON.stringify({ type: "message_update", assistantMessageEvent: { ...event, partial } }))).toEqual({
      type: "message_update",
      assistantMessageEvent: { ...event, id: "call-1", toolName: "bash" },
    });
  });

  it("is not confused by arguments that are called as the message is", () => {
    const toolCall = { type: "toolCall", id: "1", name: "edit", arguments: { path: "a", partial: { x: 1 } } };
    const event = { type: "toolcall_end", contentIndex: 0, toolCall };
    const record = { type: "message_update", assistantMessageEvent: { ...event, partial: message("") } };
    expect(read(JSON.stringify(record))).toEqual({ type: "message_update", assistantMessageEvent: event });
  });

  it("costs what its delta has, however long its message is", () => {
    const partial = message("x".repeat(20 * 1024 * 1024));
    const record = { type: "message_update", assistantMessageEvent: { ...delta, partial }, message: partial };
    const [taken] = readAll(Buffer.from(JSON.stringify(record)));
    expect(taken?.record).toEqual({ type: "message_update", assistantMessageEvent: delta });
    expect(taken?.bytes).toBeLessThan(200);
  });
});

describe("a line", () => {
  it.each(["Hello", "null", "[1]", '{"no":"type"}', '{"type":1}', `{"half":`, "\u2028"])(
    "that is no record is told as garbage: %s",
    (line) => {
      const bytes = Buffer.byteLength(line);
      expect(readAll(Buffer.from(`${line}\n`))).toEqual(
        line === "\u2028" ? [] : [{ record: { type: "service_garbage", text: line, bytes }, bytes: 500 }],
      );
    },
  );

  it("that is deeper than anything is garbage, of which the beginning is shown", () => {
    const line = `{"type":"x","a":${"[".repeat(100_000)}${"]".repeat(100_000)}}`;
    expect(read(line)).toEqual({ type: "service_garbage", text: line.slice(0, 500), bytes: line.length });
    expect(takeRecord(JSON.parse(line))).toBeNull();
  });

  it("is read up to LF only, and its bytes as well as they can be", () => {
    expect(
      readAll(Buffer.from('{"type":"a","b":"\u2028\u0085"}\r\n\n{"type":"c"}')).map(({ record }) => record),
    ).toEqual([{ type: "a", b: "\u2028\u0085" }, { type: "c" }]);
    expect(readAll(Buffer.from([0xff, 0x0a])).map(({ record }) => record.text)).toEqual(["\ufffd"]);
  });

  const huge = "x".repeat(20 * 1024 * 1024);

  it("of 20 MB that is an answer tells to what", () => {
    const beginning = Buffer.from('{"id":"12","type":"response","command":"get_entries","success":true,"data":');
    expect(readRecord({ bytes: beginning, length: 20_000_000 })?.record).toEqual({
      type: "response",
      id: "12",
      command: "get_entries",
      truncated: true,
      bytes: 20_000_000,
    });
  });

  it("of 20 MB still tells what has happened", () => {
    expect(read(JSON.stringify({ type: "agent_end", messages: [message(huge)] }))).toMatchObject({
      type: "agent_end",
      truncated: true,
    });
    expect(read(JSON.stringify({ id: "1", text: huge }))).toEqual({
      type: "service_line_skipped",
      bytes: huge.length + '{"id":"1","text":""}'.length,
    });
  });
});

describe("a large record", () => {
  it("loses its images and the ends of its texts", () => {
    const text = "t".repeat(400_000);
    const content = [
      { type: "image", data: "A".repeat(600_000), mimeType: "image/png" },
      { type: "text", text },
    ];
    expect(read(JSON.stringify({ type: "message_end", message: { role: "user", content } }))).toEqual({
      type: "message_end",
      message: {
        role: "user",
        content: [
          { type: "image", data: "", mimeType: "image/png" },
          { type: "text", text: text.slice(0, 64 * 1024) },
        ],
      },
      truncated: true,
    });
  });

  it("of many parts keeps what is short", () => {
    const messages = Array.from({ length: 20 }, () => message("x".repeat(60_000)));
    const record = { type: "agent_end", messages, willRetry: false };
    const bytes = JSON.stringify(record).length;
    expect(read(JSON.stringify(record))).toEqual({ type: "agent_end", willRetry: false, truncated: true, bytes });
  });
});
