import { EVENT_TOPICS, type EventName, type EventPayloads } from "../events/event.ts";
import * as v from "../schema/json.ts";
import { agentRecord, liveState } from "../schema/live-session.ts";
import { sessionRecord } from "../schema/session-record.ts";
import { terminalExit } from "../schema/terminal.ts";

/** The payload of every push event; the compiler holds each against the type that is sent. */
const EVENTS: { [Name in EventName]: { summary: string; payload: v.GenericSchema<EventPayloads[Name]> } } = {
  hello: {
    summary: "The first event on every connection; `seq` is the number of the last event before it.",
    payload: v.strictObject({ api_version: v.literal(1), server_version: v.string(), seq: v.number() }),
  },
  "session-changed": {
    summary: "Session files were written, moved or removed.",
    payload: v.strictObject({ changed_paths: v.array(v.string()), removed_paths: v.array(v.string()) }),
  },
  "sessions-diff": {
    summary: "Records of sessions changed; applied in order, these keep a list as `scan_sessions` would answer it.",
    payload: v.strictObject({
      added: v.array(sessionRecord),
      updated: v.array(sessionRecord),
      removed: v.array(v.string()),
    }),
  },
  "index-progress": {
    summary: "The search index has gone on.",
    payload: v.strictObject({
      done: v.number(),
      total: v.number(),
      bytes_done: v.number(),
      bytes_total: v.number(),
    }),
  },
  "config-changed": {
    summary: "The configuration has a new version.",
    payload: v.strictObject({ version_id: v.string() }),
  },
  "resources-changed": {
    summary:
      "Files of skills, prompts or themes were edited, or settings that choose among them: list those `kinds` again.",
    payload: v.strictObject({ kinds: v.array(v.picklist(["skills", "prompts", "themes"])) }),
  },
  "live-session": {
    summary: "A live session has another state.",
    payload: v.strictObject({ session_id: v.string(), state: liveState }),
  },
  "live-session-event": {
    summary:
      "A live session's agent has said something; `seq` counts as in `get_coding_agent_entries`, and `message_update` holds its delta alone.",
    payload: v.strictObject({ session_id: v.string(), seq: v.number(), event: agentRecord }),
  },
  "terminal-output": {
    summary: "A terminal's program has written something; `seq` counts as in `attach_terminal`.",
    payload: v.strictObject({ id: v.string(), seq: v.number(), data: v.string() }),
  },
  "terminal-exit": {
    summary: "A terminal's program has ended, after all of its output.",
    payload: v.strictObject({ id: v.string(), ...terminalExit.entries }),
  },
  "events-lost": {
    summary:
      "Events are missing: the subscriber was too slow or asked for a number that is gone. Reload what you show, and attach terminals again.",
    payload: v.strictObject({}),
  },
};

/** An event as the reference shows it. */
export interface EventReference {
  name: string;
  summary: string;
  /** `null`: comes whatever the topics. */
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
