import type { JsonObject } from "../../json.ts";
import type { Corpus } from "../corpus.fixture.ts";

let count = 0;
let before: string | null = null;

const SESSION = "6f0a2c44-7d0e-4c55-9a43-0d8c6a4f2b10";

/** A record of the tree that hangs on the one before. */
function record(fields: JsonObject): JsonObject {
  const uuid = uuidOf(++count);
  const parentUuid = before;
  before = uuid;
  return {
    parentUuid,
    isSidechain: false,
    userType: "external",
    cwd: "/home/claude/work",
    sessionId: SESSION,
    version: "2.1.233",
    gitBranch: "main",
    uuid,
    timestamp: timeOf(count),
    ...fields,
  };
}

function uuidOf(place: number): string {
  return `0d0c0b0a-0000-4000-8000-${place.toString(16).padStart(12, "0")}`;
}

function timeOf(place: number): string {
  return new Date(Date.UTC(2026, 10, 1, 10, 0, place)).toISOString();
}

function user(content: JsonObject[string], fields: JsonObject = {}): JsonObject {
  return record({ type: "user", message: { role: "user", content }, ...fields });
}

function assistant(id: string, content: JsonObject[], usage: JsonObject, fields: JsonObject = {}): JsonObject {
  const message = { model: "claude-opus-4-8", id, type: "message", role: "assistant", content, usage };
  return record({ type: "assistant", requestId: `req_${id}`, message, ...fields });
}

function used(output: number): JsonObject {
  return {
    input_tokens: 10,
    cache_creation_input_tokens: 20,
    cache_read_input_tokens: 100,
    output_tokens: output,
    cache_creation: { ephemeral_5m_input_tokens: 15, ephemeral_1h_input_tokens: 5 },
    service_tier: "standard",
  };
}

const text = (said: string) => ({ type: "text", text: said });
const call = (id: string, name: string, input: JsonObject) => ({ type: "tool_use", id, name, input });
const result = (id: string, content: JsonObject[string], fields: JsonObject = {}) => ({
  tool_use_id: id,
  type: "tool_result",
  content,
  ...fields,
});

const PATCH = [
  { oldStart: 1, oldLines: 1, newStart: 1, newLines: 2, lines: ["-let x = 0", "+let firstpatch = 0", "+let y = 1"] },
];
const IMAGE = { type: "image", source: { type: "base64", media_type: "image/png", data: "iVBORw0KGgo=" } };

const first = [
  user([text("<system-reminder>\nnot hers\n</system-reminder>\n[Image #1] Where is the firstprompt?"), IMAGE]),
  assistant("msg_1", [{ type: "thinking", thinking: "A firstthought.", signature: "c2ln" }], used(1)),
  assistant("msg_1", [text("I look at the firstanswer.")], used(3)),
  assistant(
    "msg_1",
    [call("toolu_1", "Edit", { file_path: "src/firstfile.ts", new_string: "firstargument" })],
    used(3),
  ),
  user([result("toolu_1", "A firstresult")], {
    toolUseResult: { filePath: "src/firstfile.ts", originalFile: "let x = 0", structuredPatch: PATCH },
  }),
  assistant("msg_1", [call("toolu_2", "Bash", { command: "ls secondargument" })], used(9)),
  user([result("toolu_2", [text("Exit code 1 secondresult")], { is_error: true })], { toolUseResult: "Error" }),
];

/** Record 1 to 7, an aside of the client, an agent in the same file, a compaction, and the first records once more. */
export const claudeCorpus: Corpus = {
  lines: [
    { type: "summary", summary: "A title of another session", leafUuid: "00000000-0000-4000-8000-000000000000" },
    { type: "permission-mode", permissionMode: "default", sessionId: SESSION },
    ...first,
    record({ type: "progress", data: { type: "bash_progress", output: "a" }, toolUseID: "toolu_2" }),
    user("<task-notification>\n<summary>A firstnotification</summary>\n</task-notification>", {
      origin: { kind: "task-notification" },
    }),
    record({
      type: "attachment",
      attachment: { type: "queued_command", prompt: "Also secondprompt.", commandMode: "prompt" },
    }),
    { type: "ai-title", aiTitle: "The firsttitle", sessionId: SESSION },
    user("<command-name>/review</command-name>\n<command-args>firstcommand</command-args>"),
    user("Base directory of a skill", { isMeta: true }),
    user("<bash-input>echo shellcommand</bash-input>"),
    user("<bash-stdout>firstoutput</bash-stdout><bash-stderr></bash-stderr>"),
    { ...user("A task for an agent."), isSidechain: true, parentUuid: null },
    { ...assistant("msg_2", [text("The agent's firstwork.")], used(4)), isSidechain: true },
    record({
      type: "progress",
      parentToolUseID: "toolu_2",
      data: {
        type: "agent_progress",
        agentId: "a1",
        message: {
          type: "assistant",
          requestId: "req_msg_9",
          message: {
            id: "msg_9",
            model: "claude-haiku-4-5",
            role: "assistant",
            content: [text("Done.")],
            usage: used(6),
          },
        },
      },
    }),
    { type: "pr-link", prNumber: 7, prUrl: "https://example.org/7", prRepository: "o/r", sessionId: SESSION },
    record({
      type: "system",
      subtype: "compact_boundary",
      content: "Compacted",
      parentUuid: null,
      logicalParentUuid: uuidOf(14),
    }),
    user("This session is being continued from a previous conversation: a firstsummary", { isCompactSummary: true }),
    ...first,
    record({ type: "system", subtype: "stop_hook_summary", hookCount: 1, parentUuid: uuidOf(7) }),
    { type: "custom-title", customTitle: "The firstname", sessionId: SESSION },
    { type: "custom-title", customTitle: "The firstname", sessionId: SESSION },
    user("Go on, thirdprompt."),
    assistant("msg_3", [text("Done.")], used(2)),
    record({
      type: "assistant",
      isApiErrorMessage: true,
      message: { id: "e", model: "<synthetic>", role: "assistant", content: [text("API Error: firsterror")] },
    }),
  ],
  found: {
    entries: 25,
    messages: 7,
    prompts: 3,
    answers: 2,
    calls: 2,
    usage: [40, 21, 400, 80],
    title: "The firstname",
    words: [
      ..."firstprompt secondprompt thirdprompt firstanswer firstthought firstargument secondargument".split(" "),
      ..."firstfile firstresult secondresult firstpatch firstnotification firstcommand shellcommand".split(" "),
      ..."firstoutput firstwork firstsummary firstname firsterror".split(" "),
    ],
  },
  foreign: [
    { type: "started", key: "v2:hash0", agentId: "ag000001" },
    { type: "result", key: "v2:hash0", agentId: "ag000001", result: { summary: "a" } },
    { display: "Count me once.", pastedContents: {}, timestamp: 1785900000000, project: "/a", sessionId: SESSION },
    { type: "audit" },
  ],
  fixtures: ["claude-code", "homes/claude-code/home"],
};
