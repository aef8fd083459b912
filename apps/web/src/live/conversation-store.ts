import type { ClientEvent } from "@sm/router/client";
import type { Service } from "../client/service.ts";
import { type Conversation, ConversationBuilder, type LiveRecord } from "./conversation.ts";

/** A conversation as far as it is known, for a component to follow. */
export interface FollowedConversation {
  conversation: Conversation;
  /** `false` until what there is has been loaded. */
  isLoaded: boolean;
  /** Why it could not be loaded. */
  error: Error | null;
}

/** Follows what an agent says, until it is closed. */
export interface ConversationStore {
  get(): FollowedConversation;
  subscribe(listener: () => void): () => void;
  /** Loads again what could not be loaded. */
  retry(): void;
  close(): void;
}

export interface ConversationStoreOptions {
  service: Pick<Service, "call" | "events">;
  sessionId: string;
  /** Tells of a change later, once for all that come until then: `requestAnimationFrame`. */
  schedule(run: () => void): void;
  /** Called when the session has got another name or thinking level. */
  onSessionChanged?(): void;
}

const SESSION_CHANGES = new Set(["session_info_changed", "thinking_level_changed"]);

export function createConversationStore(options: ConversationStoreOptions): ConversationStore {
  const { service, sessionId, schedule } = options;
  const listeners = new Set<() => void>();
  let builder = new ConversationBuilder();
  let status: Pick<FollowedConversation, "isLoaded" | "error"> = { isLoaded: false, error: null };
  let followed = stateOf();
  /** Number of the last record that the conversation has. */
  let last: number | null = null;
  /** What came while something was loaded, in its order. */
  let early: LiveRecord[] = [];
  let load = 0;
  let isLoading = false;
  let isScheduled = false;
  let isClosed = false;

  const stream = service.events({ topics: [`live:${sessionId}`], onEvent: take });

  return {
    get: () => followed,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    retry: () => void loadNew(),
    close() {
      isClosed = true;
      stream.close();
    },
  };

  function take(event: ClientEvent): void {
    if (event.event === "hello" || event.event === "events-lost") {
      void loadNew();
    } else if (event.event === "live-session-event" && event.payload.session_id === sessionId) {
      const { seq, event: record } = event.payload;
      if (SESSION_CHANGES.has(String(record.type))) options.onSessionChanged?.();
      // The service tells the time only of what it has kept.
      takeRecord({ seq, timestamp: new Date().toISOString(), event: record });
    }
  }

  function takeRecord(record: LiveRecord): void {
    if (isLoading) {
      early.push(record);
    } else if (last !== null && record.seq > last) {
      if (record.seq > last + 1) {
        early = [record];
        void loadNew();
        return;
      }
      add(record);
      show({ isLoaded: true, error: null });
    }
  }

  function add(record: LiveRecord): void {
    builder.add(record);
    last = record.seq;
  }

  /** Loads what the agent has said since the last record. */
  async function loadNew(): Promise<void> {
    load += 1;
    const own = load;
    if (!isLoading) early = early.filter(({ seq }) => seq > (last ?? 0));
    isLoading = true;
    try {
      const after = last === null ? {} : { after_seq: last };
      const { entries, next_seq, has_gap } = await service.call("get_coding_agent_entries", {
        session_id: sessionId,
        ...after,
      });
      if (own !== load || isClosed) return;
      if (last !== null && (next_seq < last || has_gap)) {
        // The service was restarted and its numbers start over, or it has dropped records.
        builder = new ConversationBuilder();
        last = null;
        if (has_gap) {
          await loadNew();
          return;
        }
      }
      for (const entry of entries) add(entry);
      last = next_seq;
      isLoading = false;
      for (const record of early.splice(0)) takeRecord(record);
      show({ isLoaded: true, error: null });
    } catch (error) {
      if (own !== load || isClosed) return;
      isLoading = false;
      early = [];
      show({ ...status, error: error as Error });
    }
  }

  function show(next: typeof status): void {
    status = next;
    if (isScheduled) return;
    isScheduled = true;
    schedule(() => {
      isScheduled = false;
      if (isClosed) return;
      followed = stateOf();
      for (const listener of [...listeners]) listener();
    });
  }

  function stateOf(): FollowedConversation {
    return { conversation: builder.conversation, ...status };
  }
}
