import type {
  BashItem,
  MessageItem,
  NestedCalls,
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
  cache_write_1h_tokens: 0,
  reasoning_tokens: 0,
  total_tokens: 0,
  cost_usd: null,
  estimated_cost_usd: null,
};

export const USAGE = {
  input_tokens: 300,
  output_tokens: 100,
  cache_read_tokens: 0,
  cache_write_tokens: 0,
  cache_write_1h_tokens: 0,
  reasoning_tokens: 0,
  total_tokens: 400,
  cost_usd: 0.25,
  estimated_cost_usd: null,
};

/** What a script has called. */
export const NESTED: NestedCalls = {
  calls: [
    {
      id: "n1",
      name: "read",
      arguments: { path: "src/nested.ts" },
      arguments_bytes: null,
      status: "ok",
      duration_ms: 3,
      error: null,
    },
    {
      id: "n2",
      name: "mcp__web__fetch",
      arguments: null,
      arguments_bytes: 9_000,
      status: "error",
      duration_ms: 1_200,
      error: "not found",
    },
    {
      id: "n3",
      name: "bash",
      arguments: { command: "sleep 9" },
      arguments_bytes: null,
      status: "unfinished",
      duration_ms: null,
      error: null,
    },
  ],
  complete: false,
};

/** What the agent tells a model. */
export const INSTRUCTIONS: TranscriptBlock[] = [
  { kind: "section", name: "preamble", text: "Be brief" },
  { kind: "section", name: "skills", text: null },
  { kind: "tools", added: [{ name: "read", description: "Reads a file", parameters: {} }], removed: ["write"] },
];

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
    response_model: null,
    thinking_level: null,
    answer_id: null,
    usage: null,
    stop_reason: null,
    error_message: null,
    context_edit: null,
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
    nested_calls: null,
    subagents: [],
    stored_output: null,
    usage: null,
    context_edit: null,
    ...fields,
  };
}

export function ran(command: string, output: string, fields: Partial<BashItem> = {}): BashItem {
  const outcome = { exit_code: 0, cancelled: false, truncated: false, full_output_path: null };
  return { ...BASE, kind: "bash", command, output, ...outcome, ...fields };
}

export function summarised(
  reason: SummaryItem["reason"],
  text: string,
  fields: Partial<SummaryItem> = {},
): SummaryItem {
  return { ...BASE, kind: "summary", reason, text, keeps_nothing: false, checkpoint: [], usage: null, ...fields };
}

export function noted(type: string): NoteItem {
  return { ...BASE, kind: "note", type, value: { type, detail: "kept" }, hidden: false, usage: null };
}

export async function joined(chunks: AsyncIterable<string>): Promise<string> {
  let text = "";
  for await (const chunk of chunks) text += chunk;
  return text;
}
