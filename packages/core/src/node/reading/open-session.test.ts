import { expect, it } from "vitest";
import { piFormat } from "../../format/pi/pi.ts";
import { writerOf } from "./open-session.ts";

it("a session of a format that is only read has no writer", () => {
  const source = { path: "/p/a.jsonl", size: 1, modifiedAt: 0 };
  expect(writerOf({ source, format: piFormat })).toBe(piFormat.writer);
  const onlyRead = { source, format: { ...piFormat, writer: null } };
  expect(() => writerOf(onlyRead)).toThrow(expect.objectContaining({ code: "CONFLICT" }));
});
