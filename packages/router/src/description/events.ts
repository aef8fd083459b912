import { EVENT_TOPICS, type EventName, type EventPayloads } from "../events/event.ts";
import * as v from "../schema/json.ts";
import { agentRecord, liveState } from "../schema/live-session.ts";
import { sessionRecord } from "../schema/session-record.ts";
import { terminalExit } from "../schema/terminal.ts";

/** Payload schemas of all push events; the compiler checks each against its type. */
const EVENTS: { [Name in EventName]: { summary: string; payload: v.GenericSchema<EventPayloads[Name]> } } = {
  hello: {
    summary: "The first event on every connection; `seq` is the number of the last event before it.",
    payload: v.strictObject({
      api_version: v.literal(1),
      server_version: v.string(),
      kind: v.pipe(
        v.picklist(["home", "hub"]),
        v.description("`home`: sessions of this machine; `hub`: what machines have sent, see docs/hub.md."),
      ),
      seq: v.number(),
    }),
  },
  "session-changed": {
    summary: "Session files were created, changed, moved or removed.",
    payload: v.strictObject({ changed_paths: v.array(v.string()), removed_paths: v.array(v.string()) }),
  },
  "sessions-diff": {
    summary:
      "Session records changed; applied in order, these events keep a list identical to what `scan_sessions` returns.",
    payload: v.strictObject({
      added: v.array(sessionRecord),
      updated: v.array(sessionRecord),
      removed: v.array(v.string()),
    }),
  },
  "index-progress": {
    summary: "Progress of the search index.",
    payload: v.strictObject({
      done: v.number(),
      total: v.number(),
      bytes_done: v.number(),
      bytes_total: v.number(),
    }),
  },
  "vault-verification": {
    summary: "Progress of `verify_vault`; the last event has `done`, and `damaged` unless it was interrupted.",
    payload: v.strictObject({
      checked: v.number(),
      total: v.number(),
      done: v.boolean(),
      damaged: v.pipe(v.nullable(v.number()), v.description("How many parts are damaged; null until it is done.")),
    }),
  },
  "config-changed": {
    summary: "The configuration has a new version.",
    payload: v.strictObject({ version_id: v.string() }),
  },
  "resources-changed": {
    summary: "Skills, prompts, themes or the settings that select them changed. Reload the lists of these `kinds`.",
    payload: v.strictObject({ kinds: v.array(v.picklist(["skills", "prompts", "themes"])) }),
  },
  "live-session": {
    summary: "The state of a live session changed.",
    payload: v.strictObject({ session_id: v.string(), state: liveState }),
  },
  "live-session-changed": {
    summary:
      "The question, the activity, the file or the outcome of a live session changed, but not its state: `get_coding_live_sessions` has it.",
    payload: v.strictObject({ session_id: v.string() }),
  },
  "live-session-event": {
    summary:
      "Output of a live session's agent; `seq` counts as in `get_coding_agent_entries`, and `message_update` holds only its delta.",
    payload: v.strictObject({ session_id: v.string(), seq: v.number(), event: agentRecord }),
  },
  "terminal-output": {
    summary: "Output of a terminal; `seq` counts as in `attach_terminal`.",
    payload: v.strictObject({ id: v.string(), seq: v.number(), data: v.string() }),
  },
  "terminal-exit": {
    summary: "A terminal's program has exited; sent after all of its output.",
    payload: v.strictObject({ id: v.string(), ...terminalExit.entries }),
  },
  "terminal-changed": {
    summary:
      "A terminal was opened or closed, its program has exited, or reports another status: `list_terminals` has it.",
    payload: v.strictObject({ id: v.string() }),
  },
  "events-lost": {
    summary:
      "Events were lost: the subscriber was too slow, or requested a number that is no longer kept. Reload displayed data and reattach terminals.",
    payload: v.strictObject({}),
  },
};

/** An event as the reference shows it. */
export interface EventReference {
  name: string;
  summary: string;
  /** `null`: sent regardless of topics. */
  topic: string | null;
  payload: v.GenericSchema;
}

/** Describes every push event. */
export function describeEvents(): EventReference[] {
  const topics: Partial<Record<string, string>> = EVENT_TOPICS;
  return Object.entries(EVENTS).map(([name, { summary, payload }]) => {
    return { name, summary, topic: topics[name] ?? null, payload };
  });
}
