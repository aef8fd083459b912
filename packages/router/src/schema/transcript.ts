import { sessionFormat } from "@sm/core/input";
import * as v from "./json.ts";
import { usage } from "./session-record.ts";

/** Any JSON value of a session, unchanged. */
const json = v.unknown();
const object = v.record(v.string(), v.unknown());
const text = v.nullable(v.string());

const textBlock = v.strictObject({ kind: v.literal("text"), text: v.string() });

/** A piece of a message: `TranscriptBlock` of the core. */
const transcriptBlock = v.variant("kind", [
  textBlock,
  v.strictObject({ kind: v.literal("thinking"), text: v.string(), redacted: v.boolean() }),
  v.strictObject({
    kind: v.literal("image"),
    mime_type: v.string(),
    data: v.pipe(v.string(), v.description("Base64.")),
  }),
  v.strictObject({ kind: v.literal("tool_call"), id: text, name: v.string(), arguments: object }),
  v.strictObject({ kind: v.literal("section"), name: v.string(), text }),
  v.strictObject({ kind: v.literal("tools"), added: v.array(json), removed: v.array(v.string()) }),
  v.strictObject({ kind: v.literal("raw"), value: json }),
]);

const blocks = v.array(transcriptBlock);

const contextEdit = v.pipe(
  v.nullable(v.strictObject({ entry_id: v.string(), replacement: v.nullable(blocks) })),
  v.description("What the model sees instead, by an entry of this branch; `replacement` is `null` if it sees nothing."),
);

const base = { id: v.string(), parent_id: text, timestamp: text };

const messageItem = v.strictObject({
  ...base,
  kind: v.literal("message"),
  role: v.picklist(["user", "assistant", "system", "custom", "client"]),
  hidden: v.boolean(),
  blocks,
  provider: text,
  model: text,
  response_model: text,
  thinking_level: text,
  usage: v.nullable(usage),
  answer_id: v.pipe(
    text,
    v.description("Shared by the pieces of an answer in several entries; the last one has its final usage."),
  ),
  stop_reason: text,
  error_message: text,
  context_edit: contextEdit,
});

const nestedCall = v.strictObject({
  id: text,
  name: v.string(),
  arguments: v.nullable(object),
  arguments_bytes: v.nullable(v.number()),
  status: v.picklist(["ok", "error", "unfinished"]),
  duration_ms: v.nullable(v.number()),
  error: text,
});

const toolResultItem = v.strictObject({
  ...base,
  kind: v.literal("tool_result"),
  call_id: text,
  tool_name: text,
  blocks,
  is_error: v.boolean(),
  diff: text,
  details: v.pipe(json, v.description("What the tool has recorded besides its text, as stored.")),
  nested_calls: v.nullable(v.strictObject({ calls: v.array(nestedCall), complete: v.boolean() })),
  subagents: v.pipe(
    v.array(v.string()),
    v.description("Sessions of agents that the call has started, by `id` or `path` of their records; at most 100."),
  ),
  stored_output: v.pipe(
    v.nullable(v.strictObject({ file_name: v.string(), size_bytes: v.nullable(v.number()) })),
    v.description("Where the agent has moved a long output to a file: `read_tool_output` returns all of it."),
  ),
  usage: v.nullable(usage),
  context_edit: contextEdit,
});

const bashItem = v.strictObject({
  ...base,
  kind: v.literal("bash"),
  command: v.string(),
  output: v.string(),
  exit_code: v.nullable(v.number()),
  cancelled: v.boolean(),
  truncated: v.boolean(),
  full_output_path: text,
});

const summaryItem = v.strictObject({
  ...base,
  kind: v.literal("summary"),
  reason: v.picklist(["compaction", "branch"]),
  text: v.string(),
  keeps_nothing: v.boolean(),
  checkpoint: blocks,
  usage: v.nullable(usage),
});

const noteItem = v.strictObject({
  ...base,
  kind: v.literal("note"),
  type: v.pipe(v.string(), v.description("As the format calls the entry.")),
  value: v.pipe(object, v.description("The entry as stored.")),
  hidden: v.pipe(v.boolean(), v.description("Whether it is state of the agent's client, which tells users nothing.")),
  usage: v.nullable(usage),
});

/** An entry, independent of the format: `TranscriptItem` of the core. */
export const transcriptItem = v.variant("kind", [messageItem, toolResultItem, bashItem, summaryItem, noteItem]);

/** An entry in the tree of a session: `TreeEntry` of the core. */
export const treeEntry = v.strictObject({
  id: v.string(),
  parent_id: text,
  type: v.pipe(v.string(), v.description("As the format calls the entry.")),
  kind: v.picklist(["message", "tool_result", "bash", "summary", "note", "name", "label", "context_edit"]),
  role: text,
  conversation: v.boolean(),
  preview: v.string(),
  target_id: text,
  timestamp: text,
  label: text,
  subagents: v.optional(
    v.pipe(
      v.array(
        v.strictObject({
          path: v.string(),
          id: v.string(),
          title: v.string(),
          format: sessionFormat,
          cost_usd: v.nullable(v.number()),
          estimated_cost_usd: v.nullable(v.number()),
        }),
      ),
      v.description("Of a call that has started agents, their sessions; only in `read_session_tree`."),
    ),
  ),
});
