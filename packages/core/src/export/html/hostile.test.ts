import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { JsonObject } from "../../json.ts";
import type { TranscriptBlock, TranscriptItem } from "../../session/transcript.ts";
import { noted, ran, returned, said, summarised } from "../transcript.fixture.ts";
import { entryFragments, pageBudget } from "./entries.ts";
import { checkedText } from "./fragment-check.fixture.ts";

const PAYLOADS = [
  "</script><script>alert(1)</script>",
  "<!--<script>",
  "--><img src=x onerror=alert(1)>",
  "</pre></code></details></article><svg onload=alert(1)>",
  '"><img onerror=alert(1) src=x>',
  "' onmouseover='alert(1)",
  "[x](javascript:alert(1))",
  "![x](data:text/html;base64,PHNjcmlwdD4=)",
  '[x](https://a.b "\\" onmouseover=alert(1)")',
  "<https://a.b/\"onmouseover='alert(1)'>",
  "https://a.b/'><svg/onload=alert(1)>",
  '```"><script>alert(1)</script>\nx\n```',
  "|<img src=x>|\n|-|\n|[a](vbscript:x)|",
  "&lt;script&gt; &#x3c;script&#x3e; &colon;",
  "\u202e\u2066\ud800\udc00\udfff\0\x1b[31m\x1b]8;;javascript:alert(1)\x07",
  "- [x] <input type=checkbox>",
  "# <h1 onclick=x>\n\n> <iframe src=//a.b>",
];

/** Everything that a transcript may hold, with `text` wherever a text may stand. */
function everything(text: string): TranscriptItem[] {
  const args: JsonObject = { [text]: text };
  const call = (values: JsonObject): TranscriptBlock => ({
    kind: "tool_call",
    id: text,
    name: text,
    arguments: { ...values, ...args },
  });
  const blocks: TranscriptBlock[] = [
    { kind: "text", text },
    { kind: "thinking", text, redacted: true },
    { kind: "image", mime_type: text, data: text },
    { kind: "image", mime_type: "image/png", data: text },
    { kind: "raw", value: args },
    call({ path: text, content: text }),
    call({ file_path: "a.ts", oldText: text, newText: `${text}.` }),
    call({ command: text, edits: [{ oldText: "", newText: text }] }),
    call({ pattern: text, path: text, patch: `--- a\n+${text}` }),
    call({ command: [text, text], nested: { [text]: [text] } }),
  ];
  const of = { provider: text, model: text, stop_reason: "error", error_message: text };
  return [
    ...(["user", "assistant", "system", "custom"] as const).map((role) => said(role, blocks, { id: text, ...of })),
    returned(text, text, { id: `${text}2`, tool_name: text, diff: `+1 ${text}`, details: args }),
    returned("lone", text, { id: `${text}3`, tool_name: text, diff: text, details: text, is_error: true }),
    ran(text, text, { id: text, full_output_path: text, truncated: true }),
    summarised("branch", text),
    ...["model_change", "thinking_level_change", "session_info", "label", "custom", text].map((type) => ({
      ...noted(type),
      id: text,
      timestamp: text,
      value: {
        type,
        provider: text,
        modelId: text,
        thinkingLevel: text,
        name: text,
        targetId: text,
        label: text,
        customType: text,
      },
    })),
  ];
}

async function check(items: TranscriptItem[], labels: Record<string, string> = {}): Promise<string> {
  let text = "";
  const options = { include_thinking: true, include_tools: true, labels, budget: pageBudget() };
  for await (const { html } of entryFragments(items, options)) text += checkedText(html);
  return text;
}

it.each(PAYLOADS)("makes nothing of %j in any field", async (payload) => {
  await check(everything(payload), { [payload]: payload, [`${payload}2`]: payload });
});

it("makes harmless HTML of any text in any field", async () => {
  const piece = fc.oneof(
    fc.constantFrom(...PAYLOADS),
    fc.constantFrom(..."<>&\"'`[]()!|\\*_~#>-+= \n\t:/@"),
    fc.constantFrom("```", "](", "https://", "javascript:", "data:image/png;base64,", "<!--", "\x1b[", "\r", "    "),
    fc.string({ unit: "binary", maxLength: 5 }),
  );
  const text = fc.array(piece, { maxLength: 20 }).map((pieces) => pieces.join(""));
  await fc.assert(
    fc.asyncProperty(text, async (payload) => {
      await check(everything(payload), { [payload]: payload });
    }),
    { numRuns: 40 },
  );
});

describe("masses", () => {
  const MEGABYTES = 10 * 1024 * 1024;

  it.each([
    ["a line", "x".repeat(MEGABYTES)],
    ["quotes in quotes", ">".repeat(100_000)],
    ["lines", "\n".repeat(MEGABYTES / 10)],
    ["brackets", "[](".repeat(MEGABYTES / 30)],
    ["escapes", "\x1b[".repeat(MEGABYTES / 20)],
  ])("shows all of %s wherever it stands", async (_, text) => {
    const call: TranscriptBlock = { kind: "tool_call", id: "c", name: "bash", arguments: { command: text } };
    const shown = await check([
      said("user", [text], { id: "1" }),
      said("assistant", [{ kind: "thinking", text, redacted: false }, call], { id: "2" }),
      returned("c", text, { id: "3" }),
      ran("x", text, { id: "4" }),
    ]);
    expect(shown.length).toBeGreaterThan(4 * text.trim().length);
  });

  it("bounds what one line shows", async () => {
    const name = "n".repeat(1_000_000);
    const call: TranscriptBlock = { kind: "tool_call", id: "c", name, arguments: { path: "a", count: 1 } };
    const item = said("assistant", [call], { provider: name, model: name });
    expect((await check([item], { "00000001": name })).length).toBeLessThan(10_000);
  });

  it("does not fail on data nested in data, nor indent all of it", async () => {
    let value: JsonObject = {};
    for (let depth = 0; depth < 10_000; depth++) value = { value };
    const shown = await check([said("user", [{ kind: "raw", value }])]);
    expect(shown).toContain("…");
    expect(shown.length).toBeLessThan(10_000);
  });

  it("does not indent a mass of data", async () => {
    const numbers = Array.from({ length: 200_000 }, () => 1);
    const shown = await check([said("user", [{ kind: "raw", value: { numbers } }])]);
    expect(shown.length).toBeLessThan(500_000);
  });
});
