import { DEFAULT_TOPICS, type Topic } from "../events/event.ts";
import { createAcknowledgements } from "./acknowledgements.ts";
import { retryDelay } from "./backoff.ts";
import { CallQueue } from "./call-queue.ts";
import type { ClientTransport } from "./client-transport.ts";
import { CommandError, ConnectionError, closedError, isFinal } from "./errors.ts";
import { type ClientEvent, createListener, type Listener, seqAfter } from "./event-listener.ts";
import { openSocket, type ServerMessage, type Socket, type WebSocketConstructor } from "./socket.ts";

export interface WebSocketTransportOptions {
  /** Ends with a slash. */
  base: URL;
  token: string | null;
  WebSocket: WebSocketConstructor;
}

/** Sends commands and receives events over one connection, opened on first use. */
export function createWebSocketClientTransport(options: WebSocketTransportOptions): ClientTransport {
  const { base, token, WebSocket } = options;
  const calls = new CallQueue(() => failure);
  const listeners = new Set<Listener>();
  const acknowledge = createAcknowledgements((id, seq) => call("acknowledge_output", { id, seq }));
  let socket: Socket | null = null;
  let ready = false;
  /** The first event of this connection. */
  let hello: Extract<ClientEvent, { event: "hello" }> | null = null;
  /** Topics subscribed on this connection. */
  let subscribed: ReadonlySet<Topic> = new Set();
  let lastSeq: number | null = null;
  let failedAttempts = 0;
  /** Why there is no connection. */
  let failure: Error | null = null;
  let retry: ReturnType<typeof setTimeout> | null = null;
  /** Why there will be no further connection. */
  let final: Error | null = null;

  return {
    call,

    events(eventsOptions) {
      const listener = createListener(eventsOptions);
      listeners.add(listener);
      // Deferred, so that the caller has the stream before its first callback.
      queueMicrotask(() => welcome(listener));
      return {
        close() {
          listener.setState("closed");
          listeners.delete(listener);
          if (listeners.size === 0) lastSeq = null;
          if (ready) adjustTopics();
        },
      };
    },

    acknowledge(id, seq) {
      if (ready) acknowledge(id, seq);
    },

    close() {
      finish(closedError());
    },
  };

  function call(command: string, payload: unknown, signal?: AbortSignal): Promise<unknown> {
    if (final !== null) return Promise.reject(final);
    const answer = calls.add({ command, payload, signal });
    if (ready) sendWaiting();
    else connect();
    return answer;
  }

  function connect(): void {
    if (socket !== null || retry !== null) return;
    for (const listener of listeners) listener.setState("connecting");
    const url = new URL("ws", base);
    url.protocol = base.protocol === "https:" ? "wss:" : "ws:";
    if (lastSeq !== null) url.searchParams.set("after_seq", String(lastSeq));
    try {
      socket = openSocket({ WebSocket, url, token }, { onReady, onMessage, onEnd });
    } catch (cause) {
      // Browsers block some ports and, on pages loaded over https, http: a retry does not help.
      finish(new ConnectionError("NO_ANSWER", `Could not open a WebSocket to ${url.origin}.`, { cause }));
    }
  }

  function onReady(): void {
    ready = true;
    failure = null;
    subscribed = new Set(DEFAULT_TOPICS);
    adjustTopics();
    sendWaiting();
  }

  function sendWaiting(): void {
    calls.send((text) => socket?.send(text));
  }

  function onMessage(message: ServerMessage): void {
    if ("event" in message) {
      // The type follows from the name only; the service's payloads are trusted.
      takeEvent(message as ClientEvent);
    } else if (typeof message.id === "number") {
      calls.takeAnswer(message.id, message);
      sendWaiting();
    }
  }

  function takeEvent(event: ClientEvent): void {
    const isAgain = event.event === "hello" && lastSeq !== null;
    if (event.event === "hello") {
      hello = event;
      failedAttempts = 0;
      for (const listener of listeners) listener.setState("open");
    }
    if (listeners.size > 0) lastSeq = seqAfter(event, lastSeq);
    // A copy, because callbacks may open streams, which are welcomed separately.
    for (const listener of [...listeners]) {
      listener.deliver(event);
      // The service replays only default topics; the others were subscribed just now.
      if (isAgain && [...listener.topics].some((topic) => !DEFAULT_TOPICS.includes(topic))) {
        listener.deliver({ event: "events-lost", seq: event.seq, payload: {} });
      }
    }
  }

  /** Brings a new listener up to date with the connection. */
  function welcome(listener: Listener): void {
    if (!listeners.has(listener)) return;
    if (final !== null) {
      listener.setState("closed", final);
    } else if (hello !== null) {
      const seq = lastSeq ?? hello.payload.seq;
      lastSeq = seq;
      adjustTopics();
      listener.setState("open");
      listener.deliver({ ...hello, seq, payload: { ...hello.payload, seq } });
    } else {
      listener.setState(retry === null ? "connecting" : "waiting");
      if (ready) adjustTopics();
      connect();
    }
  }

  /** Subscribes to the topics of all listeners, and unsubscribes from others. */
  function adjustTopics(): void {
    const wanted = new Set([...listeners].flatMap(({ topics }) => [...topics]));
    const missing = [...wanted].filter((topic) => !subscribed.has(topic));
    const surplus = [...subscribed].filter((topic) => !wanted.has(topic));
    subscribed = wanted;
    if (missing.length > 0) call("subscribe", { topics: missing }).catch((error) => refuse(missing, error));
    // Surplus topics only cost traffic: listeners do not see them.
    if (surplus.length > 0) call("unsubscribe", { topics: surplus }).catch(() => {});
  }

  function refuse(topics: Topic[], error: unknown): void {
    // Without a response, the next connection subscribes again.
    if (!(error instanceof CommandError)) return;
    for (const listener of listeners) {
      if (!topics.some((topic) => listener.topics.has(topic))) continue;
      listener.setState("closed", error);
      listeners.delete(listener);
    }
  }

  function onEnd(error: Error): void {
    socket = null;
    ready = false;
    hello = null;
    failure = error;
    calls.rejectRunning(error);
    if (final !== null) return;
    if (isFinal(error)) finish(error);
    else if (calls.hasWaiting || listeners.size > 0) connectLater(error);
  }

  function connectLater(error: Error): void {
    for (const listener of listeners) listener.setState("waiting", error);
    retry = setTimeout(() => {
      retry = null;
      connect();
    }, retryDelay(failedAttempts));
    failedAttempts += 1;
  }

  function finish(error: Error): void {
    if (final !== null) return;
    final = error;
    if (retry !== null) clearTimeout(retry);
    socket?.close();
    calls.rejectWaiting(error);
    const asked = error instanceof ConnectionError && error.code === "CLOSED";
    for (const listener of listeners) listener.setState("closed", asked ? undefined : error);
    listeners.clear();
  }
}
