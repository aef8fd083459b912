import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { openFenceCode, partialArgument, proseParts } from "./prose-parts.ts";

describe("proseParts", () => {
  it.each<[string, string, string[]]>([
    ["nothing", "", []],
    ["one paragraph", "one", ["one"]],
    ["two paragraphs", "one\n\ntwo", ["one\n\n", "two"]],
    ["a fence with an empty line", "```ts\na\n\nb\n```\nafter", ["```ts\na\n\nb\n```\n", "after"]],
    ["a fence within a longer one", "````\n```\n\n````\nafter", ["````\n```\n\n````\n", "after"]],
    ["other marks in a fence", "~~~\n```\n~~~\nafter", ["~~~\n```\n~~~\n", "after"]],
    ["a fence behind text", "text\n```\ncode", ["text\n", "```\ncode"]],
  ])("cuts %s", (_, text, parts) => {
    expect(proseParts(text).map((part) => part.text)).toEqual(parts);
  });

  it("tells of a fence that is open, and of the code in it", () => {
    const [part] = proseParts("```ts\nconst a = 1;\n\nconst");
    expect(part).toEqual({ text: "```ts\nconst a = 1;\n\nconst", isOpenFence: true });
    expect(openFenceCode(part?.text ?? "")).toBe("const a = 1;\n\nconst");
    expect(openFenceCode("```ts")).toBe("");
  });

  it("keeps all but blank lines, and never changes a piece that has another behind it", () => {
    const line = fc.constantFrom("", " ", "text", "- item", "```", "```ts", "~~~", "````", "> quote");
    fc.assert(
      fc.property(fc.array(line), fc.nat(), (lines, at) => {
        const text = lines.join("\n");
        const whole = proseParts(text);
        expect(
          whole
            .map((part) => part.text.trim())
            .join("")
            .replace(/\s/g, ""),
        ).toBe(text.replace(/\s/g, ""));
        const before = proseParts(text.slice(0, text.lastIndexOf("\n", at % (text.length + 1)) + 1));
        expect(whole.slice(0, Math.max(0, before.length - 1))).toEqual(before.slice(0, -1));
      }),
    );
  });
});

describe("partialArgument", () => {
  it.each([
    ['{"command":"ls -la', "ls -la"],
    ['{"path":"src/a.ts","content":"x', "src/a.ts"],
    ['{"command":"say \\"hi\\" \\', 'say "hi" '],
    ['{"other":1', null],
    ["", null],
  ])("reads %j", (json, argument) => {
    expect(partialArgument(json)).toBe(argument);
  });
});
