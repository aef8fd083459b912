/** Formats whose sessions can be read. Claude Code and Codex are to follow. */
export type SessionFormatName = "pi";

/**
 * Tokens and money of a session, a model or a day: what the agent's own totals count. That is, on every branch, answers,
 * results of tools that have used a model, compactions, branch summaries, and uses beside the conversation.
 */
export interface Usage {
  input_tokens: number;
  /** Reasoning included. */
  output_tokens: number;
  cache_read_tokens: number;
  cache_write_tokens: number;
  /** The sum of the four. */
  total_tokens: number;
  /** US dollars; `null` where no entry has a recorded cost. Never a guess. */
  cost_usd: number | null;
}

/**
 * One session as lists show it. Counts cover all branches, and a duplicate entry id counts once.
 * Times are RFC 3339 in UTC with milliseconds.
 */
export interface SessionRecord {
  path: string;
  id: string;
  format: SessionFormatName;
  /** Given by the user; `null` where there is none. */
  name: string | null;
  /** The name, else the first user message in one line, else the file name; at most 200 characters. */
  title: string;
  cwd: string | null;
  created_at: string;
  /** Newest time among user and assistant messages, else the header's, else the file's. */
  modified_at: string;
  size_bytes: number;
  message_count: number;
  user_message_count: number;
  assistant_message_count: number;
  /** Calls in the assistant's messages; those that a tool made itself are counted by statistics only. */
  tool_call_count: number;
  first_message: string | null;
  last_message: string | null;
  last_role: "user" | "assistant" | null;
  /** Of the assistant's messages, in the order of the file; at most 50, like the providers. */
  models: string[];
  providers: string[];
  usage: Usage;
  /** Leaves after leaving out, from the ends, entries without conversation. */
  branch_count: number;
  parent_session_path: string | null;
  tag_ids: string[];
  is_favorite: boolean;
  is_live: boolean;
  malformed_lines: number;
  /** Whether every entry is searchable yet. */
  indexed: boolean;
}
