import { isJsonObject, type JsonObject, type JsonValue } from "../../json.ts";
import { formatTimestamp } from "../../session/timestamp.ts";
import type { TranscriptBlock, TranscriptItem } from "../../session/transcript.ts";
import type { EntryPlace } from "../format.ts";
import { joinText, text, textOrNull } from "../json-fields.ts";
import { type ItemBase, newMessage, newToolResult, textBlocks } from "../new-items.ts";
import { diffOf } from "./patch.ts";
import { modelOf, timestampOf, told, usageOf } from "./record.ts";
import { storedOutputOf } from "./stored-output.ts";

/** Fields of a tool's own result that repeat its text, its diff or its call. */
const SHOWN_ELSEWHERE = new Set([
  "stdout",
  "stderr",
  "content",
  "file",
  "originalFile",
  "oldString",
  "newString",
  "edits",
  "structuredPatch",
  "prompt",
  "oldTodos",
  "newTodos",
  "results",
]);

/** See `SessionFormat.item`. */
export function claudeItem(entry: JsonObject, { id, parentId, role }: EntryPlace): TranscriptItem {
  const base: ItemBase = { id, parent_id: parentId, timestamp: formatTimestamp(timestampOf(entry)) };
  const what = told(entry);
  switch (what.kind) {
    case "prompt":
      // The reader has not taken the task of an agent for a prompt.
      return newMessage(base, role === "user" ? "user" : "client", what.blocks.map(blockOf));
    case "command":
      return newMessage(base, "user", textBlocks(what.text));
    case "answer": {
      const { content, usage, stop_reason, id: answerId } = what.message;
      return {
        ...newMessage(base, "assistant", blocksIn(content)),
        model: modelOf(what.message),
        usage: usageOf(usage, entry.costUSD),
        answer_id: textOrNull(answerId),
        stop_reason: textOrNull(stop_reason),
      };
    }
    case "synthetic":
      if (!what.isError) return newMessage(base, "client", textBlocks(what.text));
      return { ...newMessage(base, "assistant", []), stop_reason: "error", error_message: what.text };
    case "reported": {
      const { content, usage, id: answerId } = what.message;
      return {
        ...newMessage(base, "client", blocksIn(content)),
        hidden: true,
        model: modelOf(what.message),
        usage: usageOf(usage, undefined),
        answer_id: textOrNull(answerId),
      };
    }
    case "results": {
      const [first] = what.results;
      const blocks = what.blocks.flatMap((block) =>
        isJsonObject(block) && block.type === "tool_result" ? blocksIn(block.content) : [blockOf(block)],
      );
      return {
        ...newToolResult(base, blocks),
        call_id: textOrNull(first?.tool_use_id),
        is_error: what.results.some(({ is_error }) => is_error === true),
        diff: diffOf(entry.toolUseResult),
        details: detailsOf(entry.toolUseResult),
        subagents: subagentsOf(entry.toolUseResult),
        stored_output: storedOutputOf(what.results, entry.toolUseResult),
      };
    }
    case "bash":
      return {
        ...base,
        kind: "bash",
        command: what.command,
        output: "",
        exit_code: null,
        cancelled: false,
        truncated: false,
        full_output_path: null,
      };
    case "notice":
      return newMessage(base, "client", textBlocks(what.text));
    case "context":
      return { ...newMessage(base, "client", textBlocks(what.text)), hidden: true };
    case "summary":
      return { ...base, kind: "summary", reason: "compaction", text: what.text, ...NO_CHECKPOINT };
    case "name":
      return { ...base, kind: "note", type: text(entry.type), value: entry, hidden: false, usage: null };
    case "note":
      return { ...base, kind: "note", type: what.type, value: entry, hidden: isOfClient(what.type), usage: null };
  }
}

/** Progress of tools, hooks that ran, and what the client tells the model of itself. */
const OF_CLIENT = new Set([
  "agent_listing_delta",
  "bridge_status",
  "command_permissions",
  "deferred_tools_delta",
  "mcp_instructions_delta",
  "progress",
  "skill_listing",
  "stop_hook_summary",
  "task_reminder",
  "todo_reminder",
  "turn_duration",
]);

function isOfClient(type: string): boolean {
  return type.startsWith("hook_") || OF_CLIENT.has(type);
}

const NO_CHECKPOINT = { keeps_nothing: false, checkpoint: [], usage: null };

function blocksIn(content: JsonValue | undefined): TranscriptBlock[] {
  if (typeof content === "string") return textBlocks(content);
  return Array.isArray(content) ? content.map(blockOf) : [];
}

function blockOf(block: JsonValue): TranscriptBlock {
  if (!isJsonObject(block)) return { kind: "raw", value: block };
  switch (block.type) {
    case "text":
      return { kind: "text", text: text(block.text) };
    case "thinking":
      // Some models tell only that they thought.
      return { kind: "thinking", text: text(block.thinking), redacted: text(block.thinking) === "" };
    case "redacted_thinking":
      return { kind: "thinking", text: "", redacted: true };
    case "tool_use":
      return {
        kind: "tool_call",
        id: textOrNull(block.id),
        name: text(block.name),
        arguments: isJsonObject(block.input) ? block.input : {},
      };
    case "image":
    case "document":
      return ofSource(block) ?? { kind: "raw", value: block };
    default:
      return { kind: "raw", value: block };
  }
}

/** Images, and documents: texts are shown, of others only what they are. */
function ofSource(block: JsonObject): TranscriptBlock | null {
  const { source, type, title = null } = block;
  if (!isJsonObject(source) || typeof source.data !== "string") return null;
  const { data, media_type = null } = source;
  if (type === "image") return { kind: "image", mime_type: text(media_type), data };
  if (source.type === "text") return { kind: "text", text: `${text(title)}\n\n${data}`.trim() };
  return { kind: "raw", value: { type, title, media_type, base64_length: data.length } };
}

/** The texts of documents in a prompt. */
export function textOfPrompt(blocks: JsonValue[]): string {
  return blocks
    .map((block) => (isText(block) ? joinText([block]) : shownText(block)))
    .filter(Boolean)
    .join("\n");
}

function isText(block: JsonValue): boolean {
  return isJsonObject(block) && block.type === "text";
}

function shownText(block: JsonValue): string {
  const shown = blockOf(block);
  return shown.kind === "text" ? shown.text : "";
}

/** The session of an agent has the name of its file as ID. */
function subagentsOf(recorded: JsonValue | undefined): string[] {
  const id = isJsonObject(recorded) ? textOrNull(recorded.agentId) : null;
  return id === null ? [] : [`agent-${id}`];
}

/** What a tool has recorded beside its text; `null` if that is all shown elsewhere. */
function detailsOf(recorded: JsonValue | undefined): JsonValue | null {
  if (!isJsonObject(recorded)) return null;
  const others = Object.entries(recorded).filter(([key]) => !SHOWN_ELSEWHERE.has(key));
  return others.length === 0 ? null : Object.fromEntries(others);
}
