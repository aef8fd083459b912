import { describe, expect, it } from "vitest";
import { readArguments } from "./arguments.ts";
import { decodeCursor, encodeCursor } from "./cursor.ts";

const SCHEMA = {
  type: "object",
  properties: {
    query: { type: "string", maxLength: 10 },
    limit: { type: "integer", minimum: 1, maximum: 50 },
    agent: { type: "string", enum: ["pi", "codex"] },
  },
  required: ["query"],
} as const;

describe("readArguments", () => {
  it.each<[unknown, object]>([
    [{ query: "tide" }, { query: "tide" }],
    // Models fill in every field they know of.
    [{ query: "tide", limit: null, agent: "" }, { query: "tide" }],
    [
      { query: "tide", limit: "5" },
      { query: "tide", limit: 5 },
    ],
    [
      { query: "tide", limit: 50, agent: "pi" },
      { query: "tide", limit: 50, agent: "pi" },
    ],
  ])("takes %j", (given, expected) => {
    expect(readArguments(SCHEMA, given)).toEqual(expected);
  });

  it.each<[unknown, string]>([
    [undefined, '"query" is required.'],
    [[], "must be an object"],
    [{ query: 5 }, '"query" must be a string.'],
    [{ query: "x".repeat(11) }, "at most 10 characters"],
    [{ query: "x", limit: 51 }, "whole number from 1 to 50"],
    [{ query: "x", limit: 1.5 }, "whole number from 1 to 50"],
    [{ query: "x", agent: "emacs" }, "one of pi, codex"],
    [{ query: "x", limits: 5 }, 'Did you mean "limit"?'],
    [{ query: "x", __proto__x: 5 }, "There is no argument"],
  ])("refuses %j", (given, message) => {
    expect(() => readArguments(SCHEMA, given)).toThrow(message);
  });
});

describe("cursors", () => {
  it("are read as they are written", () => {
    const cursor = { session: "s", revision: "3/b", side: "in", entry: "ä", offset: 7 } as const;
    expect(decodeCursor(encodeCursor(cursor))).toEqual(cursor);
  });

  it.each([
    "",
    "x",
    "W10",
    Buffer.from('["s","r",9,"e",0]').toString("base64url"),
    Buffer.from("{}").toString("base64url"),
  ])("refuses %j", (text) => {
    expect(() => decodeCursor(text)).toThrow("no cursor");
  });
});
