import type { SessionRecord } from "@sm/core";

/** The payload of every push event, by name. `hello` and `events-lost` are made for one subscriber at a time. */
export interface EventPayloads {
  hello: { api_version: 1; server_version: string; seq: number };
  "session-changed": { changed_paths: string[]; removed_paths: string[] };
  "sessions-diff": { added: SessionRecord[]; updated: SessionRecord[]; removed: string[] };
  "index-progress": { done: number; total: number; bytes_done: number; bytes_total: number };
  "config-changed": { version_id: string };
  "events-lost": Record<string, never>;
}

export type EventName = keyof EventPayloads;

/** Names of events that everybody may get, with the topic that each belongs to. */
export const EVENT_TOPICS = {
  "session-changed": "sessions",
  "sessions-diff": "sessions",
  "index-progress": "index",
  "config-changed": "config",
} as const satisfies Partial<Record<EventName, string>>;

export type PublishedName = keyof typeof EVENT_TOPICS;

/** What a subscriber chooses from; `live:<session_id>` and `terminal:<id>` name one of each. */
export type Topic = string;

/** On for every subscriber that names none. */
export const DEFAULT_TOPICS: readonly Topic[] = ["sessions", "index", "config", "live"];

/** An event on its way to subscribers. */
export interface BusEvent {
  name: EventName;
  /** Grows with every event, over restarts too. */
  seq: number;
  /** The payload as JSON, encoded once for all subscribers. */
  json: string;
  /** Length of `json` in UTF-8. */
  bytes: number;
  /** When it was published, in milliseconds of `performance.now()`. */
  publishedAt: number;
}
