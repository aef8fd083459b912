import type { JsonObject, JsonValue } from "../json.ts";
import type { RedactionPreview } from "../library.ts";
import type {
  ContextEdit,
  NestedCall,
  Transcript,
  TranscriptBlock,
  TranscriptItem,
  TranscriptNotes,
} from "../session/transcript.ts";
import { type ExportSelection, selectContent } from "./document.ts";
import { Redactor } from "./redact/redactor.ts";
import { NO_SUBAGENTS, type Subagents } from "./subagents.ts";

/**
 * Replaces secrets (keys, tokens, passwords, private keys, cookies) and personal data (e-mail addresses, home
 * directories) in a transcript by placeholders like `[redacted:github-token-1]`: equal values of a type have equal
 * numbers. `words` are of the user's own, at most {@link MAX_WORDS}: whole words in any case. IDs of entries and calls,
 * times and image data are unchanged.
 *
 * Content excluded by `selection` is omitted and not counted. Items are redacted while they are read; `redactions`
 * counts those read so far.
 */
export function redactTranscript(
  transcript: Transcript,
  selection: ExportSelection = EVERYTHING,
  words: readonly string[] = [],
): Transcript {
  return redactTogether(transcript, selection, words).transcript;
}

/** A redacted transcript, and how others that follow it in the same document are redacted with its numbers. */
export interface RedactedTogether {
  transcript: Transcript;
  /** Called after all items of those before it were read; what it replaces is counted with the first transcript. */
  next(transcript: Transcript): Transcript;
}

export function redactTogether(
  transcript: Transcript,
  selection: ExportSelection,
  words: readonly string[],
): RedactedTogether {
  let current = redactedHead(transcript, new Redactor(words));
  const items = {
    // Each iteration counts and numbers from the start.
    [Symbol.asyncIterator]() {
      current = redactedHead(transcript, new Redactor(words));
      return redactedItems(current.redactor, transcript.items, selection);
    },
  };
  const redactions = () => current.redactor.findings.map(({ type, count }) => ({ type, count }));
  const next = (following: Transcript): Transcript => {
    const { redactor } = current;
    return { ...redactedHead(following, redactor).head, items: redactedItems(redactor, following.items, selection) };
  };
  return { transcript: { ...current.head, items, redactions }, next };
}

const EVERYTHING: ExportSelection = { include_thinking: true, include_tools: true };

/** Previews the redactions in an export, with examples that show only placeholders. */
export async function previewRedactions(
  transcript: Transcript,
  selection: ExportSelection,
  words: readonly string[] = [],
): Promise<RedactionPreview> {
  const steps = previewInSteps(transcript, selection, NO_SUBAGENTS, words);
  for (;;) {
    const { done, value } = await steps.next();
    if (done === true) return value;
  }
}

/** The same, item by item, so that the caller can yield, with the subagents that follow in the same document. */
export async function* previewInSteps(
  transcript: Transcript,
  selection: ExportSelection,
  subagents: Subagents,
  words: readonly string[],
): AsyncGenerator<void, RedactionPreview> {
  const { redactor } = redactedHead(transcript, new Redactor(words));
  for await (const _ of redactedItems(redactor, transcript.items, selection)) yield;
  for await (const following of subagents.transcripts()) {
    // Gone meanwhile.
    if (following === null) continue;
    redactedHead(following, redactor);
    for await (const _ of redactedItems(redactor, following.items, selection)) yield;
  }
  const { findings } = redactor;
  return { findings, total: findings.reduce((total, { count }) => total + count, 0) };
}

/** The data before the items, and the redactor that processed it. */
function redactedHead(transcript: Transcript, redactor: Redactor): { head: Transcript; redactor: Redactor } {
  const { session_id, name, title, cwd, models } = transcript;
  if (cwd !== null) redactor.learn(cwd);
  const labels = Object.entries(transcript.labels).map(([id, label]) => [id, redactor.text(label, id)]);
  const head = {
    ...transcript,
    // Some agents let users choose it.
    session_id: redactor.name(session_id),
    notes: transcript.notes === undefined ? undefined : redactedNotes(redactor, transcript.notes),
    name: name === null ? null : redactor.text(name, null),
    title: redactor.beginning(title),
    cwd: cwd === null ? null : redactor.text(cwd, null),
    models: models.map((model) => redactor.text(model, null)),
    labels: Object.fromEntries(labels),
  };
  return { head, redactor };
}

function redactedNotes(redactor: Redactor, { session, entries, bookmarks }: TranscriptNotes): TranscriptNotes {
  return {
    session: session === null ? null : redactor.text(session, null),
    entries: new Map([...entries].map(([id, text]) => [id, redactor.text(text, id)])),
    bookmarks,
  };
}

async function* redactedItems(
  redactor: Redactor,
  items: Transcript["items"],
  selection: ExportSelection,
): AsyncGenerator<TranscriptItem> {
  for await (const item of items) yield redactedItem(redactor, selectContent(item, selection));
}

function redactedItem(redactor: Redactor, item: TranscriptItem): TranscriptItem {
  const text = (value: string) => redactor.text(value, item.id);
  const textOrNull = (value: string | null) => (value === null ? null : text(value));
  const value = (value: JsonValue) => redactor.value(value, item.id);
  // Objects stay objects.
  const object = (members: JsonObject) => value(members) as JsonObject;
  const block = (block: TranscriptBlock): TranscriptBlock => {
    switch (block.kind) {
      case "text":
      case "thinking":
        return { ...block, text: text(block.text) };
      case "image":
        return { ...block, mime_type: text(block.mime_type) };
      case "tool_call":
        return { ...block, name: text(block.name), arguments: object(block.arguments) };
      case "section":
        return { ...block, name: text(block.name), text: textOrNull(block.text) };
      case "tools":
        return { ...block, added: block.added.map(value), removed: block.removed.map(text) };
      case "raw":
        return { ...block, value: value(block.value) };
    }
  };
  const edit = (edit: ContextEdit | null) =>
    edit === null || edit.replacement === null ? edit : { ...edit, replacement: edit.replacement.map(block) };
  const nestedCall = (call: NestedCall): NestedCall => ({
    ...call,
    name: text(call.name),
    arguments: call.arguments === null ? null : object(call.arguments),
    error: textOrNull(call.error),
  });
  switch (item.kind) {
    case "message":
      return {
        ...item,
        blocks: item.blocks.map(block),
        provider: textOrNull(item.provider),
        model: textOrNull(item.model),
        response_model: textOrNull(item.response_model),
        thinking_level: textOrNull(item.thinking_level),
        stop_reason: textOrNull(item.stop_reason),
        error_message: textOrNull(item.error_message),
        context_edit: edit(item.context_edit),
      };
    case "tool_result":
      return {
        ...item,
        tool_name: textOrNull(item.tool_name),
        blocks: item.blocks.map(block),
        diff: textOrNull(item.diff),
        details: item.details === null ? null : value(item.details),
        nested_calls:
          item.nested_calls === null ? null : { ...item.nested_calls, calls: item.nested_calls.calls.map(nestedCall) },
        context_edit: edit(item.context_edit),
      };
    case "bash":
      return {
        ...item,
        command: text(item.command),
        output: text(item.output),
        full_output_path: textOrNull(item.full_output_path),
      };
    case "summary":
      return { ...item, text: text(item.text), checkpoint: item.checkpoint.map(block) };
    case "note":
      return { ...item, type: text(item.type), value: object(item.value) };
  }
}
