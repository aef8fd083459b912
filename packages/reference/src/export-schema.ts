import type { ExportedMessage, JsonObject, JsonValue, RedactionCount, TranscriptBlock, Usage } from "@sm/core";
import { documentSchema } from "@sm/router/description";
import * as v from "valibot";

const anyJson: v.GenericSchema<JsonValue> = v.any();
const anyObject: v.GenericSchema<JsonObject> = v.record(v.string(), v.any());
const textOrNull = v.nullable(v.string());

function described<Schema extends v.GenericSchema>(schema: Schema, description: string) {
  return v.pipe(schema, v.description(description));
}

const usage = v.object({
  input_tokens: v.number(),
  output_tokens: v.number(),
  cache_read_tokens: v.number(),
  cache_write_tokens: v.number(),
  cache_write_1h_tokens: described(v.number(), "Part of cache_write_tokens."),
  reasoning_tokens: described(v.number(), "Part of output_tokens."),
  total_tokens: v.number(),
  cost_usd: described(v.nullable(v.number()), "US dollars as the agent recorded them; null where it recorded none."),
  estimated_cost_usd: described(
    v.nullable(v.number()),
    "US dollars by price list, of what has no recorded cost; not part of cost_usd.",
  ),
});

const part = v.union([
  v.object({ kind: v.literal("text"), text: v.string() }),
  v.object({
    kind: v.literal("thinking"),
    text: v.string(),
    redacted: described(v.boolean(), "The provider has kept the text to itself."),
  }),
  v.object({
    kind: v.literal("image"),
    mime_type: v.string(),
    data: described(v.string(), "The image in base64."),
  }),
  v.object({ kind: v.literal("tool_call"), id: textOrNull, name: v.string(), arguments: anyObject }),
  v.object({
    kind: described(v.literal("section"), "A named section of the agent's instructions to the model."),
    name: v.string(),
    text: described(textOrNull, "null: the section is removed."),
  }),
  v.object({
    kind: described(v.literal("tools"), "Tools that the model has from here on, and those that it no longer has."),
    added: described(v.array(anyJson), "With their schemas, as the agent stored them."),
    removed: described(v.array(v.string()), "Names."),
  }),
  v.object({
    kind: v.literal("raw"),
    value: described(anyJson, "A block of a kind that was not known, as the agent stored it."),
  }),
]);

const entry = {
  note: described(v.optional(textOrNull), "Of the user on this entry; only in exports with notes."),
  bookmarked: described(v.optional(v.boolean()), "By the user; only in exports with notes."),
  content: described(v.string(), "What was said, as one text; empty where nothing was."),
  id: v.string(),
  parent_id: described(textOrNull, "The entry that this one follows; null at the root of a conversation."),
  timestamp: described(textOrNull, "RFC 3339 in UTC with milliseconds."),
  parts: described(v.array(part), "Everything that was said, in order."),
};

const contextEdit = described(
  v.nullable(
    v.object({
      entry_id: described(v.string(), "The entry that says so."),
      replacement: described(v.nullable(v.array(part)), "What the model sees; null: it no longer sees the entry."),
    }),
  ),
  "What the model sees in place of this entry, on the branch exported or the newest one through it; null: what was said.",
);

const nestedCalls = v.object({
  calls: v.array(
    v.object({
      id: textOrNull,
      name: v.string(),
      arguments: described(v.nullable(anyObject), "null where the agent left them out for their size."),
      arguments_bytes: described(v.nullable(v.number()), "Size of arguments that were left out."),
      status: v.picklist(["ok", "error", "unfinished"]),
      duration_ms: v.nullable(v.number()),
      error: textOrNull,
    }),
  ),
  complete: described(v.boolean(), "false where calls or arguments were left out, or a call did not end."),
});

const message = v.union([
  v.object({
    role: v.picklist(["user", "assistant", "system", "custom", "client"]),
    ...entry,
    hidden: described(v.boolean(), "Meant for the model only, not for people."),
    provider: textOrNull,
    model: described(textOrNull, "The model that was asked."),
    response_model: described(textOrNull, "The model that answered, as the provider names it."),
    thinking_level: textOrNull,
    usage: v.nullable(usage),
    stop_reason: textOrNull,
    error_message: textOrNull,
    context_edit: contextEdit,
  }),
  v.object({
    role: described(v.literal("tool"), "The result of the tool call whose id is call_id."),
    ...entry,
    tool_name: textOrNull,
    call_id: textOrNull,
    is_error: v.boolean(),
    diff: described(textOrNull, "What an edit has changed."),
    details: described(anyJson, "What the tool recorded beside its text, as the agent stored it."),
    nested_calls: described(v.nullable(nestedCalls), "The calls that the tool made itself, such as those of a script."),
    subagents: described(
      v.array(v.number()),
      "Places in the document's subagents, from 0, of those that the call has started; empty without include_subagents.",
    ),
    usage: described(v.nullable(usage), "Of models that the tool asked."),
    context_edit: contextEdit,
  }),
  v.object({
    role: described(v.literal("bash"), "A command that the user ran; content is its output."),
    ...entry,
    command: v.string(),
    exit_code: v.nullable(v.number()),
    cancelled: v.boolean(),
    truncated: v.boolean(),
    full_output_path: described(textOrNull, "Where the agent kept the whole of a truncated output."),
  }),
  v.object({
    role: described(v.literal("summary"), "What took the place of older messages, or tells of an abandoned branch."),
    ...entry,
    reason: v.picklist(["compaction", "branch"]),
    keeps_nothing: described(v.boolean(), "After this compaction the model sees nothing of what came before."),
    checkpoint: described(v.array(part), "The agent's instructions and tools at a compaction."),
    usage: described(v.nullable(usage), "Of writing the summary."),
  }),
  v.object({
    role: described(v.literal("note"), "An entry without conversation: a model change, a label, a name."),
    ...entry,
    type: v.string(),
    value: described(anyObject, "The entry as the agent stored it."),
    usage: described(v.nullable(usage), "Of a request that is no part of the conversation."),
  }),
]);

const redaction = v.object({ type: v.string(), count: v.number() });

const session = v.object({
  session_id: v.string(),
  name: described(textOrNull, "Given by the user."),
  cwd: described(textOrNull, "The working directory."),
  created_at: described(v.string(), "RFC 3339 in UTC with milliseconds."),
  models: v.array(v.string()),
  usage: described(usage, "Of the whole session, whatever of it was exported."),
  note: described(v.optional(textOrNull), "Of the user on the session; only in exports with notes."),
  messages: described(v.array(message), "In the order of the file; of a single branch, from its root to its leaf."),
});

const document = v.pipe(
  v.object({
    ...session.entries,
    subagents: described(
      v.optional(v.array(v.nullable(session))),
      "Of its subagents and theirs, with include_subagents; null for one that could not be read any more.",
    ),
    redactions: described(
      v.optional(v.array(redaction)),
      "How often what kind of secret was replaced; absent where nothing was to be redacted.",
    ),
  }),
  v.title("A session exported as JSON"),
  v.description("What `export_session` with the format `json` gives. Fields may be added."),
);

/** Holds where two types are one, so that the schema cannot say another thing than the exporter. */
type Same<One, Other> = [One, Other] extends [Other, One] ? true : never;
true satisfies Same<v.InferOutput<typeof message>, ExportedMessage>;
true satisfies Same<v.InferOutput<typeof part>, TranscriptBlock>;
true satisfies Same<v.InferOutput<typeof usage>, Usage>;
true satisfies Same<v.InferOutput<typeof redaction>, RedactionCount>;

/** Describes the JSON export as JSON Schema. */
export function exportSchemaDocument(): object {
  return documentSchema(document, { Message: message, Part: part, Redaction: redaction, Usage: usage });
}
