import type { JsonObject, JsonValue } from "../json.ts";
import type { Usage } from "./record.ts";

/** A piece of a message, the same for every format. */
export type TranscriptBlock =
  | { kind: "text"; text: string }
  | { kind: "thinking"; text: string; redacted: boolean }
  /** `data` is base64. */
  | { kind: "image"; mime_type: string; data: string }
  | { kind: "tool_call"; id: string | null; name: string; arguments: JsonObject }
  /** A named section of the agent's instructions to the model; `null`: it is removed. */
  | { kind: "section"; name: string; text: string | null }
  /** Tools that the model has from here on, as stored with their schemas, and the names of those that it no longer has. */
  | { kind: "tools"; added: JsonValue[]; removed: string[] }
  /** A block of a kind that this version does not know, as stored. */
  | { kind: "raw"; value: JsonValue };

interface ItemBase {
  id: string;
  parent_id: string | null;
  /** RFC 3339, `null` where the entry has none that can be read. */
  timestamp: string | null;
}

/** What the model sees of an entry from some point on, instead of what was said. */
export interface ContextEdit {
  /** The entry that says so. */
  entry_id: string;
  /** What the model sees in its place; `null`: it no longer sees the entry. */
  replacement: TranscriptBlock[] | null;
}

export interface MessageItem extends ItemBase {
  kind: "message";
  /** `custom` messages come from extensions; those hidden from people are `hidden`. */
  role: "user" | "assistant" | "system" | "custom";
  hidden: boolean;
  blocks: TranscriptBlock[];
  provider: string | null;
  /** The model that was asked. */
  model: string | null;
  /** The model that answered, as the provider names it. */
  response_model: string | null;
  /** How much thinking was asked for. */
  thinking_level: string | null;
  usage: Usage | null;
  stop_reason: string | null;
  error_message: string | null;
  /** Where the model sees something else on the branch shown, else on the newest branch through the entry. */
  context_edit: ContextEdit | null;
}

/** A call that a tool made while it ran, such as one from a script. Of its result only the error is recorded. */
export interface NestedCall {
  id: string | null;
  name: string;
  /** `null` where the agent left them out for their size. */
  arguments: JsonObject | null;
  /** Size of arguments that were left out. */
  arguments_bytes: number | null;
  status: "ok" | "error" | "unfinished";
  duration_ms: number | null;
  error: string | null;
}

export interface NestedCalls {
  calls: NestedCall[];
  /** `false` where the agent left out calls or arguments, or a call did not end. */
  complete: boolean;
}

export interface ToolResultItem extends ItemBase {
  kind: "tool_result";
  call_id: string | null;
  tool_name: string | null;
  blocks: TranscriptBlock[];
  is_error: boolean;
  /** The diff of an edit, where the tool recorded one. */
  diff: string | null;
  /** What the tool recorded beside its text, as stored; `diff` is from it. */
  details: JsonValue | null;
  /** The calls that the tool made itself. */
  nested_calls: NestedCalls | null;
  /** Of models that the tool asked. */
  usage: Usage | null;
  /** As of a message. */
  context_edit: ContextEdit | null;
}

export interface BashItem extends ItemBase {
  kind: "bash";
  command: string;
  output: string;
  exit_code: number | null;
  cancelled: boolean;
  truncated: boolean;
  /** Where the agent kept the whole of a truncated output. Shown, never opened. */
  full_output_path: string | null;
}

export interface SummaryItem extends ItemBase {
  kind: "summary";
  reason: "compaction" | "branch";
  text: string;
  /** A compaction after which the model sees nothing of what came before but this summary. */
  keeps_nothing: boolean;
  /** The agent's instructions and tools at a compaction, repeated for the model. */
  checkpoint: TranscriptBlock[];
  /** Of writing the summary. */
  usage: Usage | null;
}

/** Entries without conversation (model changes, labels, names, extension data) and those that nobody knows yet. */
export interface NoteItem extends ItemBase {
  kind: "note";
  /** The entry's type as stored. */
  type: string;
  value: JsonObject;
  /** Of requests that are no part of the conversation, such as those that keep a cache warm. */
  usage: Usage | null;
}

export type TranscriptItem = MessageItem | ToolResultItem | BashItem | SummaryItem | NoteItem;

/** A chain of entries between two forks of the session's tree. */
export interface TranscriptRun {
  /** The run that this one continues, by its place in the list, which is before this one; -1: it begins at a root. */
  parent: number;
  /** Items in it: `items` gives the runs one after the other. */
  count: number;
  /** Whether it is part of the branch that a reader sees first. */
  shown: boolean;
}

/** What a redaction has replaced, by the kind of secret. */
export interface RedactionCount {
  type: string;
  count: number;
}

/** A session, or one branch of it, with what a reader wants to know about it. */
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
  /** Bookmarks, by the id of the entry that bears one. */
  labels: Readonly<Record<string, string>>;
  /**
   * How the tree of the session is laid out in `items`: the runs of the branch shown first, then the others, each
   * behind the one that it continues. A single branch is one run. `null`: the items come in the order of the file.
   */
  runs: TranscriptRun[] | null;
  /** Read one at a time, so that a session of any size can be exported. */
  items: Iterable<TranscriptItem> | AsyncIterable<TranscriptItem>;
  /** What has been replaced so far, all of it after the last item; `null` where nothing is redacted. */
  redactions: (() => RedactionCount[]) | null;
}
