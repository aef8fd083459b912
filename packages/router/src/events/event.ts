import type { JsonObject, LiveState, SessionRecord, TerminalExit } from "@sm/core";

/** The payload of every push event, by name. `hello` and `events-lost` are made for one subscriber at a time. */
export interface EventPayloads {
  hello: { api_version: 1; server_version: string; seq: number };
  "session-changed": { changed_paths: string[]; removed_paths: string[] };
  "sessions-diff": { added: SessionRecord[]; updated: SessionRecord[]; removed: string[] };
  "index-progress": { done: number; total: number; bytes_done: number; bytes_total: number };
  "config-changed": { version_id: string };
  "resources-changed": { kinds: ("skills" | "prompts" | "themes")[] };
  "live-session": { session_id: string; state: LiveState };
  /** `seq` is the record's number in the history of its session. */
  "live-session-event": { session_id: string; seq: number; event: JsonObject };
  /** `seq` grows by one with every output of this terminal. */
  "terminal-output": { id: string; seq: number; data: string };
  "terminal-exit": { id: string } & TerminalExit;
  "events-lost": Record<string, never>;
}

export type EventName = keyof EventPayloads;

/** Names of events that are published, with the topic that each belongs to; `<…>` stands for a field of the payload. */
export const EVENT_TOPICS = {
  "session-changed": "sessions",
  "sessions-diff": "sessions",
  "index-progress": "index",
  "config-changed": "config",
  "resources-changed": "config",
  "live-session": "live",
  "live-session-event": "live:<session_id>",
  "terminal-output": "terminal:<id>",
  "terminal-exit": "terminal:<id>",
} as const satisfies Partial<Record<EventName, string>>;

export type PublishedName = keyof typeof EVENT_TOPICS;

/** What a subscriber chooses from; `live:<session_id>` and `terminal:<id>` name one of each. */
export type Topic = string;

/** Names the topic of an event; `null` for one that every subscriber gets. */
export function topicOf(name: PublishedName, payload: object): Topic;
export function topicOf(name: EventName, payload: object): Topic | null;
export function topicOf(name: EventName, payload: object): Topic | null {
  const pattern = (EVENT_TOPICS as Partial<Record<EventName, string>>)[name];
  if (pattern === undefined) return null;
  return pattern.replace(/<(\w+)>/, (_, field: string) => String((payload as Record<string, unknown>)[field]));
}

/** Whether a topic is about all of the service, one live session or one terminal. */
export type TopicKind = "common" | "live" | "terminal";

export function kindOf(topic: Topic): TopicKind {
  if (topic.startsWith("live:")) return "live";
  return topic.startsWith("terminal:") ? "terminal" : "common";
}

/** On for every subscriber that names none. */
export const DEFAULT_TOPICS: readonly Topic[] = ["sessions", "index", "config", "live"];

/** An event on its way to subscribers. */
export interface BusEvent {
  name: EventName;
  /** `null`: for every subscriber. */
  topic: Topic | null;
  /** Grows with every event, over restarts too. */
  seq: number;
  /** The payload as JSON, encoded once for all subscribers. */
  json: string;
  /** Length of `json` in UTF-8. */
  bytes: number;
  /** Which output of its terminal it is; `null` for all other events. */
  outputSeq: number | null;
  /** When it was published, in milliseconds of `performance.now()`. */
  publishedAt: number;
}
