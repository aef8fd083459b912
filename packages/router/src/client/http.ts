import type { ClientTransport } from "./client-transport.ts";
import { ConnectionError } from "./errors.ts";
import type { EventStream } from "./event-listener.ts";
import { followHttpEvents } from "./event-source.ts";
import { dataOfBody } from "./response-data.ts";

export interface HttpTransportOptions {
  /** Ends with a slash. */
  base: URL;
  token: string | null;
  fetch: typeof fetch;
}

/** Sends commands as `POST /api` and reads events from `GET /api/events`. */
export function createHttpTransport({ base, token, fetch }: HttpTransportOptions): ClientTransport {
  const authorization: Record<string, string> = token === null ? {} : { Authorization: `Bearer ${token}` };
  const streams = new Set<EventStream>();

  return {
    async call(command, payload, signal) {
      const request = {
        method: "POST",
        headers: { "Content-Type": "application/json", ...authorization },
        body: JSON.stringify({ command, payload }),
        signal,
      };
      const { body, status } = await send(new URL("api", base), request).catch((cause: unknown) => {
        signal.throwIfAborted();
        throw new ConnectionError("NO_ANSWER", `${base.origin} does not respond.`, { cause });
      });
      return dataOfBody(body, status);
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

  async function send(url: URL, request: RequestInit): Promise<{ body: string; status: number }> {
    const response = await fetch(url, request);
    return { body: await response.text(), status: response.status };
  }
}
