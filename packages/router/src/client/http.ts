import type { ClientTransport } from "./client-transport.ts";
import { CommandError, ConnectionError } from "./errors.ts";
import type { EventStream } from "./event-listener.ts";
import { followHttpEvents } from "./event-source.ts";
import { dataOfBody } from "./response-data.ts";
import { itemsOf } from "./response-items.ts";

export interface HttpTransportOptions {
  /** Ends with a slash. */
  base: URL;
  token: string | null;
  fetch: typeof fetch;
}

export interface HttpTransport extends ClientTransport {
  /** The items of a response whose data is a list, in groups as they come. Rejects like `call`. */
  items(command: string, payload: unknown, signal: AbortSignal): AsyncGenerator<unknown[], void>;
}

/** Sends commands as `POST /api` and reads events from `GET /api/events`. */
export function createHttpTransport({ base, token, fetch }: HttpTransportOptions): HttpTransport {
  const authorization: Record<string, string> = token === null ? {} : { Authorization: `Bearer ${token}` };
  const streams = new Set<EventStream>();

  return {
    async call(command, payload, signal) {
      const response = await send(command, payload, signal);
      return dataOfBody(await response.text().catch(noAnswer(signal)), response.status);
    },

    async *items(command, payload, signal) {
      const { body, status } = await send(command, payload, signal);
      const items = itemsOf(body ?? new ReadableStream(), status);
      for (;;) {
        const next = await items.next().catch((error: unknown) => {
          if (error instanceof CommandError || error instanceof ConnectionError) throw error;
          return noAnswer(signal)(error);
        });
        if (next.done) return;
        yield next.value;
      }
    },

    events(options) {
      const stream = followHttpEvents(options, { url: new URL("api/events", base), headers: authorization, fetch });
      streams.add(stream);
      return {
        close() {
          streams.delete(stream);
          stream.close();
        },
      };
    },

    // Only connections shared by requests and events support this.
    acknowledge() {},

    close() {
      for (const stream of streams) stream.close();
      streams.clear();
    },
  };

  function send(command: string, payload: unknown, signal: AbortSignal): Promise<Response> {
    const headers = { "Content-Type": "application/json", ...authorization };
    const body = JSON.stringify({ command, payload });
    return fetch(new URL("api", base), { method: "POST", headers, body, signal }).catch(noAnswer(signal));
  }

  /** What a request rejects with that has no answer, or only the beginning of one. */
  function noAnswer(signal: AbortSignal): (cause: unknown) => never {
    return (cause) => {
      signal.throwIfAborted();
      throw new ConnectionError("NO_ANSWER", `${base.origin} does not respond.`, { cause });
    };
  }
}
