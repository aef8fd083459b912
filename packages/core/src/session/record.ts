/** Names of the supported session formats, in the order of recognition. */
export const SESSION_FORMATS = ["pi", "claude-code", "codex"] as const;

/** A supported session format. */
export type SessionFormatName = (typeof SESSION_FORMATS)[number];

/** How a session came from its parent: as a copy of a branch, or as the work of an agent that the parent started. */
export type SessionRelation = "fork" | "subagent";

/**
 * Tokens and cost of a session, a model or a day, as in the agent's own totals: on all branches, answers, tool results
 * that used a model, compactions, branch summaries, and uses outside of the conversation.
 */
export interface Usage {
  input_tokens: number;
  /** Including reasoning. */
  output_tokens: number;
  cache_read_tokens: number;
  cache_write_tokens: number;
  /** Those of them that the cache keeps for an hour: they cost more. */
  cache_write_1h_tokens: number;
  /** Those of the output that were reasoning; 0 also where the agent does not tell. */
  reasoning_tokens: number;
  /** Sum of input, output, and what the cache was read and written for. */
  total_tokens: number;
  /** US dollars; `null` if no entry has a recorded cost. Never estimated. */
  cost_usd: number | null;
  /**
   * US dollars by price list, for the entries without a recorded cost only; `null` if nothing was estimated. Not part of
   * `cost_usd`. Always `null` in what a format reads.
   */
  estimated_cost_usd: number | null;
}

/** Where the bytes of a session are: in its file or, where that is gone, in the vault only. */
export type SessionSource = "file" | "vault";

/** How much of what an account may use within a time was used. */
export interface RateLimit {
  used_percent: number;
  /** The time; `null` if it is not told. */
  window_minutes: number | null;
  /** When it begins anew. */
  resets_at: string | null;
}

/** What can be done with a session. */
export interface SessionCapabilities {
  /** Its name may be kept apart from its file. */
  rename: boolean;
  fork: boolean;
  delete: boolean;
  /** Whether the service can run its agent on it. */
  start: boolean;
  /** For a POSIX shell, without control characters; `null` if the agent cannot continue it. */
  resume_command: string | null;
}

/** How a run of an agent has ended, where it did not get to its end. */
export type SessionOutcome = "failed" | "aborted";

/** The end of the last run, and what was told of it. */
export interface Ending {
  outcome: SessionOutcome;
  /** One line of at most 200 characters; `null` if nothing was told. */
  message: string | null;
}

/**
 * A session in lists. Counts include all branches; duplicate entry IDs count once. Times are RFC 3339 in UTC with
 * milliseconds.
 */
export interface SessionRecord {
  path: string;
  id: string;
  /** Name of the user of the hub whose session it is; `null`: one's own, and always where there is no hub. */
  owner: string | null;
  /** Name of the machine that has sent it to the hub; `null` where there is no hub. */
  machine: string | null;
  format: SessionFormatName;
  capabilities: SessionCapabilities;
  source: SessionSource;
  /** Set by the user, in the file or, where that is only read, apart from it; `null` if there is none. */
  name: string | null;
  /** The name, else the agent's title, else the first user message as one line, else the file name; at most 200 characters. */
  title: string;
  cwd: string | null;
  created_at: string;
  /** Newest time among user and assistant messages, else the header's, else the file's. */
  modified_at: string;
  size_bytes: number;
  message_count: number;
  user_message_count: number;
  assistant_message_count: number;
  /** Calls in the assistant's messages; nested calls are counted by statistics only. */
  tool_call_count: number;
  first_message: string | null;
  last_message: string | null;
  last_role: "user" | "assistant" | null;
  /** How the last run has ended on the current branch; `null` if it went well, or a new one has begun. */
  outcome: SessionOutcome | null;
  /** What was told of a failure, in one line of at most 200 characters. */
  outcome_message: string | null;
  /** Models of the assistant's messages in file order; at most 50, like the providers. */
  models: string[];
  providers: string[];
  /** Without answers that count for another session, which had them first. */
  usage: Usage;
  /** Number of leaves, ignoring entries without conversation at the ends. */
  branch_count: number;
  parent_session_path: string | null;
  /** To the parent session; `null` without one. */
  relation: SessionRelation | null;
  /** Sessions of agents that it has started, and those of theirs. */
  subagent_count: number;
  /** Of these sessions together, which `usage` does not contain; `null` without any. */
  subagent_usage: Usage | null;
  /** Of the agent's account, as the session was told last; `null` where agents do not tell. */
  rate_limits: RateLimit[] | null;
  tag_ids: string[];
  is_favorite: boolean;
  /** Since when lists and searches leave it out; `null` if it is not archived. Its subagents are left out with it. */
  archived_at: string | null;
  /** When its agent deletes the file, if that is within seven days or already due; `null` otherwise. */
  expires_at: string | null;
  /** Notes of the user on the session and its entries. */
  note_count: number;
  is_live: boolean;
  malformed_lines: number;
  /** Whether every entry is searchable. */
  indexed: boolean;
}
