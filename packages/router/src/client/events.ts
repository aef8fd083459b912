import { DEFAULT_TOPICS, type EventName, type EventPayloads, type Topic, topicOf } from "../events/event.ts";

/** A push event; its name tells the type of its payload. */
export type ClientEvent = {
  [Name in EventName]: { event: Name; seq: number; payload: EventPayloads[Name] };
}[EventName];

/**
 * Where a stream of events is: `waiting` to connect again after an error, `closed` for good, with the error where it
 * was not `close` that ended it.
 */
export type StreamState = "connecting" | "open" | "waiting" | "closed";

export interface EventsOptions {
  /** `sessions`, `index`, `config` and `live` if absent. */
  topics?: readonly Topic[];
  /**
   * Takes every event, in order. `hello` is the first on every connection: what happens after it will be told.
   * After `events-lost` some are missing, and what was built from events has to be loaded anew.
   */
  onEvent(event: ClientEvent): void;
  /** Follows the connection; `error` is why it is `waiting` or `closed`. */
  onState?(state: StreamState, error: Error | null): void;
}

/** A stream of events, until it is closed. */
export interface EventStream {
  close(): void;
}

/** A stream of events as a transport sees it. */
export interface Listener {
  readonly topics: ReadonlySet<Topic>;
  deliver(event: ClientEvent): void;
  setState(state: StreamState, error?: Error): void;
}

/** Wraps the callbacks: each new state is told once, nothing after the end, and what they throw ends no connection. */
export function createListener({ topics = DEFAULT_TOPICS, onEvent, onState }: EventsOptions): Listener {
  const wanted = new Set(topics);
  let current: StreamState | null = null;
  return {
    topics: wanted,
    deliver(event) {
      if (current !== "closed" && concerns(event, wanted)) guard(() => onEvent(event));
    },
    setState(state, error) {
      if (current === state || current === "closed") return;
      current = state;
      guard(() => onState?.(state, error ?? null));
    },
  };
}

/** Names the number after which to go on when the connection breaks after this event. */
export function seqAfter(event: ClientEvent, last: number | null): number {
  // What is replayed comes after the `hello` that already counts it.
  return event.event === "hello" ? (last ?? event.payload.seq) : event.seq;
}

function concerns({ event, payload }: ClientEvent, topics: ReadonlySet<Topic>): boolean {
  const topic = topicOf(event, payload);
  return topic === null || topics.has(topic);
}

/** Reports what a callback throws as an uncaught error of its own. */
function guard(callback: () => void): void {
  try {
    callback();
  } catch (error) {
    queueMicrotask(() => {
      throw error;
    });
  }
}
