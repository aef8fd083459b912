import type { JsonObject, JsonValue } from "../json.ts";
import type { Usage } from "./record.ts";

/** A piece of a message, independent of the format. */
export type TranscriptBlock =
  | { kind: "text"; text: string }
  | { kind: "thinking"; text: string; redacted: boolean }
  /** `data` is base64. */
  | { kind: "image"; mime_type: string; data: string }
  | { kind: "tool_call"; id: string | null; name: string; arguments: JsonObject }
  /** A named section of the agent's instructions to the model; `null`: removed. */
  | { kind: "section"; name: string; text: string | null }
  /** Tools available to the model from here on, with their schemas unchanged, and names of removed tools. */
  | { kind: "tools"; added: JsonValue[]; removed: string[] }
  /** A block of an unknown kind, unchanged. */
  | { kind: "raw"; value: JsonValue };

interface ItemBase {
  id: string;
  parent_id: string | null;
  /** RFC 3339, `null` if missing or invalid. */
  timestamp: string | null;
}

/** Replacement of an entry's content for the model. */
export interface ContextEdit {
  /** The entry with the edit. */
  entry_id: string;
  /** The replacement; `null`: the entry is hidden from the model. */
  replacement: TranscriptBlock[] | null;
}

export interface MessageItem extends ItemBase {
  kind: "message";
  /**
   * `custom` messages come from extensions, those of `client` from the agent's client or from other agents. Those hidden
   * from users are `hidden`.
   */
  role: "user" | "assistant" | "system" | "custom" | "client";
  hidden: boolean;
  blocks: TranscriptBlock[];
  provider: string | null;
  /** The requested model. */
  model: string | null;
  /** The model named in the provider's response. */
  response_model: string | null;
  /** The requested thinking level. */
  thinking_level: string | null;
  usage: Usage | null;
  /** Shared by the pieces of an answer that the agent stores in several entries; the last one has its final usage. */
  answer_id: string | null;
  stop_reason: string | null;
  error_message: string | null;
  /** The context edit on the shown branch, or else on the newest branch through the entry. */
  context_edit: ContextEdit | null;
}

/** A call made by a running tool, such as a script. Of its result only the error is recorded. */
export interface NestedCall {
  id: string | null;
  name: string;
  /** `null` if omitted by the agent because of their size. */
  arguments: JsonObject | null;
  /** Size of omitted arguments. */
  arguments_bytes: number | null;
  status: "ok" | "error" | "unfinished";
  duration_ms: number | null;
  error: string | null;
}

export interface NestedCalls {
  calls: NestedCall[];
  /** `false` if the agent omitted calls or arguments, or a call did not end. */
  complete: boolean;
}

/** A long output of a tool, of which the entry holds the beginning. */
export interface StoredOutput {
  /** In the agent's folder for outputs of the session. */
  file_name: string;
  /** As recorded; `null` if that is not. */
  size_bytes: number | null;
}

export interface ToolResultItem extends ItemBase {
  kind: "tool_result";
  call_id: string | null;
  tool_name: string | null;
  blocks: TranscriptBlock[];
  is_error: boolean;
  /** The diff of an edit, if recorded. */
  diff: string | null;
  /** Data recorded by the tool in addition to its text, unchanged; the source of `diff`. */
  details: JsonValue | null;
  /** Calls made by the tool itself. */
  nested_calls: NestedCalls | null;
  /** Sessions of agents that the call has started, by ID or path; at most 100. */
  subagents: string[];
  /** The whole output, if the agent has moved it to a file of its own. */
  stored_output: StoredOutput | null;
  /** Usage of models called by the tool. */
  usage: Usage | null;
  /** See `MessageItem`. */
  context_edit: ContextEdit | null;
}

export interface BashItem extends ItemBase {
  kind: "bash";
  command: string;
  output: string;
  exit_code: number | null;
  cancelled: boolean;
  truncated: boolean;
  /** File with the complete output, if truncated. Only displayed, never opened. */
  full_output_path: string | null;
}

export interface SummaryItem extends ItemBase {
  kind: "summary";
  reason: "compaction" | "branch";
  text: string;
  /** The model keeps only this summary of what came before. */
  keeps_nothing: boolean;
  /** The agent's instructions and tools at a compaction, repeated for the model. */
  checkpoint: TranscriptBlock[];
  /** Usage of writing the summary. */
  usage: Usage | null;
}

/** Entries without conversation (model changes, labels, names, extension data) and unknown ones. */
export interface NoteItem extends ItemBase {
  kind: "note";
  /** The entry's type, unchanged. */
  type: string;
  value: JsonObject;
  /** State of the agent's client, which tells users nothing. */
  hidden: boolean;
  /** Usage of requests outside of the conversation, such as those that keep a cache warm. */
  usage: Usage | null;
}

export type TranscriptItem = MessageItem | ToolResultItem | BashItem | SummaryItem | NoteItem;

/** A sequence of entries between two forks of the session's tree. */
export interface TranscriptRun {
  /** Index of the run that this one continues, which precedes it; -1: starts at a root. */
  parent: number;
  /** Number of items: `items` contains the runs in sequence. */
  count: number;
  /** Whether it belongs to the initially shown branch. */
  shown: boolean;
}

/** Notes and bookmarks of the user, which are no part of a session's file. */
export interface TranscriptNotes {
  /** On the session. */
  session: string | null;
  /** By entry ID. */
  entries: ReadonlyMap<string, string>;
  /** IDs of the entries with bookmarks. */
  bookmarks: ReadonlySet<string>;
}

/** Number of redactions per kind of secret. */
export interface RedactionCount {
  type: string;
  count: number;
}

/** A session, or one of its branches, with its metadata. */
export interface Transcript {
  session_id: string;
  name: string | null;
  title: string;
  cwd: string | null;
  created_at: string;
  modified_at: string;
  models: string[];
  usage: Usage;
  message_count: number;
  user_message_count: number;
  tool_call_count: number;
  /** Labels by entry ID; an empty one is a bookmark of the user. */
  labels: Readonly<Record<string, string>>;
  /** Left out by default. */
  notes?: TranscriptNotes | undefined;
  /**
   * Structure of the tree in `items`: first the runs of the shown branch, then the others, each after the run it
   * continues. A single branch is one run. `null`: items are in file order.
   */
  runs: TranscriptRun[] | null;
  /** Read one at a time, so that a session of any size can be exported. */
  items: Iterable<TranscriptItem> | AsyncIterable<TranscriptItem>;
  /** Redactions so far, complete after the last item; `null` without redaction. */
  redactions: (() => RedactionCount[]) | null;
}
