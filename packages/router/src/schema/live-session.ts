import { QUESTION_KINDS, RUN_RESULTS } from "@sm/core";
import * as v from "./json.ts";

export const liveState = v.picklist(["idle", "streaming", "waiting", "exited"]);

/** A live session as returned by all commands: `LiveSession` of the core. */
export const liveSession = v.strictObject({
  session_id: v.string(),
  session_path: v.nullable(v.string()),
  cwd: v.string(),
  pid: v.number(),
  state: liveState,
  model: v.nullable(v.string()),
  context_window: v.pipe(v.nullable(v.number()), v.description("Tokens that the model can look at, where known.")),
  thinking_level: v.nullable(v.string()),
  started_at: v.string(),
  last_event_at: v.string(),
  pending_messages: v.number(),
  name: v.nullable(v.string()),
  question: v.pipe(
    v.nullable(
      v.strictObject({ kind: v.picklist(QUESTION_KINDS), title: v.nullable(v.string()), asked_at: v.string() }),
    ),
    v.description("The question that a waiting agent waits with."),
  ),
  activity: v.pipe(
    v.nullable(v.strictObject({ tool: v.nullable(v.string()), text: v.string(), started_at: v.string() })),
    v.description("The last tool call, or the last prompt where `tool` is null."),
  ),
  outcome: v.pipe(
    v.nullable(
      v.strictObject({
        result: v.picklist(RUN_RESULTS),
        error: v.nullable(v.string()),
        exit_code: v.nullable(v.number()),
        ended_at: v.string(),
      }),
    ),
    v.description("How the last run, or the agent itself, has ended."),
  ),
  controllable: v.boolean(),
});

/** A record of the agent's RPC mode. */
export const agentRecord = v.record(v.string(), v.any());
