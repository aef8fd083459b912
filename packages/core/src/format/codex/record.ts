import { isJsonObject, type JsonObject, type JsonValue } from "../../json.ts";
import type { RateLimit, Usage } from "../../session/record.ts";
import { parseTimestamp } from "../../session/timestamp.ts";
import { amount, blocksOf, text, textOrNull } from "../json-fields.ts";
import { type Call, type CallResult, callOf, resultOf } from "./calls.ts";
import { textOfContent } from "./content.ts";
import { rateLimitsOf } from "./rate-limits.ts";
import { userWords } from "./user-text.ts";

/** What a line of Codex is, as far as it says so on its own. */
export type Told =
  | { kind: "meta"; payload: JsonObject }
  /** The settings of a turn: its model, its directory. */
  | { kind: "turn"; payload: JsonObject }
  /** A prompt as the client has taken it. */
  | { kind: "prompt"; text: string; images: string[] }
  /** What the model reads as the user's: the prompt once more, and in files without events the only time. */
  | { kind: "input"; text: string; images: string[] }
  /** For the model only. */
  | { kind: "context"; text: string }
  | { kind: "answer"; content: JsonValue | undefined }
  | { kind: "reasoning"; text: string }
  | { kind: "call"; call: Call }
  | { kind: "result"; result: CallResult }
  /** What a patch has changed; calls are told by it where a script has applied it. */
  | { kind: "change"; id: string | null; changes: JsonValue | undefined; output: string; isError: boolean }
  /** An agent was started by a call. */
  | { kind: "agent"; id: string | null; thread: string }
  /** A message of another agent. */
  | { kind: "task"; text: string }
  | { kind: "summary"; text: string }
  | { kind: "usage"; info: JsonObject | null; limits: RateLimit[] | null | undefined }
  | { kind: "title"; title: string; thread: string | null }
  | { kind: "rollback"; turns: number }
  | { kind: "note"; type: string }
  /** Known, and not shown. */
  | { kind: "nothing" };

const NOTHING: Told = { kind: "nothing" };

/** State of the client, and what is told again in other lines. */
const SILENT = new Set([
  "additional_tools",
  "agent_message",
  "agent_reasoning",
  "agent_reasoning_raw_content",
  "collab_agent_interaction_end",
  "collab_close_end",
  "collab_resume_end",
  "collab_waiting_end",
  "compaction",
  "context_compacted",
  "context_compaction",
  "exec_command_end",
  "ghost_snapshot",
  "image_generation_end",
  "inter_agent_communication",
  "inter_agent_communication_metadata",
  "mcp_tool_call_end",
  "realtime_item",
  "retained_context",
  "security_risk_score",
  "task_complete",
  "task_started",
  "thread_settings_applied",
  "token_usage_record",
  "turn_complete",
  "turn_started",
  "view_image_tool_call",
  "web_search_end",
  "world_state",
]);

/** Items of threads that are told by other lines. */
const SILENT_ITEMS = new Set([
  "AgentMessage",
  "CollabToolCall",
  "CommandExecution",
  "ContextCompaction",
  "DynamicToolCall",
  "EnteredReviewMode",
  "ExitedReviewMode",
  "HookPrompt",
  "ImageGeneration",
  "ImageView",
  "McpToolCall",
  "Plan",
  "Reasoning",
  "WebSearch",
]);

/** Begin a turn, although they are not shown. */
const TURN_BEGINS = new Set(["task_started", "turn_started"]);

/** Whether an event is known, and neither shown nor of any meaning for what follows. */
export function isSilentEvent(type: string): boolean {
  return SILENT.has(type) && !TURN_BEGINS.has(type);
}

/** The same of an item that an event tells as completed. */
export function isSilentItem(type: string): boolean {
  return SILENT_ITEMS.has(type);
}

/** The same of a line besides events and items. */
export function isSilentLine(type: string): boolean {
  return LINE_TYPES.has(type) && SILENT.has(type);
}

/** In early versions, lines were the items alone. */
const BARE_ITEMS = new Set([
  "message",
  "reasoning",
  "function_call",
  "function_call_output",
  "local_shell_call",
  "custom_tool_call",
  "custom_tool_call_output",
  "web_search_call",
]);

export const LINE_TYPES = new Set([
  "compacted",
  "event_msg",
  "inter_agent_communication",
  "inter_agent_communication_metadata",
  "realtime_item",
  "response_item",
  "retained_context",
  "security_risk_score",
  "session_meta",
  "token_usage_record",
  "turn_context",
  "world_state",
]);

export function payloadOf({ payload }: JsonObject): JsonObject {
  return isJsonObject(payload) ? payload : {};
}

/** Whether the line is an item without its envelope. */
export function isBareItem(line: JsonObject): boolean {
  if (typeof line.type !== "string" || line.payload !== undefined || !BARE_ITEMS.has(line.type)) return false;
  if (line.type === "message") {
    return blocksOf(line.content).some(({ type }) => type === "input_text" || type === "output_text");
  }
  return line.type === "reasoning" ? Array.isArray(line.summary) : typeof (line.call_id ?? line.action) !== "undefined";
}

/** Whether the line is the first one of early versions. */
export function isBareMeta(line: JsonObject): boolean {
  return (
    line.type === undefined &&
    typeof line.id === "string" &&
    typeof line.timestamp === "string" &&
    "instructions" in line &&
    line.payload === undefined
  );
}

export function told(line: JsonObject): Told {
  const payload = payloadOf(line);
  switch (line.type) {
    case "session_meta":
      return { kind: "meta", payload };
    case "turn_context":
      return { kind: "turn", payload };
    case "response_item":
      return ofItem(payload);
    case "event_msg":
      return ofEvent(payload);
    case "compacted":
      return { kind: "summary", text: text(payload.message) };
    case undefined:
      return isBareMeta(line) ? { kind: "meta", payload: line } : NOTHING;
  }
  if (isBareItem(line)) return ofItem(line);
  return typeof line.type !== "string" || SILENT.has(line.type) ? NOTHING : { kind: "note", type: line.type };
}

function ofItem(item: JsonObject): Told {
  switch (item.type) {
    case "message":
      return ofMessage(item);
    case "reasoning": {
      const summary = textOfContent(item.summary);
      return { kind: "reasoning", text: summary !== "" ? summary : textOfContent(item.content) };
    }
    case "agent_message":
      return { kind: "task", text: textOfContent(item.content) };
  }
  const result = resultOf(item);
  if (result !== null) return { kind: "result", result };
  const call = callOf(item);
  return call === null ? noteOf(item) : { kind: "call", call };
}

function ofMessage({ role, content }: JsonObject): Told {
  if (role === "assistant") return { kind: "answer", content };
  if (role !== "user") return { kind: "context", text: textOfContent(content) };
  if (!Array.isArray(content)) return inputOf(userWords(text(content)), [], text(content));
  const words: string[] = [];
  const images: string[] = [];
  for (const block of content) {
    if (!isJsonObject(block)) continue;
    const said = userWords(text(block.text));
    if (said !== "") words.push(said);
    if (typeof block.image_url === "string") images.push(block.image_url);
  }
  return inputOf(words.join("\n"), images, textOfContent(content));
}

function inputOf(words: string, images: string[], all: string): Told {
  const isContext = words.trim() === "" && images.length === 0;
  return isContext ? { kind: "context", text: all } : { kind: "input", text: words, images };
}

function ofEvent(event: JsonObject): Told {
  switch (event.type) {
    case "user_message": {
      const { kind, message } = event;
      const said = text(message);
      const images = [event.images, event.local_images].flatMap((urls) => (Array.isArray(urls) ? urls.map(text) : []));
      // Early versions told of the context by the same event.
      if (kind !== undefined && kind !== null && kind !== "plain") return { kind: "context", text: said };
      return promptOf(userWords(said), images.filter(Boolean), said);
    }
    case "item_completed":
      return isJsonObject(event.item) ? ofThreadItem(event.item) : NOTHING;
    case "token_count":
      return {
        kind: "usage",
        info: isJsonObject(event.info) ? event.info : null,
        limits: rateLimitsOf(event.rate_limits),
      };
    case "thread_name_updated":
      return { kind: "title", title: text(event.thread_name).trim(), thread: textOrNull(event.thread_id) };
    case "thread_rolled_back":
      return { kind: "rollback", turns: Math.max(0, Math.floor(amount(event.num_turns))) };
    case "patch_apply_end":
      return changeOf(event, textOrNull(event.call_id), event.success === false);
    case "collab_agent_spawn_end":
      return agentOf(textOrNull(event.call_id), event.new_thread_id);
    case "sub_agent_activity":
      return event.kind === "started" ? agentOf(textOrNull(event.event_id), event.agent_thread_id) : NOTHING;
    default:
      return noteOf(event);
  }
}

/** Newer versions tell of what happened by the items of the thread. */
function ofThreadItem(item: JsonObject): Told {
  switch (item.type) {
    case "UserMessage": {
      const said = textOfContent(item.content);
      const urls = Array.isArray(item.content) ? item.content.map((block) => (isJsonObject(block) ? block : {})) : [];
      const images = urls.map(
        ({ type, image_url, path }) => text(image_url) || (type === "local_image" ? text(path) : ""),
      );
      return promptOf(userWords(said), images.filter(Boolean), said);
    }
    case "FileChange":
      return changeOf(item, textOrNull(item.id), item.status === "failed");
    case "SubAgentActivity":
      return item.kind === "started" ? agentOf(textOrNull(item.id), item.agent_thread_id) : NOTHING;
    default: {
      const type = text(item.type);
      return type === "" || SILENT_ITEMS.has(type) ? NOTHING : { kind: "note", type };
    }
  }
}

function promptOf(words: string, images: string[], all: string): Told {
  const isContext = words.trim() === "" && images.length === 0 && all !== "";
  return isContext ? { kind: "context", text: all } : { kind: "prompt", text: words, images };
}

function changeOf({ changes, stdout, stderr }: JsonObject, id: string | null, isError: boolean): Told {
  return { kind: "change", id, changes, output: text(stdout) || text(stderr), isError };
}

function agentOf(id: string | null, thread: JsonValue | undefined): Told {
  return typeof thread === "string" && thread !== "" ? { kind: "agent", id, thread } : NOTHING;
}

function noteOf({ type }: JsonObject): Told {
  return typeof type !== "string" || type === "" || SILENT.has(type) ? NOTHING : { kind: "note", type };
}

export function timestampOf(line: JsonObject): number | null {
  return parseTimestamp(line.timestamp);
}

/** Tokens as they are counted: input with what the cache was read and written for, output with reasoning. */
export type Tokens = [input: number, cacheRead: number, cacheWrite: number, output: number, reasoning: number];

export function tokensOf(value: JsonValue | undefined): Tokens | null {
  if (!isJsonObject(value)) return null;
  return [
    amount(value.input_tokens),
    amount(value.cached_input_tokens),
    amount(value.cache_write_input_tokens),
    amount(value.output_tokens),
    amount(value.reasoning_output_tokens),
  ];
}

/** `null` if nothing was used. */
export function usageOf(tokens: Tokens | null): Usage | null {
  if (tokens === null || tokens.every((count) => count === 0)) return null;
  const [input, cacheRead, cacheWrite, output, reasoning] = tokens;
  const uncached = Math.max(0, input - cacheRead - cacheWrite);
  return {
    input_tokens: uncached,
    output_tokens: output,
    cache_read_tokens: cacheRead,
    cache_write_tokens: cacheWrite,
    cache_write_1h_tokens: 0,
    reasoning_tokens: reasoning,
    total_tokens: uncached + cacheRead + cacheWrite + output,
    cost_usd: null,
    estimated_cost_usd: null,
  };
}
