import { isJsonObject, type JsonObject, type JsonValue } from "../../json.ts";
import { formatTimestamp } from "../../session/timestamp.ts";
import type { NestedCall, NestedCalls, TranscriptBlock, TranscriptItem } from "../../session/transcript.ts";
import type { EntryPlace, StoredContextEdit } from "../format.ts";
import { blocksOf, text, textOrNull } from "../json-fields.ts";
import { messageOf, roleOf, timestampOf, usageOf } from "./fields.ts";

/** See `SessionFormat.item`. */
export function piItem(entry: JsonObject, { id, parentId }: Omit<EntryPlace, "role">): TranscriptItem {
  const base = { id, parent_id: parentId, timestamp: formatTimestamp(timestampOf(entry)) };
  const message = messageOf(entry);
  if (message !== null) {
    const role = roleOf(message);
    if (role === "tool") {
      return {
        ...base,
        kind: "tool_result",
        call_id: textOrNull(message.toolCallId),
        tool_name: textOrNull(message.toolName),
        blocks: transcriptBlocks(message.content),
        is_error: message.isError === true,
        diff: isJsonObject(message.details) ? textOrNull(message.details.diff) : null,
        details: message.details ?? null,
        nested_calls: nestedCalls(message.nestedCalls),
        subagents: subagentsOf(message.details),
        stored_output: null,
        usage: usageOf(message.usage),
        context_edit: null,
      };
    }
    if (role === "bash") {
      return {
        ...base,
        kind: "bash",
        command: text(message.command),
        output: text(message.output),
        exit_code: typeof message.exitCode === "number" ? message.exitCode : null,
        cancelled: message.cancelled === true,
        truncated: message.truncated === true,
        full_output_path: textOrNull(message.fullOutputPath),
      };
    }
    if (role !== null) {
      return {
        ...base,
        kind: "message",
        role,
        hidden: message.display === false,
        blocks: [...transcriptBlocks(message.content), ...(role === "system" ? promptBlocks(message) : [])],
        provider: textOrNull(message.provider),
        model: textOrNull(message.model),
        response_model: textOrNull(message.responseModel),
        thinking_level: textOrNull(message.thinkingLevel),
        usage: usageOf(message.usage),
        answer_id: null,
        stop_reason: textOrNull(message.stopReason),
        error_message: textOrNull(message.errorMessage),
        context_edit: null,
      };
    }
  }
  if (entry.type === "compaction") {
    const checkpoint = isJsonObject(entry.systemMessage) ? entry.systemMessage : {};
    return {
      ...base,
      kind: "summary",
      reason: "compaction",
      text: text(entry.summary),
      keeps_nothing: entry.firstKeptEntryId === id,
      checkpoint: [...transcriptBlocks(checkpoint.content), ...promptBlocks(checkpoint)],
      usage: usageOf(entry.usage),
    };
  }
  if (entry.type === "branch_summary") {
    return {
      ...base,
      kind: "summary",
      reason: "branch",
      text: text(entry.summary),
      keeps_nothing: false,
      checkpoint: [],
      usage: usageOf(entry.usage),
    };
  }
  if (entry.type === "custom_message") {
    return {
      ...base,
      kind: "message",
      role: "custom",
      hidden: entry.display === false,
      blocks: transcriptBlocks(entry.content),
      provider: null,
      model: null,
      response_model: null,
      thinking_level: null,
      usage: null,
      answer_id: null,
      stop_reason: null,
      error_message: null,
      context_edit: null,
    };
  }
  return { ...base, kind: "note", type: text(entry.type), value: entry, hidden: false, usage: usageOf(entry.usage) };
}

/** See `SessionFormat.contextEdit`. */
export function piContextEdit(entry: JsonObject): StoredContextEdit | null {
  if (entry.type !== "context_edit" || typeof entry.targetId !== "string") return null;
  const { targetId, replacement } = entry;
  const blocks = isJsonObject(replacement) ? transcriptBlocks(replacement.content) : [];
  return { targetId, replacement: blocks.length === 0 ? null : blocks };
}

function transcriptBlocks(content: JsonValue | undefined): TranscriptBlock[] {
  if (typeof content === "string") return content === "" ? [] : [{ kind: "text", text: content }];
  if (!Array.isArray(content)) return [];
  return content.map(transcriptBlock);
}

/** Since 0.87 the agent's instructions are stored in named sections, together with the tools. */
function promptBlocks({ sections, toolsAdded, toolsRemoved }: JsonObject): TranscriptBlock[] {
  const blocks: TranscriptBlock[] = [];
  for (const [name, section] of isJsonObject(sections) ? Object.entries(sections) : []) {
    if (section === null) blocks.push({ kind: "section", name, text: null });
    else if (text(section) !== "") blocks.push({ kind: "section", name, text: text(section) });
  }
  const added = Array.isArray(toolsAdded) ? toolsAdded : [];
  const removed = blocksOf(toolsRemoved).map(({ name }) => text(name));
  if (added.length + removed.length > 0) blocks.push({ kind: "tools", added, removed });
  return blocks;
}

/** Calls of the extension pi-subagents start several agents, each in a session file of its own. */
function subagentsOf(details: JsonValue | undefined): string[] {
  if (!isJsonObject(details) || !Array.isArray(details.results)) return [];
  const results = details.results.slice(0, MAX_SUBAGENTS);
  return results.flatMap((result) => (isJsonObject(result) ? (textOrNull(result.sessionFile) ?? []) : []));
}

const MAX_SUBAGENTS = 100;

function nestedCalls(value: JsonValue | undefined): NestedCalls | null {
  if (!isJsonObject(value)) return null;
  return { calls: blocksOf(value.calls).map(nestedCall), complete: value.complete === true };
}

function nestedCall(call: JsonObject): NestedCall {
  return {
    id: textOrNull(call.id),
    name: text(call.name),
    arguments: isJsonObject(call.arguments) ? call.arguments : null,
    arguments_bytes: typeof call.argumentsBytes === "number" ? call.argumentsBytes : null,
    status: call.status === "ok" || call.status === "error" ? call.status : "unfinished",
    duration_ms: typeof call.durationMs === "number" ? call.durationMs : null,
    error: textOrNull(call.error),
  };
}

function transcriptBlock(block: JsonValue): TranscriptBlock {
  if (isJsonObject(block)) {
    if (block.type === "text" && typeof block.text === "string") return { kind: "text", text: block.text };
    if (block.type === "thinking" && typeof block.thinking === "string") {
      return { kind: "thinking", text: block.thinking, redacted: block.redacted === true };
    }
    if (block.type === "image" && typeof block.data === "string") {
      return { kind: "image", mime_type: text(block.mimeType), data: block.data };
    }
    if (block.type === "toolCall" && typeof block.name === "string") {
      const args = isJsonObject(block.arguments) ? block.arguments : {};
      return { kind: "tool_call", id: textOrNull(block.id), name: block.name, arguments: args };
    }
  }
  return { kind: "raw", value: block };
}
