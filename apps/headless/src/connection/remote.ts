import {
  type Client,
  CommandError,
  type CommandName,
  ConnectionError,
  createClient,
  type EventStream,
  type EventsOptions,
} from "@sm/router/client";
import type { Connection, Download } from "./connection.ts";
import { type QuickResponse, quickFetch } from "./quick-fetch.ts";

const DAY_MS = 86_400_000;
/** Commands without a time limit. */
const UNLIMITED: ReadonlySet<string> = new Set<CommandName>(["verify_vault"]);

/** Connects to a server over HTTP. */
export function openRemote(url: string, token: string | null): Connection {
  // For commands, the HTTP transport uses only this subset of `fetch`; for events it does not.
  const client = createClient({ url, token, fetch: quickFetch as unknown as typeof fetch });
  const listeners: Client[] = [];
  function events(options: EventsOptions): EventStream {
    const listener = createClient({ url, token });
    listeners.push(listener);
    return listener.events(options);
  }
  return {
    // The server rejects unknown names.
    send: (command, payload) =>
      client.call(command as CommandName, payload as never, UNLIMITED.has(command) ? { timeoutMs: DAY_MS } : {}),
    download: (query) => download(url, token, query),
    events,
    followVerification(onProgress) {
      events({
        topics: ["index"],
        onEvent({ event, payload }) {
          if (event === "vault-verification") onProgress(payload.checked, payload.total);
        },
      });
    },
    copyVault: () => Promise.reject(new Error("A server does not copy its vault.")),
    async close() {
      for (const one of [client, ...listeners]) one.close();
    },
  };
}

async function download(url: string, token: string | null, query: URLSearchParams): Promise<Download> {
  const address = new URL(`${url.replace(/\/$/, "")}/api/export?${query}`);
  const headers: Record<string, string> = token === null ? {} : { Authorization: `Bearer ${token}` };
  const response = await quickFetch(address, { headers }).catch((cause: unknown) => {
    throw new ConnectionError("NO_ANSWER", `${address.origin} does not respond.`, { cause });
  });
  if (response.ok) return { fileName: fileNameOf(response), chunks: whole(response.body) };
  throw await errorOf(response);
}

/** Fails for a truncated download, which must not pass as a complete export. */
async function* whole(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, void> {
  try {
    yield* body;
  } catch (cause) {
    throw new ConnectionError("CLOSED", "The server ended the export early; its log may show the cause.", { cause });
  }
}

/** As encoded by the service (RFC 5987). */
function fileNameOf({ headers }: QuickResponse): string {
  const [, encoded] = /filename\*=UTF-8''([^;]*)/.exec(headers["content-disposition"] ?? "") ?? [];
  try {
    return decodeURIComponent(encoded ?? "");
  } catch {
    return "";
  }
}

async function errorOf(response: QuickResponse): Promise<Error> {
  const { status } = response;
  try {
    const { error } = JSON.parse(await response.text()) as { error: CommandError };
    return new CommandError(error.code, error.message, error.details);
  } catch {
    return new ConnectionError("BAD_ANSWER", `HTTP ${status} from a server that is not Session Manager.`);
  }
}
