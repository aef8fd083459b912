import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { rawLine } from "../node/raw-line.fixture.ts";
import { piFormat } from "./pi.ts";
import { rawResult } from "./pi-result.ts";

const RESULT = {
  type: "message",
  id: "3bf80fa8",
  parentId: "55b8dbd9",
  timestamp: "2023-07-15T06:46:25.778Z",
  message: {
    role: "toolResult",
    toolCallId: "toolu_01b30c71",
    toolName: "bash",
    content: [{ type: "text", text: "two\nlines" }],
    isError: false,
    timestamp: 1689403585778,
  },
};

function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return null;
  }
}

/** The result with something else in its message. */
function resultWith(message: object): string {
  return JSON.stringify({ ...RESULT, message: { ...RESULT.message, ...message } });
}

describe("rawResult", () => {
  it("finds the text that parsing gives, and all else that is searched", () => {
    const anyMessage = fc.record({
      toolName: fc.oneof(fc.constantFrom("bash", "read", "mcp__x.y"), fc.string()),
      content: fc.array(
        fc.record({ type: fc.constantFrom("text", "text", "image"), text: fc.string({ unit: "grapheme" }) }),
        { maxLength: 2 },
      ),
      isError: fc.boolean(),
    });
    fc.assert(
      fc.property(anyMessage, (message) => {
        const json = resultWith(message);
        const line = rawLine(json);
        const found = rawResult(line);
        if (found === null) return;
        const { start, end, ...part } = found;
        const text = parsed(`"${line.text(start, end)}"`);
        // There are more texts than one.
        if (text === null) return;
        expect([{ ...part, text, model: null, files: [] }]).toEqual(piFormat.parts(JSON.parse(json)));
      }),
      { numRuns: 1000 },
    );
  });

  it.each([
    ["a result", JSON.stringify(RESULT)],
    ["one of the first version", JSON.stringify(RESULT).replace(/"id".*?"timestamp"/, '"timestamp"')],
    ["one without a parent", JSON.stringify({ ...RESULT, parentId: null })],
    ["a line that ends in CR", `${JSON.stringify(RESULT)}\r`],
  ])("finds the text of %s", (_, json) => {
    const line = rawLine(json);
    const found = rawResult(line);
    expect(line.text(found?.start ?? 0, found?.end ?? 0)).toBe("two\\nlines");
  });

  it.each([
    ["details", resultWith({ details: { diff: "+" } })],
    ["no text", resultWith({ content: [] })],
    ["an empty text", resultWith({ content: [{ type: "text", text: "" }] })],
    ["another role", resultWith({ role: "user" })],
    ["something behind it", `${JSON.stringify(RESULT)}{}`],
    ["another number", JSON.stringify(RESULT).replace("1689403585778", "0168")],
  ])("finds none with %s", (_, json) => {
    expect(rawResult(rawLine(json))).toBeNull();
  });

  it("ends the text where the line ends, so that a quote inside tells of more texts", () => {
    const line = rawLine(
      resultWith({
        content: [
          { type: "text", text: "one" },
          { type: "text", text: "two" },
        ],
      }),
    );
    const found = rawResult(line);
    expect(line.text(found?.start ?? 0, found?.end ?? 0)).toContain('","');
  });
});
