import { type JsonObject, piItem, type TreeEntry } from "@sm/core";
import type { LiveSession } from "../agents/use-live-sessions.ts";
import { sessionRecord } from "../list/record.fixture.ts";
import type { Answers } from "../page.fixture.tsx";

const NOW = new Date().toISOString();

/** An agent for tests, which is idle and has no file. */
export function liveSession(id: string, change: Partial<LiveSession> = {}): LiveSession {
  return {
    ...{ session_id: id, session_path: null, cwd: "/home/me/tides", pid: 1, state: "idle", model: "fake/fake-1" },
    ...{ context_window: null, thinking_level: "off", started_at: NOW, last_event_at: NOW, pending_messages: 0 },
    ...{ name: null, question: null, activity: null, outcome: null, controllable: true },
    ...change,
  };
}

/** What the file of a session has: messages of the agent, one a second. */
export class StoredSession {
  readonly record;
  readonly #entries: { item: ReturnType<typeof piItem>; entry: TreeEntry }[] = [];

  constructor(name: string, messages: readonly JsonObject[]) {
    this.record = sessionRecord(name, { is_live: true, tool_call_count: 1 });
    for (const message of messages) this.append(message);
  }

  append(message: JsonObject): void {
    const place = this.#entries.length;
    const id = `e${place}`;
    const parentId = place === 0 ? null : `e${place - 1}`;
    const timestamp = storedAt(place);
    const item = piItem({ type: "message", timestamp, message }, { id, parentId });
    const { content } = message;
    const entry: TreeEntry = {
      ...{ id, parent_id: parentId, type: "message", kind: item.kind, conversation: true, target_id: null },
      ...{ timestamp, label: null, preview: typeof content === "string" ? content : "" },
      role: message.role === "toolResult" ? "tool" : (message.role as "user"),
    };
    this.#entries.push({ item, entry });
  }

  /** What the service answers about it. */
  get answers(): Answers {
    return {
      list_notes: [],
      list_bookmarks: [],
      read_session_tree: () => this.#entries.map(({ entry }) => entry),
      read_transcript: ({ after }) => {
        const from = after === undefined ? 0 : this.#entries.findIndex(({ entry }) => entry.id === after) + 1;
        const shown = this.#entries.slice(from);
        const leaf_id = this.#entries.at(-1)?.entry.id ?? null;
        return {
          ...{ leaf_id, leaves: leaf_id === null ? [] : [leaf_id], labels: {}, total: this.#entries.length },
          ...{ has_more_before: false, has_more_after: false, truncated_entries: [] },
          items: shown.map(({ item }) => item),
          entries: shown.map(({ entry }) => entry),
        } as never;
      },
    };
  }
}

const BEGIN = Date.parse("2026-03-01T10:00:00.000Z");

/** When the entry of a place was stored. */
const storedAt = (place: number) => new Date(BEGIN + place * 1_000).toISOString();

/** When a message was made that becomes the entry of a place. */
export const madeAt = (place: number) => BEGIN + place * 1_000 - 5;
