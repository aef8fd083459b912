import { capabilitiesOf } from "../format/agent.ts";
import { formatNamed } from "../format/formats.ts";
import { idOfFileName } from "./file-name.ts";
import type { FoldState } from "./fold-state.ts";
import type { SessionRecord, SessionSource } from "./record.ts";
import { titleOf } from "./session-title.ts";
import { formatTimestamp } from "./timestamp.ts";

/** What the record of a session is made from. */
export interface SessionSummary {
  state: FoldState;
  branch_count: number;
  /** Of the first entry, in milliseconds since 1970. */
  first_time: number | null;
  /** Whether `latest_text` is the newest text on the current branch. */
  has_last_text: boolean;
  /** Whether `ending` is on the current branch. */
  has_ending: boolean;
}

/** File system data about a session file. */
export interface SessionFileFacts {
  path: string;
  size: number;
  /** Milliseconds since 1970. */
  modifiedAt: number;
  /** Default: the file. */
  source?: SessionSource;
}

/** The record as far as it depends on the file: the library adds subagents, tags, favorite, live and index state. */
export function recordOf(summary: SessionSummary, file: SessionFileFacts): SessionRecord {
  const { state } = summary;
  const modified = state.newest_message_time ?? state.header?.timestamp ?? file.modifiedAt;
  const last = summary.has_last_text ? state.latest_text : null;
  const ending = summary.has_ending ? state.ending : null;
  const format = state.format ?? "pi";
  const id = state.header?.id ?? idOfFileName(file.path);
  const cwd = state.header?.cwd ?? null;
  const { path, source = "file" } = file;
  return {
    path,
    id,
    owner: null,
    machine: null,
    format,
    capabilities: capabilitiesOf(formatNamed(format).agent, { path, id, cwd, source }),
    source,
    name: state.name,
    title: titleOf(state, file.path),
    cwd,
    created_at: timeOf(state.header?.timestamp ?? summary.first_time ?? file.modifiedAt),
    modified_at: timeOf(modified),
    size_bytes: file.size,
    message_count: state.message_count,
    user_message_count: state.user_message_count,
    assistant_message_count: state.assistant_message_count,
    tool_call_count: state.tool_call_count,
    first_message: state.first_message,
    last_message: last?.text ?? null,
    last_role: last?.role ?? null,
    outcome: ending?.outcome ?? null,
    outcome_message: ending?.message ?? null,
    models: state.models,
    providers: state.providers,
    usage: state.usage,
    branch_count: summary.branch_count,
    parent_session_path: state.header?.parentSessionPath ?? null,
    relation: state.header?.relation ?? null,
    subagent_count: 0,
    subagent_usage: null,
    rate_limits: state.header?.rateLimits ?? null,
    tag_ids: [],
    is_favorite: false,
    archived_at: null,
    expires_at: null,
    note_count: 0,
    is_live: false,
    // An unreadable header counts as a malformed line.
    malformed_lines: state.header === null ? Math.max(1, state.malformed_lines) : state.malformed_lines,
    indexed: false,
  };
}

function timeOf(milliseconds: number): string {
  return formatTimestamp(milliseconds) ?? new Date(0).toISOString();
}
