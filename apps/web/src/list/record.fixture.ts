import type { SessionRecord } from "@sm/router/client";

/** A session for tests; its path and title are its name. */
export function sessionRecord(name: string, fields: Partial<SessionRecord> = {}): SessionRecord {
  return {
    path: `/sessions/${name}.jsonl`,
    id: name,
    format: "pi",
    name: null,
    title: name,
    cwd: "/home/me/project",
    created_at: "2026-03-01T10:00:00.000Z",
    modified_at: "2026-03-01T12:00:00.000Z",
    size_bytes: 1_000,
    message_count: 4,
    user_message_count: 2,
    assistant_message_count: 2,
    tool_call_count: 0,
    first_message: null,
    last_message: null,
    last_role: null,
    models: [],
    providers: [],
    usage: {
      input_tokens: 0,
      output_tokens: 0,
      cache_read_tokens: 0,
      cache_write_tokens: 0,
      total_tokens: 0,
      cost_usd: null,
    },
    branch_count: 1,
    parent_session_path: null,
    relation: null,
    tag_ids: [],
    is_favorite: false,
    is_live: false,
    malformed_lines: 0,
    indexed: true,
    ...fields,
  };
}
