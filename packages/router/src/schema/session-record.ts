import { sessionFormat } from "@sm/core/input";
import * as v from "./json.ts";

/** Tokens and money: `Usage` of the core. */
export const usage = v.strictObject({
  input_tokens: v.number(),
  output_tokens: v.number(),
  cache_read_tokens: v.number(),
  cache_write_tokens: v.number(),
  cache_write_1h_tokens: v.pipe(v.number(), v.description("Part of `cache_write_tokens`.")),
  reasoning_tokens: v.pipe(v.number(), v.description("Part of `output_tokens`.")),
  total_tokens: v.number(),
  cost_usd: v.pipe(v.nullable(v.number()), v.description("US dollars as recorded by the agent.")),
  estimated_cost_usd: v.pipe(
    v.nullable(v.number()),
    v.description("US dollars by price list, of what has no recorded cost. Not part of `cost_usd`."),
  ),
});

/** A session as returned by all commands: `SessionRecord` of the core. */
export const sessionRecord = v.strictObject({
  path: v.string(),
  id: v.string(),
  owner: v.pipe(
    v.nullable(v.string()),
    v.description(
      "Name of the user of the hub whose session it is; null: one's own, and always where there is no hub.",
    ),
  ),
  machine: v.pipe(
    v.nullable(v.string()),
    v.description("Name of the machine that has sent it to the hub; null where there is no hub."),
  ),
  format: sessionFormat,
  capabilities: v.strictObject({
    rename: v.boolean(),
    fork: v.boolean(),
    delete: v.boolean(),
    start: v.boolean(),
    resume_command: v.pipe(
      v.nullable(v.string()),
      v.description("For a POSIX shell; null if the agent cannot continue the session."),
    ),
  }),
  source: v.pipe(
    v.picklist(["file", "vault"]),
    v.description("`vault`: the file is gone; restore_session brings it back."),
  ),
  name: v.nullable(v.string()),
  title: v.string(),
  cwd: v.nullable(v.string()),
  created_at: v.string(),
  modified_at: v.string(),
  size_bytes: v.number(),
  message_count: v.number(),
  user_message_count: v.number(),
  assistant_message_count: v.number(),
  tool_call_count: v.number(),
  first_message: v.nullable(v.string()),
  last_message: v.nullable(v.string()),
  last_role: v.nullable(v.picklist(["user", "assistant"])),
  outcome: v.pipe(
    v.nullable(v.picklist(["failed", "aborted"])),
    v.description("How the last run has ended; null if it went well, or a new one has begun."),
  ),
  outcome_message: v.pipe(v.nullable(v.string()), v.description("Of a failure, at most 200 characters.")),
  models: v.pipe(v.array(v.string()), v.description("At most the first 50.")),
  providers: v.pipe(v.array(v.string()), v.description("At most the first 50.")),
  usage,
  branch_count: v.number(),
  parent_session_path: v.nullable(v.string()),
  relation: v.pipe(v.nullable(v.picklist(["fork", "subagent"])), v.description("To the parent session.")),
  subagent_count: v.pipe(v.number(), v.description("Sessions of agents that it has started, and those of theirs.")),
  subagent_usage: v.pipe(
    v.nullable(usage),
    v.description("Of these sessions together, which usage does not contain; null without any."),
  ),
  rate_limits: v.pipe(
    v.nullable(
      v.array(
        v.strictObject({
          used_percent: v.number(),
          window_minutes: v.nullable(v.number()),
          resets_at: v.nullable(v.string()),
        }),
      ),
    ),
    v.description("Of the agent's account, as the session was told last; null where agents do not tell."),
  ),
  tag_ids: v.array(v.string()),
  is_favorite: v.boolean(),
  archived_at: v.pipe(
    v.nullable(v.string()),
    v.description("Since when lists and searches leave it out; null if it is not archived."),
  ),
  expires_at: v.pipe(
    v.nullable(v.string()),
    v.description("When its agent deletes the file, if that is within seven days or already due; null otherwise."),
  ),
  note_count: v.pipe(v.number(), v.description("Notes of the user on the session and its entries.")),
  is_live: v.boolean(),
  malformed_lines: v.number(),
  indexed: v.boolean(),
});
