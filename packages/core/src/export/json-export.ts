import type { JsonObject, JsonValue } from "../json.ts";
import type { Usage } from "../session/record.ts";
import type {
  ContextEdit,
  MessageItem,
  NestedCalls,
  SummaryItem,
  Transcript,
  TranscriptBlock,
  TranscriptItem,
} from "../session/transcript.ts";
import { type ExportSelection, selectItems, stringify } from "./document.ts";
import { NO_SUBAGENTS, numbersOf, type Subagents } from "./subagents.ts";

interface ExportedEntry {
  /** Of the user; only in exports with notes. */
  note?: string | null | undefined;
  /** By the user; only in exports with notes. */
  bookmarked?: boolean | undefined;
  /** The texts and sections of `parts`, joined by blank lines; empty if there are none. */
  content: string;
  id: string;
  parent_id: string | null;
  timestamp: string | null;
  /** The complete content in order; images with their data. */
  parts: TranscriptBlock[];
}

/** An element of `messages` in a JSON export; `role` determines its fields. */
export type ExportedMessage =
  | (ExportedEntry & {
      role: MessageItem["role"];
      /** For the model only. */
      hidden: boolean;
      provider: string | null;
      /** The requested model. */
      model: string | null;
      /** The model named in the provider's response. */
      response_model: string | null;
      thinking_level: string | null;
      usage: Usage | null;
      stop_reason: string | null;
      error_message: string | null;
      context_edit: ContextEdit | null;
    })
  | (ExportedEntry & {
      /** The result of the call with this `call_id`. */
      role: "tool";
      tool_name: string | null;
      call_id: string | null;
      is_error: boolean;
      diff: string | null;
      /** Data recorded by the tool in addition to its text, unchanged. */
      details: JsonValue | null;
      /** Calls made by the tool itself, such as those of a script. */
      nested_calls: NestedCalls | null;
      /** Places in the document's `subagents`, from 0, of those that the call has started. */
      subagents: number[];
      /** Usage of models called by the tool. */
      usage: Usage | null;
      context_edit: ContextEdit | null;
    })
  | (ExportedEntry & {
      /** A user command; `content` is its output. */
      role: "bash";
      command: string;
      exit_code: number | null;
      cancelled: boolean;
      truncated: boolean;
      /** File with the complete output, if truncated. */
      full_output_path: string | null;
    })
  | (ExportedEntry & {
      role: "summary";
      reason: SummaryItem["reason"];
      /** The model keeps only this summary of what came before. */
      keeps_nothing: boolean;
      /** The agent's instructions and tools at a compaction. */
      checkpoint: TranscriptBlock[];
      usage: Usage | null;
    })
  /** An entry without conversation (a model change, a label, an extension's data), unchanged, without content. */
  | (ExportedEntry & { role: "note"; type: string; value: JsonObject; usage: Usage | null });

/**
 * Streams a transcript as one JSON document: `{session_id, name, cwd, created_at, models, usage, messages}` with one
 * line per message (`ExportedMessage`). Contains everything that `selection` does not exclude: hidden messages have
 * `hidden: true`, and entries without conversation `role: "note"`, so that every `parent_id` can be resolved if tools
 * are included. With notes of the user, the document and each message have a `note`, and each message tells whether it
 * is `bookmarked`. Subagents follow as `subagents`, with the same fields. A redacted transcript ends with its
 * `redactions`.
 */
export async function* exportJson(
  transcript: Transcript,
  selection: ExportSelection,
  subagents: Subagents = NO_SUBAGENTS,
): AsyncGenerator<string> {
  const { redactions } = transcript;
  yield* sessionFields(transcript, selection, subagents.numbers);
  if (subagents.numbers.size > 0) {
    yield ',\n  "subagents": [';
    let separator = "\n";
    for await (const subagent of subagents.transcripts()) {
      yield separator;
      if (subagent === null) yield "null";
      else {
        yield* sessionFields(subagent, selection, subagents.numbers);
        yield "\n}";
      }
      separator = ",\n";
    }
    yield "\n  ]";
  }
  yield redactions === null ? "\n}\n" : `,\n  "redactions": ${stringify(redactions())}\n}\n`;
}

/** A session's object, not closed yet. */
async function* sessionFields(
  transcript: Transcript,
  selection: ExportSelection,
  subagents: Subagents["numbers"],
): AsyncGenerator<string> {
  const { session_id, name, cwd, created_at, models, usage, items, notes } = transcript;
  const note = notes === undefined ? {} : { note: notes.session };
  yield "{\n";
  for (const [key, value] of Object.entries({ session_id, name, cwd, created_at, models, usage, ...note })) {
    yield `  "${key}": ${stringify(value)},\n`;
  }
  yield '  "messages": [';
  let separator = "\n    ";
  for await (const item of selectItems(items, selection)) {
    const message = exportedMessage(item, subagents);
    if (notes !== undefined) {
      message.note = notes.entries.get(item.id) ?? null;
      message.bookmarked = notes.bookmarks.has(item.id);
    }
    yield separator + stringify(message);
    separator = ",\n    ";
  }
  yield "\n  ]";
}

function exportedMessage(item: TranscriptItem, numbers: Subagents["numbers"]): ExportedMessage {
  const { id, parent_id, timestamp } = item;
  const entry = { id, parent_id, timestamp };
  switch (item.kind) {
    case "message": {
      const { hidden, provider, model, response_model, thinking_level } = item;
      const { usage, stop_reason, error_message, context_edit, blocks: parts } = item;
      const answer = { provider, model, response_model, thinking_level, usage, stop_reason, error_message };
      return { role: item.role, content: textOf(parts), ...entry, hidden, ...answer, context_edit, parts };
    }
    case "tool_result": {
      const { tool_name, call_id, is_error, diff, details, nested_calls, usage, context_edit, blocks: parts } = item;
      const subagents = numbersOf(item.subagents, numbers).map((number) => number - 1);
      const result = { tool_name, call_id, is_error, diff, details, nested_calls, subagents, usage, context_edit };
      return { role: "tool", content: textOf(parts), ...entry, ...result, parts };
    }
    case "bash": {
      const { command, output, exit_code, cancelled, truncated, full_output_path } = item;
      const run = { command, exit_code, cancelled, truncated, full_output_path };
      return { role: "bash", content: output, ...entry, ...run, parts: textParts(output) };
    }
    case "summary": {
      const { reason, text, keeps_nothing, checkpoint, usage } = item;
      return {
        role: "summary",
        content: text,
        ...entry,
        reason,
        keeps_nothing,
        checkpoint,
        usage,
        parts: textParts(text),
      };
    }
    case "note": {
      const { type, value, usage } = item;
      return { role: "note", content: "", ...entry, type, value, usage, parts: [] };
    }
  }
}

function textOf(blocks: TranscriptBlock[]): string {
  const texts: string[] = [];
  for (const block of blocks) {
    const text = block.kind === "text" || block.kind === "section" ? block.text : null;
    if (text !== null) texts.push(text);
  }
  return texts.join("\n\n");
}

function textParts(text: string): TranscriptBlock[] {
  return text === "" ? [] : [{ kind: "text", text }];
}
