import { describe, expect, it } from "vitest";
import { LineRedactor } from "./line-redactor.ts";

const TOKEN = `ghp_${"A1b2C3d4E5".repeat(4).slice(0, 36)}`;
const numberOf = (type: string, value: string) =>
  [...`${type} ${value}`].reduce((sum, one) => sum + one.charCodeAt(0), 0);
const redactor = (words: string[] = []) => new LineRedactor({ words, paths: ["/home/jane"], numberOf });
const lineOf = (value: object, words: string[] = []) => JSON.parse(redactor(words).line(JSON.stringify(value)));

describe("a redacted line", () => {
  it("has secrets replaced wherever they are, and keeps its structure", () => {
    const message = (secret: string) => ({
      type: "message",
      id: "a1",
      parentId: null,
      timestamp: "2026-01-01T00:00:00.000Z",
      message: {
        role: "assistant",
        content: [
          { type: "text", text: `use ${secret}` },
          {
            type: "toolCall",
            id: "c1",
            name: "bash",
            arguments: { command: `curl -H "x: ${secret}"`, deep: [{ a: secret }] },
          },
        ],
        usage: { input: 1, cost: { total: 0.5 } },
      },
    });
    expect(lineOf(message(TOKEN))).toEqual(message(`[redacted:github-token-${numberOf("github-token", TOKEN)}]`));
  });

  it("depends on nothing but itself", () => {
    const lines = [
      JSON.stringify({ type: "a", text: `${TOKEN} and jane@example.com in /home/bob/.ssh` }),
      JSON.stringify({ type: "b", text: "as bob@host says, in /srv/bob/x" }),
      "no JSON, but jane@example.com",
    ];
    const one = redactor();
    const together = lines.map((line) => one.line(line));
    expect(lines.map((line) => redactor().line(line))).toEqual(together);
    expect([...lines].reverse().map((line) => one.line(line))).toEqual([...together].reverse());
    expect(together.join()).not.toMatch(/jane@|ghp_/);
  });

  it("has words of the user's own replaced, but not in what formats are read by", () => {
    const line = { type: "message", id: "acme", message: { role: "user", content: "The user of Acme" }, acme: "Acme" };
    const word = `[redacted:word-${numberOf("word", "acme")}]`;
    const user = `[redacted:word-${numberOf("word", "user")}]`;
    expect(lineOf(line, ["Acme", "user"])).toEqual({
      type: "message",
      id: "acme",
      message: { role: "user", content: `The ${user} of ${word}` },
      acme: word,
    });
    const tool = { type: "tool_use", input: { type: "Acme" } };
    expect(lineOf(tool, ["Acme"])).toEqual({ type: "tool_use", input: { type: word } });
  });

  it("names nobody whose home the session is in, and keeps images", () => {
    const data = "iVBORw0KGgo".repeat(200);
    const line = lineOf({ cwd: "/home/jane/work", apiKey: "q8Zr2LmX9vTb4Kw7", content: [{ type: "image", data }] });
    expect(line.cwd).toMatch(/^\/home\/\[redacted:user-\d+\]\/work$/);
    expect(line.apiKey).toMatch(/^\[redacted:/);
    expect(line.content).toEqual([{ type: "image", data }]);
  });

  it("that is nested without an end is redacted as a text", () => {
    const deep = `${'{"a":'.repeat(5_000)}"${TOKEN}"${"}".repeat(5_000)}`;
    expect(redactor().line(deep)).not.toContain(TOKEN);
  });
});
