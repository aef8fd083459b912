import type { JsonObject, LiveState, SessionRecord, TerminalExit } from "@sm/core";

/** What serves: the sessions of its machine, or what many machines have sent to a hub. */
export type ServiceKind = "home" | "hub";

/** Payloads of push events by name. `hello` and `events-lost` are created per subscriber. */
export interface EventPayloads {
  hello: { api_version: 1; server_version: string; kind: ServiceKind; seq: number };
  "session-changed": { changed_paths: string[]; removed_paths: string[] };
  "sessions-diff": { added: SessionRecord[]; updated: SessionRecord[]; removed: string[] };
  "index-progress": { done: number; total: number; bytes_done: number; bytes_total: number };
  "vault-verification": { checked: number; total: number; done: boolean; damaged: number | null };
  "config-changed": { version_id: string };
  "resources-changed": { kinds: ("skills" | "prompts" | "themes")[] };
  "live-session": { session_id: string; state: LiveState };
  "live-session-changed": { session_id: string };
  /** `seq`: number of the record in the history of its session. */
  "live-session-event": { session_id: string; seq: number; event: JsonObject };
  /** `seq` increases by one with every output of the terminal. */
  "terminal-output": { id: string; seq: number; data: string };
  "terminal-exit": { id: string } & TerminalExit;
  "terminal-changed": { id: string };
  "events-lost": Record<string, never>;
}

export type EventName = keyof EventPayloads;

/** Published events with their topics; `<…>` stands for a field of the payload. */
export const EVENT_TOPICS = {
  "session-changed": "sessions",
  "sessions-diff": "sessions",
  "index-progress": "index",
  "vault-verification": "index",
  "config-changed": "config",
  "resources-changed": "config",
  "live-session": "live",
  "live-session-changed": "live",
  "live-session-event": "live:<session_id>",
  "terminal-output": "terminal:<id>",
  "terminal-exit": "terminal:<id>",
  "terminal-changed": "live",
} as const satisfies Partial<Record<EventName, string>>;

export type PublishedName = keyof typeof EVENT_TOPICS;

/** Topic of a subscription; `live:<session_id>` and `terminal:<id>` refer to one session or terminal. */
export type Topic = string;

/** Topic of an event; `null` if every subscriber receives it. */
export function topicOf(name: PublishedName, payload: object): Topic;
export function topicOf(name: EventName, payload: object): Topic | null;
export function topicOf(name: EventName, payload: object): Topic | null {
  const pattern = (EVENT_TOPICS as Partial<Record<EventName, string>>)[name];
  if (pattern === undefined) return null;
  return pattern.replace(/<(\w+)>/, (_, field: string) => String((payload as Record<string, unknown>)[field]));
}

/** Whether a topic is about the whole service, one live session or one terminal. */
export type TopicKind = "common" | "live" | "terminal";

export function kindOf(topic: Topic): TopicKind {
  if (topic.startsWith("live:")) return "live";
  return topic.startsWith("terminal:") ? "terminal" : "common";
}

/** Subscribed by default. */
export const DEFAULT_TOPICS: readonly Topic[] = ["sessions", "index", "config", "live"];

/** A published event. */
export interface BusEvent {
  name: EventName;
  /** `null`: for every subscriber. */
  topic: Topic | null;
  /** Increases with every event, also across restarts. */
  seq: number;
  /** The payload as JSON, encoded once for all subscribers. */
  json: string;
  /** Length of `json` in UTF-8. */
  bytes: number;
  /** Sequence number of terminal output; `null` for other events. */
  outputSeq: number | null;
  /** When it was published, in milliseconds of `performance.now()`. */
  publishedAt: number;
}
