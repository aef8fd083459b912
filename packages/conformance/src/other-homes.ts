import { createHash } from "node:crypto";
import { lstat, mkdir, readdir, readFile, readlink, utimes, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";

const PROJECT = "/home/user/project";
const CLAUDE_ID = "0b3f7c52-6f0e-4d9c-9a54-3c1d2e4f5a60";
const CODEX_ID = "019f1d1f-0500-7ae5-83ba-e758bea96b8d";
const ARCHIVED_ID = "019f2244-1c80-7c11-9d52-6f0a5b3c2d1e";
const PACKED_ID = "019f2768-a400-70d4-8b1f-1a2b3c4d5e6f";

/** A session file of another agent. */
export interface OtherSession {
  what: string;
  format: string;
  path: string;
}

/** Homes of Claude Code, Codex and Oh My Pi, each with sessions, what belongs to them, and files that are none. */
export interface OtherHomes {
  /** `agents` of session-manager.json. */
  agents: Record<string, { enabled: boolean; homes: string[] }>;
  /** Those whose files are only read. */
  onlyRead: OtherSession[];
  /** Of Oh My Pi, which writes pi's format. */
  omp: string;
  /** Homes of agents whose files are only read. */
  folders: string[];
}

/** Writes the homes below a folder, with times of the past. */
export async function writeOtherHomes(folder: string): Promise<OtherHomes> {
  const [claude, codex, omp] = ["claude", "codex", "omp"].map((name) => join(folder, name)) as [string, string, string];
  const project = join(claude, "projects", "-home-user-project");
  const session = join(project, `${CLAUDE_ID}.jsonl`);
  const agent = join(project, CLAUDE_ID, "subagents", "agent-a75b7c6257b656276");
  const active = join(codex, "sessions", "2026", "07", "01", rollout("2026-07-01T12-00-00", CODEX_ID));
  const archived = join(codex, "archived_sessions", rollout("2026-07-02T12-00-00", ARCHIVED_ID));
  const packed = join(codex, "sessions", "2026", "07", "03", `${rollout("2026-07-03T12-00-00", PACKED_ID)}.zst`);
  const ompSession = join(omp, "sessions", "--home-user-project--", "2026-03-01T10-00-00-000Z_omp.jsonl");
  const contents: [path: string, content: string | Buffer][] = [
    [session, jsonl(claudeSession())],
    [`${agent}.jsonl`, jsonl(claudeSubagent())],
    [`${agent}.meta.json`, '{"agentType":"Explore","description":"Find retry logic","spawnDepth":1}'],
    [join(project, CLAUDE_ID, "subagents", "journal.jsonl"), '{"type":"started","key":"k"}\n'],
    [join(project, CLAUDE_ID, "tool-results", "ba5b3d27a.txt"), "a long output\n"],
    [join(project, "memory", "MEMORY.md"), "# Notes\n"],
    [join(claude, "history.jsonl"), jsonl([{ display: "Where?", timestamp: 1_785_747_600_000, project: PROJECT }])],
    [join(claude, "sessions", "4711.json"), JSON.stringify({ pid: 4711, sessionId: CLAUDE_ID, cwd: PROJECT })],
    [join(claude, "todos", `${CLAUDE_ID}-agent-${CLAUDE_ID}.json`), "[]"],
    [join(claude, "settings.json"), '{"cleanupPeriodDays": 30}'],
    [active, jsonl(codexSession(CODEX_ID, "Why does the clock drift?"))],
    [archived, jsonl(codexSession(ARCHIVED_ID, "An archived question."))],
    [packed, stored(jsonl(codexSession(PACKED_ID, "A packed question.")))],
    [join(codex, "session_index.jsonl"), jsonl([{ id: CODEX_ID, thread_name: "Drift", updated_at: at(0) }])],
    [join(codex, "history.jsonl"), jsonl([{ session_id: CODEX_ID, ts: 1_782_900_000, text: "Why?" }])],
    [join(codex, "config.toml"), 'model = "gpt-5"\n'],
    [join(codex, "auth.json"), '{"OPENAI_API_KEY": "secret"}'],
    [ompSession, jsonl(ompLines())],
  ];
  for (const [path, content] of contents) {
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, content);
    await utimes(path, new Date(at(60)), new Date(at(60)));
  }
  const on = (home: string) => ({ enabled: true, homes: [home] });
  return {
    agents: { omp: on(omp), "claude-code": on(claude), codex: on(codex) },
    onlyRead: [
      { what: "a session of Claude Code", format: "claude-code", path: session },
      { what: "a subagent of Claude Code", format: "claude-code", path: `${agent}.jsonl` },
      { what: "a session of Codex", format: "codex", path: active },
      { what: "an archived session of Codex", format: "codex", path: archived },
      { what: "a compressed session of Codex", format: "codex", path: packed },
    ],
    omp: ompSession,
    folders: [claude, codex],
  };
}

/** Everything in a folder, itself included, with all that a write could change; reading changes none of it. */
export async function snapshotOf(path: string): Promise<string[]> {
  const stat = await lstat(path);
  const { mode, size, mtimeMs, ctimeMs, ino } = stat;
  const facts = (content: string) => `${path} ${mode.toString(8)} ${ino} ${mtimeMs} ${ctimeMs} ${content}`;
  if (stat.isSymbolicLink()) return [facts(await readlink(path))];
  if (!stat.isDirectory()) {
    const hash = createHash("sha256").update(await readFile(path));
    return [facts(`${size} ${hash.digest("hex")}`)];
  }
  const names = (await readdir(path)).sort();
  const inside = await Promise.all(names.map((name) => snapshotOf(join(path, name))));
  return [facts(names.join("/")), ...inside.flat()];
}

function at(second: number): string {
  return new Date(Date.parse("2026-07-01T10:00:00.000Z") + second * 1_000).toISOString();
}

function jsonl(lines: object[]): string {
  return lines.map((line) => `${JSON.stringify(line)}\n`).join("");
}

function rollout(time: string, id: string): string {
  return `rollout-${time}-${id}.jsonl`;
}

const CLAUDE = {
  userType: "external",
  entrypoint: "cli",
  cwd: PROJECT,
  sessionId: CLAUDE_ID,
  version: "2.1.220",
  gitBranch: "main",
};

function claudeAnswer(id: string, block: object, output_tokens: number): object {
  const usage = {
    input_tokens: 4,
    cache_creation_input_tokens: 5200,
    cache_read_input_tokens: 14000,
    output_tokens,
    cache_creation: { ephemeral_1h_input_tokens: 5200, ephemeral_5m_input_tokens: 0 },
    service_tier: "standard",
  };
  const message = { model: "claude-opus-4-8", id, type: "message", role: "assistant", content: [block], usage };
  return { type: "assistant", message: { ...message, stop_reason: null, stop_sequence: null }, requestId: `req_${id}` };
}

function claudeSession(): object[] {
  const call = {
    type: "tool_use",
    id: "toolu_1",
    name: "Agent",
    input: { prompt: "List every file with retry logic." },
  };
  const result = { tool_use_id: "toolu_1", type: "tool_result", content: [{ type: "text", text: "src/net.ts:14" }] };
  const records: object[] = [
    { type: "user", message: { role: "user", content: "Where is the retry logic?" }, promptSource: "typed" },
    claudeAnswer("msg_1", { type: "text", text: "I will look." }, 1),
    claudeAnswer("msg_1", call, 210),
    {
      type: "user",
      message: { role: "user", content: [result] },
      toolUseResult: { status: "completed", agentId: "a75b7c6257b656276", agentType: "Explore" },
    },
    claudeAnswer("msg_2", { type: "text", text: "It is in src/net.ts." }, 20),
  ];
  return [
    { type: "mode", mode: "normal", sessionId: CLAUDE_ID },
    ...chained("5f0c1d9e-3a52-4c8b-9d57-2f6f0f8a1b", records, { ...CLAUDE, isSidechain: false }),
    { type: "ai-title", aiTitle: "Retry logic", sessionId: CLAUDE_ID },
  ];
}

function claudeSubagent(): object[] {
  const records = [
    { type: "user", message: { role: "user", content: "List every file with retry logic." } },
    claudeAnswer("msg_3", { type: "text", text: "One place: src/net.ts:14." }, 61),
  ];
  const common = { ...CLAUDE, isSidechain: true, agentId: "a75b7c6257b656276" };
  return chained("7a1e2b3c-4d5f-4a6b-8c7d-9e0f1a2b3c", records, common);
}

/** Records of which each names the one before as its parent. */
function chained(prefix: string, records: object[], common: object): object[] {
  const uuid = (place: number) => (place < 0 ? null : `${prefix}${place.toString(16).padStart(2, "0")}`);
  return records.map((record, place) => ({
    parentUuid: uuid(place - 1),
    ...common,
    ...record,
    uuid: uuid(place),
    timestamp: at(place),
  }));
}

function codexSession(id: string, prompt: string): object[] {
  const usage = { input_tokens: 100, cached_input_tokens: 20, output_tokens: 7, reasoning_output_tokens: 2 };
  const info = {
    total_token_usage: { ...usage, total_tokens: 107 },
    last_token_usage: { ...usage, total_tokens: 107 },
  };
  const text = (type: string, text: string) => [{ type, text }];
  const lines: [type: string, payload: object][] = [
    [
      "session_meta",
      { id, timestamp: at(0), cwd: PROJECT, originator: "codex_cli_rs", cli_version: "0.144.0", source: "cli" },
    ],
    ["turn_context", { turn_id: id, cwd: PROJECT, model: "gpt-5", effort: "medium", summary: "auto" }],
    ["response_item", { type: "message", role: "user", content: text("input_text", prompt) }],
    ["event_msg", { type: "user_message", message: prompt, images: [] }],
    ["response_item", { type: "function_call", name: "shell", arguments: '{"command":["ls"]}', call_id: "call_1" }],
    ["response_item", { type: "function_call_output", call_id: "call_1", output: "clock.ts" }],
    ["response_item", { type: "message", role: "assistant", content: text("output_text", "It has no source.") }],
    ["event_msg", { type: "token_count", info, rate_limits: null }],
  ];
  return lines.map(([type, payload], place) => ({ timestamp: at(place), type, payload }));
}

function ompLines(): object[] {
  const message = { role: "user", content: [{ type: "text", text: "A question to Oh My Pi." }] };
  return [
    { type: "session", version: 3, id: "omp", timestamp: at(0), cwd: PROJECT },
    { type: "message", id: "00000001", parentId: null, timestamp: at(1), message },
  ];
}

/** A Zstandard frame of one block that is not compressed (RFC 8878): every reader unpacks it. */
function stored(text: string): Buffer {
  const content = Buffer.from(text);
  const header = Buffer.alloc(12);
  header.writeUInt32LE(0xfd2fb528, 0);
  // A single segment, whose size is the next four bytes.
  header.writeUInt8(0xa0, 4);
  header.writeUInt32LE(content.length, 5);
  // The last block, as it is.
  header.writeUIntLE((content.length << 3) | 1, 9, 3);
  return Buffer.concat([header, content]);
}
