import { createParser } from "eventsource-parser";
import { retryDelay } from "./backoff.ts";
import { CommandError, ConnectionError, isFinal } from "./errors.ts";
import { type ClientEvent, createListener, type EventStream, type EventsOptions, seqAfter } from "./event-listener.ts";
import { dataOfBody } from "./response-data.ts";

/** The service sends a comment every 15 seconds; after three missing ones the connection is dead. */
const SILENCE_MS = 45_000;

export interface EventSourceOptions {
  url: URL;
  headers: Readonly<Record<string, string>>;
  fetch: typeof fetch;
}

/**
 * Reads the event stream over HTTP until it is closed. Does not use `EventSource`, which cannot send a token in a
 * header.
 */
export function followHttpEvents(options: EventsOptions, { url, headers, fetch }: EventSourceOptions): EventStream {
  const listener = createListener(options);
  const closed = new AbortController();
  const address = new URL(url);
  if (options.topics !== undefined) address.searchParams.set("topics", options.topics.join(","));
  let lastSeq: number | null = null;
  let failedAttempts = 0;
  // Deferred, so that the caller has the stream before its first callback.
  queueMicrotask(follow);

  return {
    close() {
      closed.abort();
      listener.setState("closed");
    },
  };

  async function follow(): Promise<void> {
    while (!closed.signal.aborted) {
      listener.setState("connecting");
      const error = await readOnce();
      if (closed.signal.aborted) return;
      if (isFinal(error)) return listener.setState("closed", error);
      listener.setState("waiting", error);
      await pause(retryDelay(failedAttempts), closed.signal);
      failedAttempts += 1;
    }
  }

  /** Connects once; resolves with the reason of the end. */
  async function readOnce(): Promise<Error> {
    const attempt = new AbortController();
    const abort = () => attempt.abort();
    closed.signal.addEventListener("abort", abort);
    let watchdog = setTimeout(abort, SILENCE_MS);
    try {
      const response = await fetch(address, {
        headers: {
          ...headers,
          Accept: "text/event-stream",
          ...(lastSeq === null ? {} : { "Last-Event-ID": String(lastSeq) }),
        },
        signal: attempt.signal,
      });
      if (!isEventStream(response)) {
        dataOfBody(await response.text(), response.status);
        throw new ConnectionError("BAD_ANSWER", "The response is not an event stream.");
      }
      const parser = createParser({
        // The type follows from the name only; the service's payloads are trusted.
        onEvent: ({ event, id, data }) => take({ event, seq: Number(id), payload: JSON.parse(data) } as ClientEvent),
      });
      const decoder = new TextDecoder();
      const reader = response.body.getReader();
      for (let piece = await reader.read(); !piece.done; piece = await reader.read()) {
        clearTimeout(watchdog);
        watchdog = setTimeout(abort, SILENCE_MS);
        parser.feed(decoder.decode(piece.value, { stream: true }));
      }
      return new ConnectionError("NO_ANSWER", "The event stream ended.");
    } catch (cause) {
      if (cause instanceof CommandError || cause instanceof ConnectionError) return cause;
      return new ConnectionError("NO_ANSWER", "The event stream was interrupted.", { cause });
    } finally {
      clearTimeout(watchdog);
      closed.signal.removeEventListener("abort", abort);
      abort();
    }
  }

  function take(event: ClientEvent): void {
    lastSeq = seqAfter(event, lastSeq);
    if (event.event === "hello") {
      failedAttempts = 0;
      listener.setState("open");
    }
    listener.deliver(event);
  }
}

function isEventStream(response: Response): response is Response & { body: ReadableStream<Uint8Array> } {
  const type = response.headers.get("Content-Type") ?? "";
  return response.ok && response.body !== null && type.startsWith("text/event-stream");
}

/** Waits; returns early if `signal` is aborted. */
function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      signal.removeEventListener("abort", end);
      resolve();
    };
    const timer = setTimeout(end, milliseconds);
    signal.addEventListener("abort", end);
  });
}
