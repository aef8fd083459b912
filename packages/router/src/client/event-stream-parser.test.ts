import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { EventStreamParser } from "./event-stream-parser.ts";

describe("EventStreamParser", () => {
  it.each<[string, string, object[]]>([
    ["a message", "event: a\nid: 7\ndata: {}\n\n", [{ event: "a", id: "7", data: "{}" }]],
    ["data in several lines", "data: 1\ndata:\ndata:  2\n\n", [{ event: "", id: "", data: "1\n\n 2" }]],
    ["no space after the colon", "event:a\ndata:1\n\n", [{ event: "a", id: "", data: "1" }]],
    ["colons in data", 'data: {"a":"b:c"}\n\n', [{ event: "", id: "", data: '{"a":"b:c"}' }]],
    [
      "an id that stays",
      "id: 1\ndata: a\n\ndata: b\n\n",
      [
        { event: "", id: "1", data: "a" },
        { event: "", id: "1", data: "b" },
      ],
    ],
    [
      "a name that does not stay",
      "event: a\ndata: 1\n\ndata: 2\n\n",
      [
        { event: "a", id: "", data: "1" },
        { event: "", id: "", data: "2" },
      ],
    ],
    ["comments", ": still here\n\n:\n\ndata: a\n\n", [{ event: "", id: "", data: "a" }]],
    ["a message without data", "event: a\nid: 1\n\n", []],
    ["unknown fields", "retry: 10\nother\ndata: a\n\n", [{ event: "", id: "", data: "a" }]],
    ["a message that is not finished", "data: a\n", []],
  ])("reads %s", (_case, text, messages) => {
    for (const lineEnd of ["\n", "\r", "\r\n"]) {
      expect(new EventStreamParser().push(text.replaceAll("\n", lineEnd))).toEqual(messages);
    }
  });

  it("reads the same messages, wherever the stream is cut", () => {
    const text = fc
      .array(fc.constantFrom("event: a", "id: 1", "data: 1", "data", ":", "\n", "\r", "\r\n"), { maxLength: 40 })
      .map((parts) => parts.join(""));
    fc.assert(
      fc.property(text, fc.array(fc.nat(8), { minLength: 1 }), (stream, lengths) => {
        const parser = new EventStreamParser();
        const messages = [];
        let start = 0;
        for (let index = 0; start < stream.length; index += 1) {
          // An empty piece now and then, but not for ever.
          const length = (lengths[index % lengths.length] ?? 0) || index % 2;
          messages.push(...parser.push(stream.slice(start, start + length)));
          start += length;
        }
        expect(messages).toEqual(new EventStreamParser().push(stream));
      }),
    );
  });
});
