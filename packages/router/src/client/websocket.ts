import { DEFAULT_TOPICS, type Topic } from "../events/event.ts";
import { createAcknowledgements } from "./acknowledgements.ts";
import { dataOf } from "./answer.ts";
import { retryDelay } from "./backoff.ts";
import { CommandError, ConnectionError, closedError, isFinal } from "./errors.ts";
import { type ClientEvent, createListener, type Listener, seqAfter } from "./events.ts";
import {
  MessageTooBigError,
  openSocket,
  type ServerMessage,
  type Socket,
  type WebSocketConstructor,
} from "./socket.ts";
import type { ClientTransport } from "./transport.ts";

export interface WebSocketTransportOptions {
  /** Ends with a slash. */
  base: URL;
  token: string | null;
  WebSocket: WebSocketConstructor;
}

/**
 * The service runs 256 requests of a connection at a time and reads no others meanwhile. Half of that leaves room for
 * those that were given up here and still run there, and for the connection's own.
 */
const MAX_RUNNING = 128;

/** A command on its way. */
interface Call {
  text: string;
  resolve(data: unknown): void;
  reject(error: unknown): void;
}

/** Sends commands and reads events over one connection, which is opened when it is first needed. */
export function createWebSocketTransport(options: WebSocketTransportOptions): ClientTransport {
  const { base, token, WebSocket } = options;
  const waiting = new Map<number, Call>();
  /** Sent. Never sent again: the service may have run them although the connection broke. */
  const running = new Map<number, Call>();
  const listeners = new Set<Listener>();
  const acknowledge = createAcknowledgements((id, seq) => call("acknowledge_output", { id, seq }));
  let socket: Socket | null = null;
  let ready = false;
  /** The first event of this connection. */
  let hello: Extract<ClientEvent, { event: "hello" }> | null = null;
  /** What the service sends on this connection. */
  let subscribed: ReadonlySet<Topic> = new Set();
  let lastSeq: number | null = null;
  let lastId = 0;
  let failedAttempts = 0;
  /** Why there is no connection. */
  let failure: Error | null = null;
  let retry: ReturnType<typeof setTimeout> | null = null;
  /** Why there will be no other connection. */
  let final: Error | null = null;

  return {
    call,

    events(eventsOptions) {
      const listener = createListener(eventsOptions);
      listeners.add(listener);
      // Later, so that the caller knows the stream before its first callback.
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
    return new Promise((resolve, reject) => {
      if (final !== null) throw final;
      lastId += 1;
      const id = lastId;
      waiting.set(id, { text: JSON.stringify({ id, command, payload }), resolve, reject });
      signal?.addEventListener("abort", () => {
        const unsent = waiting.delete(id);
        running.delete(id);
        reject(unsent && failure !== null ? withCause(signal.reason, failure) : signal.reason);
      });
      if (ready) sendWaiting();
      else connect();
    });
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
      // Browsers refuse ports and, on pages that came over https, http: that will not change.
      finish(new ConnectionError("NO_ANSWER", `A WebSocket to ${url.origin} cannot be opened.`, { cause }));
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
    for (const [id, waitingCall] of waiting) {
      if (running.size === MAX_RUNNING) return;
      waiting.delete(id);
      running.set(id, waitingCall);
      socket?.send(waitingCall.text);
    }
  }

  function onMessage(message: ServerMessage): void {
    if ("event" in message) {
      // Only the name tells the type; what the service sends is trusted to keep to it.
      takeEvent(message as ClientEvent);
    } else if (typeof message.id === "number") {
      takeAnswer(message.id, message);
    }
  }

  function takeAnswer(id: number, answer: ServerMessage): void {
    const answered = running.get(id);
    running.delete(id);
    try {
      answered?.resolve(dataOf(answer));
    } catch (error) {
      answered?.reject(error);
    }
    sendWaiting();
  }

  function takeEvent(event: ClientEvent): void {
    const isAgain = event.event === "hello" && lastSeq !== null;
    if (event.event === "hello") {
      hello = event;
      failedAttempts = 0;
      for (const listener of listeners) listener.setState("open");
    }
    if (listeners.size > 0) lastSeq = seqAfter(event, lastSeq);
    // A copy: a stream that a callback opens is welcomed on its own.
    for (const listener of [...listeners]) {
      listener.deliver(event);
      // The service has replayed the topics that are on from the start; the others were asked for only now.
      if (isAgain && [...listener.topics].some((topic) => !DEFAULT_TOPICS.includes(topic))) {
        listener.deliver({ event: "events-lost", seq: event.seq, payload: {} });
      }
    }
  }

  /** Brings a new listener to where the connection is. */
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

  /** Asks the service for the topics that the listeners want, and for no others. */
  function adjustTopics(): void {
    const wanted = new Set([...listeners].flatMap(({ topics }) => [...topics]));
    const missing = [...wanted].filter((topic) => !subscribed.has(topic));
    const surplus = [...subscribed].filter((topic) => !wanted.has(topic));
    subscribed = wanted;
    if (missing.length > 0) call("subscribe", { topics: missing }).catch((error) => refuse(missing, error));
    // Topics that stay on cost traffic, nothing else: listeners do not see them.
    if (surplus.length > 0) call("unsubscribe", { topics: surplus }).catch(() => {});
  }

  function refuse(topics: Topic[], error: unknown): void {
    // Without an answer, the next connection asks again.
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
    rejectRunning(error);
    if (final !== null) return;
    if (isFinal(error)) finish(error);
    else if (waiting.size > 0 || listeners.size > 0) connectLater(error);
  }

  function connectLater(error: Error): void {
    for (const listener of listeners) listener.setState("waiting", error);
    retry = setTimeout(() => {
      retry = null;
      connect();
    }, retryDelay(failedAttempts));
    failedAttempts += 1;
  }

  function rejectRunning(error: Error): void {
    const calls = [...running.values()];
    running.clear();
    if (error instanceof MessageTooBigError) {
      // Whichever it was, the largest is one that is too large.
      const [largest] = calls.sort((a, b) => sizeOf(b) - sizeOf(a));
      largest?.reject(new CommandError("PAYLOAD_TOO_LARGE", "The request is larger than the service takes."));
    }
    const reason = error instanceof ConnectionError ? error : new ConnectionError("NO_ANSWER", error.message);
    for (const { reject } of calls) reject(reason);
  }

  function finish(error: Error): void {
    if (final !== null) return;
    final = error;
    if (retry !== null) clearTimeout(retry);
    socket?.close();
    for (const { reject } of waiting.values()) reject(error);
    waiting.clear();
    const asked = error instanceof ConnectionError && error.code === "CLOSED";
    for (const listener of listeners) listener.setState("closed", asked ? undefined : error);
    listeners.clear();
  }
}

/** Adds to the end of a call that was never sent why it was not. */
function withCause(reason: unknown, cause: Error): unknown {
  if (!(reason instanceof ConnectionError) || reason.code !== "TIMED_OUT") return reason;
  return new ConnectionError(reason.code, `${reason.message} ${cause.message}`, { cause });
}

/** Bytes of a call's message. */
function sizeOf({ text }: Call): number {
  return new TextEncoder().encode(text).length;
}
