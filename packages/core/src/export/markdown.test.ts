import { describe, expect, it } from "vitest";
import type { Transcript, TranscriptItem } from "../session/transcript.ts";
import { exportMarkdown } from "./markdown.ts";
import {
  called,
  INSTRUCTIONS,
  joined,
  NESTED,
  noted,
  ran,
  returned,
  said,
  summarised,
  transcriptOf,
} from "./transcript.fixture.ts";

const ALL = { include_thinking: true, include_tools: true };

/** What stands below the heading and the facts of the session. */
async function bodyOf(items: TranscriptItem[], selection = ALL): Promise<string> {
  const markdown = await joined(exportMarkdown(transcriptOf(items), selection));
  return markdown.split("\n").slice(5).join("\n").trim();
}

function folded(summary: string, ...parts: string[]): string {
  return `<details><summary>${summary}</summary>\n\n${parts.join("\n\n")}\n\n</details>`;
}

function result(...parts: string[]): string {
  return folded("Result", ...parts);
}

describe("exportMarkdown", () => {
  it("begins with the name and what is known of the session", async () => {
    const fields: Partial<Transcript> = {
      name: "My_session",
      cwd: "/home/me/a_b",
      models: ["claude-4", "gpt-5"],
      usage: {
        input_tokens: 1000,
        output_tokens: 200,
        cache_read_tokens: 30,
        cache_write_tokens: 4,
        cache_write_1h_tokens: 0,
        reasoning_tokens: 0,
        total_tokens: 1234,
        cost_usd: 0.12345,
        estimated_cost_usd: null,
      },
    };
    expect(await joined(exportMarkdown(transcriptOf([said("user", ["Hi"])], fields), ALL))).toBe(`# Session: My_session

- **Session ID:** 0196a3c0-1111-7000-8000-000000000001
- **Working directory:** /home/me/a_b
- **Created:** 2026-05-01T12:00:00.000Z
- **Models:** claude-4, gpt-5
- **Tokens:** 1,234 (1,000 input, 200 output, 30 cache read, 4 cache write)
- **Cost:** $0.12

## User

Hi
`);
  });

  it("is a whole document for an empty session", async () => {
    expect(await joined(exportMarkdown(transcriptOf([]), ALL))).toBe(`# Session: Untitled

- **Session ID:** 0196a3c0-1111-7000-8000-000000000001
- **Created:** 2026-05-01T12:00:00.000Z
`);
  });

  const thinking = { kind: "thinking", text: "Hm.\n\n```\na\n```", redacted: false } as const;
  it.each<[string, TranscriptItem[], string[]]>([
    [
      "speakers",
      [
        said("user", ["a"]),
        said("user", ["b"]),
        said("assistant", ["c"]),
        said("assistant", ["d"]),
        said("system", ["e"]),
      ],
      [
        "## User",
        "a",
        "## User",
        "b",
        "## Assistant",
        "c",
        "d",
        "## System",
        folded("Instructions for the model", "e"),
      ],
    ],
    [
      "instructions to the model folded, with what they hold",
      [said("system", INSTRUCTIONS), said("system", [])],
      [
        "## System",
        folded(
          "Instructions for the model: 1 section, 1 section removed, 1 tool added, 1 tool removed",
          "**preamble**\n\nBe brief",
          "**skills** (removed)",
          "**Tools added:** read\n\n**Tools removed:** write",
        ),
      ],
    ],
    [
      "that the model sees something else",
      [
        said("user", ["long"], { context_edit: { entry_id: "e", replacement: null } }),
        said("assistant", ["answer", called("c1", "read")], {
          context_edit: { entry_id: "e", replacement: [{ kind: "text", text: "short" }] },
        }),
        returned("c1", "1", { context_edit: { entry_id: "e", replacement: null } }),
      ],
      [
        "## User",
        "*The model no longer sees this.*",
        "long",
        "## Assistant",
        folded("The model sees other content here", "short"),
        "answer",
        "### Tool Call: read",
        result("```\n1\n```"),
        "*The model no longer sees this.*",
      ],
    ],
    [
      "the calls of a script beneath its call",
      [said("assistant", [called("c1", "codemode")]), returned("c1", "done", { nested_calls: NESTED })],
      [
        "## Assistant",
        "### Tool Call: codemode",
        result("```\ndone\n```"),
        folded(
          "3 nested calls, recorded incompletely",
          '**read** (3 ms)\n\n```json\n{\n  "path": "src/nested.ts"\n}\n```',
          "**mcp\\_\\_web\\_\\_fetch** (failed, 1,200 ms)\n\n*The agent omitted the arguments (9,000 bytes)*\n\n```\nnot found\n```",
          '**bash** (not finished)\n\n```json\n{\n  "command": "sleep 9"\n}\n```',
        ),
      ],
    ],
    [
      "why an answer ended",
      [
        said("assistant", ["a"], { stop_reason: "aborted" }),
        said("assistant", ["b"], { stop_reason: "deferred" }),
        said("assistant", ["c"], { stop_reason: "pending" }),
        said("assistant", ["d"], { stop_reason: "toolUse" }),
      ],
      [
        "## Assistant",
        "a",
        "*Aborted.*",
        "b",
        "*Deferred: the provider responds later.*",
        "c",
        "*Incomplete: the response was still being written.*",
        "d",
      ],
    ],
    [
      "a compaction that keeps nothing, with the instructions that it repeats",
      [summarised("compaction", "All of it.", { keeps_nothing: true, checkpoint: INSTRUCTIONS.slice(0, 1) })],
      [
        "## Compaction Summary",
        "*Nothing before this summary is kept.*",
        "All of it.",
        folded("Instructions for the model at this point: 1 section", "**preamble**\n\nBe brief"),
      ],
    ],
    ["messages without content not at all", [said("user", []), said("assistant", ["\n"])], []],
    [
      "messages of extensions, unless hidden",
      [said("custom", ["a"]), said("custom", ["b"], { hidden: true })],
      ["## Extension", "a"],
    ],
    ["entries without conversation not at all", [noted("model_change")], []],
    [
      "thinking as a quote",
      [said("assistant", [thinking])],
      ["## Assistant", "> **Thinking**\n>\n> Hm.\n>\n> ```\n> a\n> ```"],
    ],
    [
      "thinking that the provider keeps to itself",
      [said("assistant", [{ kind: "thinking", text: "", redacted: true }])],
      ["## Assistant", "> **Thinking** (redacted)"],
    ],
    [
      "images as a note",
      [said("user", [{ kind: "image", mime_type: "image/png", data: "A".repeat(16_384) }])],
      ["## User", "*[image/png, 12 KB]*"],
    ],
    [
      "small images of no stated type",
      [said("user", [{ kind: "image", mime_type: "", data: "aGk=" }])],
      ["## User", "*[image, 2 B]*"],
    ],
    [
      "blocks that nobody knows",
      [said("user", [{ kind: "raw", value: { type: "audio" } }])],
      ["## User", '```json\n{\n  "type": "audio"\n}\n```'],
    ],
    [
      "errors",
      [said("assistant", [], { error_message: "overloaded" })],
      ["## Assistant", "**Error:**", "```\noverloaded\n```"],
    ],
    [
      "summaries",
      [summarised("compaction", "Goal"), summarised("branch", "# Tried")],
      ["## Compaction Summary", "Goal", "## Branch Summary", "#### Tried"],
    ],
    [
      "commands of the user",
      [ran("ls", "a\n")],
      ["## User", "### Bash", "```bash\nls\n```", result("```\na\n\n```").replace("Result", "Output")],
    ],
    [
      "commands that failed",
      [ran("x", "", { exit_code: 127, cancelled: true, truncated: true })],
      [
        "## User",
        "### Bash",
        "```bash\nx\n```",
        result("*No output*").replace("Result", "Output (exit code 127, cancelled, truncated)"),
      ],
    ],
    [
      "a tool call with its file and result",
      [said("assistant", ["Look:", called("c1", "read", { path: "src/a.ts" })]), returned("c1", "x")],
      [
        "## Assistant",
        "Look:",
        "### Tool Call: read",
        "**File:** src/a.ts",
        '```json\n{\n  "path": "src/a.ts"\n}\n```',
        result("```\nx\n```"),
      ],
    ],
    [
      "a command of the assistant",
      [
        said("assistant", [called("c1", "bash", { command: "ls -l", timeout: 5 })]),
        returned("c1", "", { is_error: true }),
      ],
      [
        "## Assistant",
        "### Tool Call: bash",
        "```bash\nls -l\n```",
        '```json\n{\n  "timeout": 5\n}\n```',
        result("*No output*").replace("Result", "Result (error)"),
      ],
    ],
    [
      "a diff",
      [said("assistant", [called("c1", "edit")]), returned("c1", "ok", { diff: "-a\n+b" })],
      ["## Assistant", "### Tool Call: edit", result("```\nok\n```", "```diff\n-a\n+b\n```")],
    ],
    [
      "results below their calls",
      [
        said("assistant", [called("c1", "read"), "then", called("c2", "grep"), "done"]),
        noted("label"),
        returned("c1", "1"),
        returned("c2", "2"),
        said("assistant", ["next"]),
      ],
      [
        "## Assistant",
        "### Tool Call: read",
        result("```\n1\n```"),
        "then",
        "### Tool Call: grep",
        result("```\n2\n```"),
        "done",
        "next",
      ],
    ],
    [
      "results that come late under their tool's name",
      [said("assistant", [called("c1", "read"), called("c2", "grep")]), returned("c2", "2"), returned("c1", "1")],
      [
        "## Assistant",
        "### Tool Call: read",
        "### Tool Call: grep",
        result("```\n2\n```"),
        "### Tool Result: read",
        result("```\n1\n```"),
      ],
    ],
    [
      "results without a call, and calls without an id",
      [said("assistant", [called(null, "read")]), said("user", ["wait"]), returned(null, "1", { tool_name: null })],
      [
        "## Assistant",
        "### Tool Call: read",
        "## User",
        "wait",
        "## Assistant",
        "### Tool Result: unknown",
        result("```\n1\n```"),
      ],
    ],
  ])("writes %s", async (_, items, blocks) => {
    expect(await bodyOf(items)).toBe(blocks.join("\n\n"));
  });

  it.each(["path", "file_path", "filePath"])("finds the file of a call in %s", async (key) => {
    expect(await bodyOf([said("assistant", [called("c", "write", { [key]: "a*b" })])])).toContain(
      "\n**File:** a\\*b\n",
    );
  });

  it.each([
    ["thinking", { include_thinking: false, include_tools: true }, ["Answer", "Tool Call"]],
    ["tools", { include_thinking: true, include_tools: false }, ["Thinking", "Answer"]],
    ["both", { include_thinking: false, include_tools: false }, ["Answer"]],
  ])("leaves out %s", async (_, selection, kept) => {
    const items = [said("assistant", [thinking, "Answer", called("c1", "read")]), returned("c1", "1"), ran("ls", "2")];
    const body = await bodyOf(items, selection);
    expect(["Thinking", "Answer", "Tool Call"].filter((text) => body.includes(text))).toEqual(kept);
    expect(body.includes("<details>")).toBe(selection.include_tools);
    expect(body.includes("### Bash")).toBe(selection.include_tools);
  });

  it("has no lone surrogates", async () => {
    const items = [said("user", ["a\ud83d", "\ude00b 😀"]), ran("\udc00", "\ud800")];
    const markdown = await joined(exportMarkdown(transcriptOf(items, { name: "\ud800" }), ALL));
    expect(markdown).not.toMatch(/\p{Cs}/u);
    expect(markdown).toContain("😀");
  });

  it("shows a result as soon as it comes", async () => {
    let read = 0;
    function* items() {
      for (const item of [
        said("assistant", [called("c1", "read")]),
        returned("c1", "found"),
        said("user", ["later"]),
      ]) {
        read++;
        yield item;
      }
    }
    for await (const chunk of exportMarkdown({ ...transcriptOf([]), items: items() }, ALL)) {
      if (chunk.includes("found")) break;
    }
    expect(read).toBe(2);
  });

  it.each([
    [
      "what was replaced",
      [
        { type: "email", count: 1200 },
        { type: "api_key", count: 1 },
      ],
      "email (1,200), api_key (1)",
    ],
    ["that nothing was", [], "nothing was found"],
  ])("ends a redacted document with %s", async (_, redactions, expected) => {
    const transcript = transcriptOf([said("user", ["a"])], { redactions: () => redactions });
    const markdown = await joined(exportMarkdown(transcript, ALL));
    expect(markdown.endsWith(`\n\na\n\n*Redacted: ${expected}.*\n`)).toBe(true);
  });
});
