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
  thinking_level: v.nullable(v.string()),
  started_at: v.string(),
  last_event_at: v.string(),
  pending_messages: v.number(),
  name: v.nullable(v.string()),
  controllable: v.boolean(),
});

/** A record of the agent's RPC mode. */
export const agentRecord = v.record(v.string(), v.any());
