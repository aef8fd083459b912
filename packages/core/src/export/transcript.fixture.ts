import type {
  BashItem,
  MessageItem,
  NoteItem,
  SummaryItem,
  ToolResultItem,
  Transcript,
  TranscriptBlock,
  TranscriptItem,
} from "../session/transcript.ts";

const NO_USAGE = {
  input_tokens: 0,
  output_tokens: 0,
  cache_read_tokens: 0,
  cache_write_tokens: 0,
  total_tokens: 0,
  cost_usd: null,
};

const BASE = { id: "00000001", parent_id: null, timestamp: "2026-05-01T12:00:00.000Z" };

/** Builds transcripts for tests; what is not given is empty. */
export function transcriptOf(items: TranscriptItem[], fields: Partial<Transcript> = {}): Transcript {
  return {
    session_id: "0196a3c0-1111-7000-8000-000000000001",
    name: null,
    title: "Untitled",
    cwd: null,
    created_at: "2026-05-01T12:00:00.000Z",
    modified_at: "2026-05-01T12:00:00.000Z",
    models: [],
    usage: NO_USAGE,
    message_count: items.filter((item) => item.kind !== "note" && item.kind !== "summary").length,
    user_message_count: items.filter((item) => item.kind === "message" && item.role === "user").length,
    tool_call_count: items.filter((item) => item.kind === "tool_result").length,
    labels: {},
    runs: items.length === 0 ? [] : [{ parent: -1, count: items.length, shown: true }],
    items,
    redactions: null,
    ...fields,
  };
}

export function said(
  role: MessageItem["role"],
  blocks: (string | TranscriptBlock)[],
  fields: Partial<MessageItem> = {},
): MessageItem {
  return {
    ...BASE,
    kind: "message",
    role,
    hidden: false,
    blocks: blocks.map((block) => (typeof block === "string" ? { kind: "text", text: block } : block)),
    provider: null,
    model: null,
    usage: null,
    stop_reason: null,
    error_message: null,
    ...fields,
  };
}

export function called(id: string | null, name: string, args: Record<string, string | number> = {}): TranscriptBlock {
  return { kind: "tool_call", id, name, arguments: args };
}

export function returned(callId: string | null, text: string, fields: Partial<ToolResultItem> = {}): ToolResultItem {
  return {
    ...BASE,
    kind: "tool_result",
    call_id: callId,
    tool_name: "read",
    blocks: text === "" ? [] : [{ kind: "text", text }],
    is_error: false,
    diff: null,
    details: null,
    ...fields,
  };
}

export function ran(command: string, output: string, fields: Partial<BashItem> = {}): BashItem {
  const outcome = { exit_code: 0, cancelled: false, truncated: false, full_output_path: null };
  return { ...BASE, kind: "bash", command, output, ...outcome, ...fields };
}

export function summarised(reason: SummaryItem["reason"], text: string): SummaryItem {
  return { ...BASE, kind: "summary", reason, text };
}

export function noted(type: string): NoteItem {
  return { ...BASE, kind: "note", type, value: { type, detail: "kept" } };
}

export async function joined(chunks: AsyncIterable<string>): Promise<string> {
  let text = "";
  for await (const chunk of chunks) text += chunk;
  return text;
}
