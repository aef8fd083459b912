import { DEFAULT_TOPICS, type EventName, type EventPayloads, type Topic, topicOf } from "../events/event.ts";

/** A push event; its name determines the type of its payload. */
export type ClientEvent = {
  [Name in EventName]: { event: Name; seq: number; payload: EventPayloads[Name] };
}[EventName];

/**
 * State of an event stream: `waiting` to reconnect after an error; `closed` permanently, with the error unless `close`
 * was called.
 */
export type StreamState = "connecting" | "open" | "waiting" | "closed";

export interface EventsOptions {
  /** Default: `sessions`, `index`, `config` and `live`. */
  topics?: readonly Topic[];
  /**
   * Receives all events in order. `hello` is the first on every connection; later events follow. After `events-lost`
   * some events are missing, and state derived from events must be reloaded.
   */
  onEvent(event: ClientEvent): void;
  /** Called when the state changes; `error` is the reason for `waiting` or `closed`. */
  onState?(state: StreamState, error: Error | null): void;
}

/** An open stream of events. */
export interface EventStream {
  close(): void;
}

/** An event stream as seen by a transport. */
export interface Listener {
  readonly topics: ReadonlySet<Topic>;
  deliver(event: ClientEvent): void;
  setState(state: StreamState, error?: Error): void;
}

/**
 * Wraps the callbacks: reports each state change once and nothing after the end, and keeps their exceptions away from
 * the connection.
 */
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

/** The number from which to resume if the connection breaks after this event. */
export function seqAfter(event: ClientEvent, last: number | null): number {
  // Replayed events follow the `hello` whose number already includes them.
  return event.event === "hello" ? (last ?? event.payload.seq) : event.seq;
}

function concerns({ event, payload }: ClientEvent, topics: ReadonlySet<Topic>): boolean {
  const topic = topicOf(event, payload);
  return topic === null || topics.has(topic);
}

/** Reports a callback's exception as an uncaught error. */
function guard(callback: () => void): void {
  try {
    callback();
  } catch (error) {
    queueMicrotask(() => {
      throw error;
    });
  }
}
