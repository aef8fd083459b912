import type { MessageItem, ToolResultItem, TranscriptBlock, TranscriptItem } from "../session/transcript.ts";

// Items of which nothing is told yet but who speaks and what.

export type ItemBase = Pick<TranscriptItem, "id" | "parent_id" | "timestamp">;

export function newMessage(base: ItemBase, role: MessageItem["role"], blocks: TranscriptBlock[]): MessageItem {
  return {
    ...base,
    kind: "message",
    role,
    hidden: false,
    blocks,
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

export function newToolResult(base: ItemBase, blocks: TranscriptBlock[]): ToolResultItem {
  return {
    ...base,
    kind: "tool_result",
    call_id: null,
    tool_name: null,
    blocks,
    is_error: false,
    diff: null,
    details: null,
    nested_calls: null,
    stored_output: null,
    subagents: [],
    usage: null,
    context_edit: null,
  };
}

/** None without text. */
export function textBlocks(said: string): TranscriptBlock[] {
  return said === "" ? [] : [{ kind: "text", text: said }];
}
