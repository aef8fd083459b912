import { mkdir, readFile, symlink, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { JsonObject } from "@sm/core";

const PROJECT = "/home/user/project";

const USAGE = { input: 100, output: 10, cacheRead: 20, cacheWrite: 0, totalTokens: 130, cost: { total: 0.25 } };
const says = (text: string, ...more: object[]) => [{ type: "text", text }, ...more];
const calls = (id: string, name: string, args: object) => ({ type: "toolCall", id, name, arguments: args });
const answer = (content: object[], usage: object = USAGE) => ({
  role: "assistant",
  content,
  provider: "provider-1",
  model: "model-1",
  usage,
  stopReason: "stop",
});
const result = (toolCallId: string, toolName: string, text: string, more: object = {}) => ({
  role: "toolResult",
  toolCallId,
  toolName,
  content: says(text),
  isError: false,
  ...more,
});

/** Times of a session's lines, a second apart. */
function clock(start: string): () => string {
  let time = Date.parse(start);
  return () => {
    const now = new Date(time).toISOString();
    time += 1_000;
    return now;
  };
}

/** Two branches that part after `b4`: one ends in `b5`, the newest in `b17`. */
function branched(id: string): object[] {
  const now = clock("2026-03-01T10:00:00.000Z");
  const entry = (id: string, parentId: string | null, type: string, fields: object) => ({
    type,
    id,
    parentId,
    timestamp: now(),
    ...fields,
  });
  const message = (id: string, parentId: string | null, message: object) => entry(id, parentId, "message", { message });
  const image = { type: "image", mimeType: "image/png", data: "iVBORw0KGgo=" };
  const question = "Why does getUserName fail for “Größe”?\u2028Please look at the parser.";
  return [
    { type: "session", version: 3, id, timestamp: now(), cwd: PROJECT },
    entry("b1", null, "model_change", { provider: "provider-1", modelId: "model-1" }),
    message("b2", "b1", { role: "user", content: question }),
    message(
      "b3",
      "b2",
      answer([
        { type: "thinking", thinking: "The parser drops umlauts.", thinkingSignature: "opaque" },
        ...says("I will read the file.", calls("call-1", "read", { path: "src/names.ts" })),
      ]),
    ),
    message("b4", "b3", result("call-1", "read", "export function getUserName() { return fold(name); }")),
    message("b5", "b4", answer(says("The fold is wrong: it drops every diacritic."))),
    entry("b6", "b4", "branch_summary", { fromId: "b5", summary: "The fold drops diacritics." }),
    message("b7", "b6", { role: "user", content: says("Use the normal form instead, see the picture.", image) }),
    message(
      "b8",
      "b7",
      answer(
        says("I change the file.", calls("call-2", "edit", { path: "src/names.ts", newText: "name.normalize()" })),
      ),
    ),
    message("b9", "b8", result("call-2", "edit", "Edited src/names.ts", { details: { diff: "-fold\n+normalize" } })),
    entry("b10", "b9", "label", { targetId: "b2", label: "start" }),
    entry("b11", "b10", "label", { targetId: "b5", label: "dead end" }),
    entry("b12", "b11", "label", { targetId: "b9", label: "cleared" }),
    entry("b13", "b12", "label", { targetId: "b9" }),
    entry("b14", "b13", "session_info", { name: "Names with umlauts" }),
    message("b15", "b14", {
      role: "bashExecution",
      command: "npm test",
      output: "3 passed",
      exitCode: 0,
      cancelled: false,
      truncated: false,
    }),
    message("b16", "b15", answer(says("Done: names are compared in normal form."))),
    entry("b17", "b16", "custom", { customType: "extension", data: { half: "\ud800" } }),
  ];
}

/** Ends without LF, has a line that is no JSON, and nothing is known of its cost. */
function plain(): string {
  const now = clock("2026-02-01T10:00:00.000Z");
  const entry = (id: string, parentId: string | null, message: object) => ({
    type: "message",
    id,
    parentId,
    timestamp: now(),
    message,
  });
  const header = { type: "session", version: 3, id: "plain", timestamp: now(), cwd: "/home/user/other" };
  const lines = [header, entry("p1", null, { role: "user", content: says("Say hello.") })].map((line) =>
    JSON.stringify(line),
  );
  const last = JSON.stringify(entry("p2", "p1", answer(says("Hello."), { input: 5, output: 2, totalTokens: 7 })));
  return [...lines, "{ broken", last].join("\n");
}

/** Format 1: a sequence without ids. */
function old(): object[] {
  const now = clock("2025-11-01T10:00:00.000Z");
  const header = { type: "session", id: "old", timestamp: now(), cwd: PROJECT };
  const message = (message: object) => ({ type: "message", timestamp: now(), message });
  return [
    { ...header, provider: "provider-0", modelId: "model-0", thinkingLevel: "off", branchedFrom: "/gone/older.jsonl" },
    message({ role: "user", content: says("An old question.") }),
    message(answer(says("An old answer."), { input: 3, output: 4, cacheRead: 1, cacheWrite: 2, cost: { total: 0.5 } })),
    { type: "compaction", timestamp: now(), summary: "Old things.", firstKeptEntryIndex: 1, tokensBefore: 10 },
    message({ role: "user", content: says("Another old question.") }),
  ];
}

/** A byte order mark, U+2028 as it is, and bytes that are no UTF-8. */
function raw(): Buffer {
  const now = clock("2026-01-01T10:00:00.000Z");
  const header = JSON.stringify({ type: "session", version: 3, id: "raw", timestamp: now(), cwd: null });
  const [before = "", after = ""] = JSON.stringify({
    type: "message",
    id: "r1",
    parentId: null,
    timestamp: now(),
    message: { role: "user", content: "Bytes:\u2028|." },
  }).split("|");
  const text = Buffer.from(`\ufeff${header}\n${before}`);
  return Buffer.concat([text, Buffer.from([0xff, 0xc3, 0x28]), Buffer.from(`${after}\n`)]);
}

/** Of an agent whose format is not known. */
const GEMINI_CLI = [
  { sessionId: "5d0f", projectHash: "ab12", startTime: "2026-04-29T21:39:00.000Z", kind: "main" },
  { id: "1", timestamp: "2026-04-29T21:39:05.000Z", type: "user", content: [{ text: "Fix the login bug" }] },
];

function jsonl(lines: object[]): string {
  return lines.map((line) => `${JSON.stringify(line)}\n`).join("");
}

/** An agent's home with four sessions, among files that are none. */
export class SampleHome {
  readonly folder: string;
  /** Sessions, the newest message first. */
  readonly paths: { branched: string; plain: string; raw: string; old: string };
  /** A session, but not in one of the session directories. */
  readonly outside: string;
  /** In a session directory, a link to `outside`. */
  readonly link: string;
  /** In a session directory, but there is no such file. */
  readonly missing: string;
  #copies = 0;

  private constructor(folder: string) {
    this.folder = folder;
    const file = (...names: string[]) => join(this.sessions, ...names);
    this.paths = {
      branched: file("--home-user-project--", "2026-03-01T10-00-00-000Z_branched.jsonl"),
      plain: file("--home-user-other--", "2026-02-01T10-00-00-000Z_plain.jsonl"),
      raw: file("raw.jsonl"),
      old: join(folder, "gateway", "sessions", "2025-11-01T10-00-00-000Z_old.jsonl"),
    };
    this.outside = join(folder, "outside.jsonl");
    this.link = file("link.jsonl");
    this.missing = file("missing.jsonl");
  }

  /** Writes everything below `folder`. */
  static async write(folder: string): Promise<SampleHome> {
    const home = new SampleHome(folder);
    const { paths, sessions, outside } = home;
    const contents: [path: string, content: string | Buffer][] = [
      [paths.branched, jsonl(branched("branched"))],
      [paths.plain, plain()],
      [paths.raw, raw()],
      [paths.old, jsonl(old())],
      [join(sessions, "gemini-cli.jsonl"), jsonl(GEMINI_CLI)],
      [join(sessions, "empty.jsonl"), ""],
      [join(sessions, "subagent-artifacts", "1.jsonl"), jsonl(branched("artifact"))],
      [join(sessions, "transcripts", "1.jsonl"), jsonl(branched("transcript"))],
      [outside, jsonl(branched("outside"))],
    ];
    for (const [path, content] of contents) await write(path, content);
    await symlink(outside, home.link);
    return home;
  }

  get sessions(): string {
    return join(this.folder, "agent", "sessions");
  }

  /** Adds a session that nothing has touched yet, like the branched one but for its id. */
  async copy(): Promise<string> {
    // All as long as each other, so that files of different ones have the same size.
    const id = `copy-${`${++this.#copies}`.padStart(4, "0")}`;
    return this.add(id, branched(id));
  }

  /** Adds a session of Claude Code whose entry `o1` has its output in a file of its own. */
  async withOutput(): Promise<string> {
    const content = [{ type: "tool_result", tool_use_id: "call-1", content: "<persisted-output>" }];
    const message = { role: "user", content };
    const toolUseResult = { persistedOutputPath: "/home/user/.claude/projects/-p/output/tool-results/a1.txt" };
    const timestamp = "2025-10-01T10:00:00.000Z";
    await write(join(this.sessions, "output", "tool-results", "a1.txt"), "A long output.\n");
    return this.add("output", [
      { type: "user", uuid: "o1", parentUuid: null, timestamp, cwd: PROJECT, message, toolUseResult },
    ]);
  }

  /** Adds a session file. */
  async add(id: string, lines: object[]): Promise<string> {
    const path = join(this.sessions, `${id}.jsonl`);
    await write(path, jsonl(lines));
    return path;
  }
}

async function write(path: string, content: string | Buffer): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, content);
}

/** The lines of a session file. */
export async function linesOf(path: string): Promise<JsonObject[]> {
  return (await readFile(path, "utf8"))
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
}
