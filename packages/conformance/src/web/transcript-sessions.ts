/** Sessions whose transcripts are tried in a browser, as the lines of their files. */

type Fields = Record<string, unknown>;

const START = Date.parse("2026-03-01T10:00:00.000Z");
const USAGE = { input: 100, output: 10, cacheRead: 20, cacheWrite: 0, totalTokens: 130, cost: { total: 0.25 } };

const header = (id: string) => ({
  type: "session",
  version: 3,
  id,
  timestamp: new Date(START).toISOString(),
  cwd: "/home/user/project",
});

let written = 0;

function entry(id: string, parentId: string | null, fields: Fields): object {
  written++;
  return { type: "message", id, parentId, timestamp: new Date(START + written * 1_000).toISOString(), ...fields };
}

/** What the user says. */
export function said(id: string, parentId: string | null, text: string): object {
  return entry(id, parentId, { message: { role: "user", content: [{ type: "text", text }] } });
}

/** What the assistant answers, with calls of tools. */
export function answered(id: string, parentId: string, text: string, ...blocks: object[]): object {
  const content = [{ type: "text", text }, ...blocks];
  const message = { role: "assistant", content, provider: "p", model: "model-1", usage: USAGE, stopReason: "stop" };
  return entry(id, parentId, { message });
}

/** What a tool has returned. */
function returned(id: string, parentId: string, toolCallId: string, text: string, fields: Fields = {}): object {
  const content = [{ type: "text", text }];
  return entry(id, parentId, {
    message: { role: "toolResult", toolCallId, toolName: "bash", content, isError: false, ...fields },
  });
}

const call = (id: string, name: string, args: object) => ({ type: "toolCall", id, name, arguments: args });

/** 8 × 8 pixels. */
const PICTURE =
  "iVBORw0KGgoAAAANSUhEUgAAAAgAAAAIAQMAAAD+wSzIAAAABlBMVEX///+/v7+jQ3Y5AAAADklEQVQI12P4AIX8EAgALgAD/aNpbtEAAAAASUVORK5CYII=";

const PROSE = `It **is** parsed, see [the page](https://example.com/parsing) and [a file](src/parse.ts).

\`\`\`ts
export const parsed = 42;
\`\`\`

| one | two |
| --- | --- |
| 1 | 2 |

- [x] done
- [ ] to do

![remote](https://example.com/picture.png)`;

/** One fork: the older way has two entries, the newest has a bit of everything. */
export function forkedSession(): object[] {
  return [
    header("forked"),
    said("ask", null, "How is it parsed?\nPlease look."),
    answered(
      "look",
      "ask",
      "I look.",
      { type: "thinking", thinking: "Where is the parser?" },
      call("c1", "read", { path: "src/parse.ts" }),
      call("c2", "bash", { command: "npm test" }),
      call("c3", "edit", { path: "src/parse.ts", oldText: "a\nb\n", newText: "a\nc\n" }),
      call("c4", "mystery", { depth: 3, nested: { deep: [1, 2] } }),
    ),
    returned("r1", "look", "c1", "export const parsed = 42;\n"),
    returned("r2", "r1", "c2", "\u001b[31mfailed\u001b[39m: 1 test", { isError: true }),
    returned("r3", "r2", "c3", "Edited"),
    returned("r4", "r3", "c4", '{"ok":true}'),
    answered("found", "r4", PROSE),
    said("old1", "found", "An older way"),
    answered("old2", "old1", "The older answer."),
    said("new1", "found", "The newest way"),
    entry("shown", "new1", {
      message: { role: "user", content: [{ type: "image", mimeType: "image/png", data: PICTURE }] },
    }),
    answered("new2", "shown", "The newest answer."),
    entry("run", "new2", {
      message: {
        role: "bashExecution",
        command: "git status",
        output: "clean",
        exitCode: 1,
        cancelled: false,
        truncated: false,
      },
    }),
    entry("kept", "run", { type: "compaction", message: undefined, summary: "It **was** long.", tokensBefore: 5 }),
    entry("model", "kept", { type: "model_change", message: undefined, provider: "p", modelId: "model-2" }),
    entry("mark", "model", { type: "label", message: undefined, targetId: "new2", label: "good answer" }),
    entry("odd", "mark", { type: "of_the_future", message: undefined, wheels: 3 }),
    said("end", "odd", "The end of it"),
  ];
}

/** Turns of four entries each; the result of one of the first has a word that is nowhere else. */
export function longSession(turns: number): object[] {
  const lines: object[] = [header("long")];
  let last: string | null = null;
  for (let turn = 0; turn < turns; turn++) {
    const [ask, answer, result, end] = [`a${turn}`, `b${turn}`, `c${turn}`, `d${turn}`] as const;
    const hidden = turn === 3 ? "\nneedle" : "";
    lines.push(
      said(ask, last, `Prompt ${turn}`),
      answered(answer, ask, `Answer ${turn}\n\n${"words and more words ".repeat(turn % 30)}`, {
        type: "toolCall",
        id: `call-${turn}`,
        name: "bash",
        arguments: { command: `cat ${turn}` },
      }),
      returned(result, answer, `call-${turn}`, `${"line\n".repeat(turn % 100)}${hidden}`),
      answered(end, result, `End ${turn}`),
    );
    last = end;
  }
  return lines;
}

const TOOLS = ["read", "bash", "codemode"].map((name) => ({
  name,
  description: `What ${name} does. `.repeat(400),
  parameters: { type: "object", properties: {} },
}));
const SYSTEM = {
  role: "system",
  content: "",
  sections: { preamble: "You are a zebra assistant", skills: null },
  toolsAdded: TOOLS,
  toolsRemoved: [{ name: "write" }],
};

/** What the agent records since its release 0.86, with an entry whose parent is missing. */
export function recordedSession(): object[] {
  const edit = (id: string, parentId: string, targetId: string, replacement: object | null) =>
    entry(id, parentId, { type: "context_edit", message: undefined, targetId, replacement });
  const answer = { role: "assistant", provider: "p", usage: USAGE };
  return [
    header("recorded"),
    entry("system", null, { message: SYSTEM }),
    said("long", "system", "A long question about lighthouses"),
    answered("script", "long", "I run a script.", call("c1", "codemode", { code: "await tools.read({ path: 'a' })" })),
    returned("out", "script", "c1", "Script completed", {
      toolName: "codemode",
      usage: USAGE,
      nestedCalls: {
        calls: [
          { id: "n1", name: "read", arguments: { path: "src/lamp.ts" }, status: "ok", durationMs: 3 },
          { id: "n2", name: "mcp__web__fetch", argumentsBytes: 9_000, status: "error", error: "no walrus there" },
        ],
        complete: false,
      },
    }),
    entry("warm", "out", {
      type: "usage",
      message: undefined,
      kind: "cache_warm",
      provider: "p",
      model: "model-1",
      usage: { ...USAGE, cost: { total: 0.02 } },
    }),
    entry("answer", "warm", {
      message: {
        ...answer,
        content: [{ type: "text", text: "The answer of another model" }],
        model: "auto",
        responseModel: "model-9",
        thinkingLevel: "max",
        stopReason: "deferred",
      },
    }),
    edit("edit1", "answer", "long", { content: "of an older edit" }),
    edit("edit2", "edit1", "long", { content: "The question, in short" }),
    edit("edit3", "edit2", "out", null),
    entry("compacted", "edit3", {
      type: "compaction",
      message: undefined,
      summary: "Everything about lighthouses",
      firstKeptEntryId: "compacted",
      tokensBefore: 5_000,
      usage: USAGE,
      systemMessage: SYSTEM,
    }),
    said("orphan", "lost", "Nobody knows what came before"),
    said("on", "compacted", "And now?"),
    answered("end", "on", "Now it is done."),
  ];
}

/** The beginning of a title without a place where it can be broken. */
export const UNBREAKABLE = "anunbreakabletitle".repeat(5);

/** Calls that only look, that write, and that fail, on two days; a note begins the second. */
export function readingSession(): object[] {
  const on = (at: string, line: object) => ({ ...line, timestamp: at });
  const looked = (place: number, parent: string) => {
    const at = `2024-03-01T12:00:${String(10 + place * 2).padStart(2, "0")}.000Z`;
    const id = `read${place}`;
    const file = call(id, place === 3 ? "grep" : "read", {
      path: `src/file-${place}.ts`,
      ...(place === 3 && { pattern: "x" }),
    });
    return [
      on(at, answered(place === 0 ? "look" : id, parent, place === 0 ? "I look." : "", file)),
      on(
        at.replace(".000", ".500"),
        returned(`of-${id}`, place === 0 ? "look" : id, id, `content ${place}\n`, { toolName: file.name }),
      ),
    ];
  };
  return [
    { ...header("reading"), timestamp: "2024-03-01T12:00:00.000Z" },
    on("2024-03-01T12:00:00.000Z", said("ask", null, `${UNBREAKABLE.repeat(4)} please`)),
    ...looked(0, "ask"),
    ...looked(1, "of-read0"),
    ...looked(2, "of-read1"),
    ...looked(3, "of-read2"),
    on(
      "2024-03-01T12:01:00.000Z",
      answered("wrote", "of-read3", "", call("w", "write", { path: "a.txt", content: "line\n".repeat(10) })),
    ),
    on("2024-03-01T12:01:02.500Z", returned("of-w", "wrote", "w", "Wrote 50 bytes to a.txt", { toolName: "write" })),
    on("2024-03-01T12:02:00.000Z", answered("ran", "of-w", "", call("b", "bash", { command: "npm test" }))),
    on(
      "2024-03-01T12:02:41.000Z",
      returned("of-b", "ran", "b", "building\nerror: it does not fit\n\nCommand exited with code 1", { isError: true }),
    ),
    on("2024-03-01T12:03:00.000Z", answered("told", "of-b", `It does not fit. ${"It goes on and on. ".repeat(20)}`)),
    on("2024-03-03T09:00:00.000Z", {
      ...entry("note", "told", { type: "model_change", message: undefined, provider: "p", modelId: "model-2" }),
    }),
    on("2024-03-03T09:00:05.000Z", said("again", "note", "And now?")),
    on("2024-03-03T09:01:00.000Z", answered("end", "again", `At last. ${"Words and more words.\n\n".repeat(40)}`)),
  ];
}
