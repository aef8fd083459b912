import type { JsonObject, JsonValue, MessageItem, TranscriptBlock } from "@sm/core";
import { contentText, numberOf, objectOf, textOf } from "./agent-record.ts";

/** A part of a message that is being written. */
export type StreamingBlock =
  | { kind: "text" | "thinking"; text: string; isDone: boolean }
  /** `json`: its arguments, as far as they are written. */
  | { kind: "tool_call"; id: string | null; name: string; json: string; arguments: JsonObject | null };

/** An answer that is being written. A new object for every change. */
export interface StreamingMessage {
  /** Of the row that it will be. */
  key: string;
  timestamp: string;
  model: string | null;
  /** By their places; a message whose beginning was missed has gaps. */
  blocks: readonly (StreamingBlock | undefined)[];
}

/** No agent writes so many parts; a place beyond would make a list of nothing. */
const MAX_BLOCKS = 1_000;

/** Begins a message with what its first record holds. */
export function beginMessage(key: string, timestamp: string, message: JsonObject): StreamingMessage {
  const text = contentText(message.content);
  return {
    key,
    timestamp,
    model: textOf(message.model),
    blocks: text === "" ? [] : [{ kind: "text", text, isDone: false }],
  };
}

/** Adds what a `message_update` tells; the same object where it tells nothing. */
export function withDelta(message: StreamingMessage, delta: JsonObject): StreamingMessage {
  const at = numberOf(delta.contentIndex) ?? 0;
  if (!Number.isInteger(at) || at < 0 || at >= MAX_BLOCKS) return message;
  const changed = changedBlock(message.blocks[at], delta);
  if (changed === null) return message;
  const blocks = [...message.blocks];
  blocks[at] = changed;
  return { ...message, blocks };
}

function changedBlock(block: StreamingBlock | undefined, delta: JsonObject): StreamingBlock | null {
  switch (delta.type) {
    case "text_start":
    case "text_delta":
    case "text_end":
      return withText(block, "text", delta);
    case "thinking_start":
    case "thinking_delta":
    case "thinking_end":
      return withText(block, "thinking", delta);
    case "toolcall_start":
    case "toolcall_delta":
    case "toolcall_end":
      return withCall(block, delta);
    default:
      return null;
  }
}

function withText(block: StreamingBlock | undefined, kind: "text" | "thinking", delta: JsonObject): StreamingBlock {
  // Since 0.84 a message may begin with what its first deltas repeat.
  const before = block?.kind === kind && delta.type !== `${kind}_start` ? block.text : "";
  const isDone = delta.type === `${kind}_end`;
  // The end repeats the complete text, including what came before subscribing.
  const text = isDone ? (textOf(delta.content) ?? before) : before + (textOf(delta.delta) ?? "");
  return { kind, text, isDone };
}

function withCall(block: StreamingBlock | undefined, delta: JsonObject): StreamingBlock {
  const before: Extract<StreamingBlock, { kind: "tool_call" }> =
    block?.kind === "tool_call" ? block : { kind: "tool_call", id: null, name: "", json: "", arguments: null };
  const call = objectOf(delta.toolCall);
  return {
    kind: "tool_call",
    id: textOf(call.id) ?? textOf(delta.id) ?? before.id,
    name: textOf(call.name) ?? textOf(delta.toolName) ?? before.name,
    json: before.json + (textOf(delta.delta) ?? ""),
    arguments: delta.type === "toolcall_end" && "arguments" in call ? objectOf(call.arguments) : before.arguments,
  };
}

/** Makes a message of what has been seen of it, where its last record does not hold it. */
export function endedMessage({ key, timestamp, model, blocks }: StreamingMessage): MessageItem {
  return {
    kind: "message",
    id: key,
    parent_id: null,
    timestamp,
    role: "assistant",
    hidden: false,
    blocks: blocks.flatMap((block) => (block === undefined ? [] : [endedBlock(block)])),
    provider: null,
    model,
    response_model: null,
    thinking_level: null,
    usage: null,
    answer_id: null,
    stop_reason: null,
    error_message: null,
    context_edit: null,
  };
}

function endedBlock(block: StreamingBlock): TranscriptBlock {
  if (block.kind === "text") return { kind: "text", text: block.text };
  if (block.kind === "tool_call") {
    return { kind: "tool_call", id: block.id, name: block.name, arguments: block.arguments ?? parsed(block.json) };
  }
  return { kind: "thinking", text: block.text, redacted: false };
}

function parsed(json: string): JsonObject {
  try {
    return objectOf(JSON.parse(json) as JsonValue);
  } catch {
    return {};
  }
}
