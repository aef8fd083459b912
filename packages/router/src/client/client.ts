import type { CommandInput, CommandName, CommandOutput, DependingName } from "../registry.ts";
import type { ClientTransport } from "./client-transport.ts";
import { ConnectionError, closedError } from "./errors.ts";
import type { EventStream, EventsOptions } from "./event-listener.ts";
import { createHttpTransport, type HttpTransportOptions } from "./http.ts";
import type { WebSocketConstructor } from "./socket.ts";
import { createWebSocketClientTransport } from "./websocket.ts";

export interface ClientOptions {
  /** URL of the service, such as `http://127.0.0.1:52131`; may have a path. */
  url: string | URL;
  /** API token, required for clients on other machines. */
  token?: string | null;
  /**
   * `http` (default): one request per call and per event stream. `websocket`: one connection for everything, opened
   * with the first call or stream; calls wait while it reconnects.
   */
  transport?: "http" | "websocket";
  /** WebSocket class for environments without a global one, such as Node 20: that of the package `ws`. */
  WebSocket?: WebSocketConstructor;
  /** Default: the global `fetch`. */
  fetch?: typeof fetch;
  /** Default timeout of calls in milliseconds; 150,000 if absent, more than the service allows a command. */
  timeoutMs?: number;
}

export interface CallOptions {
  /** Cancels the call, which rejects with the signal's reason. The command may still complete. */
  signal?: AbortSignal;
  /** Timeout in milliseconds, including the wait for a connection. */
  timeoutMs?: number;
}

/** For payloads without fields: the type `{}` would accept anything. */
type Payload<Name extends CommandName> = keyof CommandInput<Name> extends never
  ? Record<string, never>
  : CommandInput<Name>;

/** `Sent` is the exact payload type, for results that depend on the payload. */
type CallArguments<Name extends CommandName, Sent> =
  Record<string, never> extends CommandInput<Name>
    ? [payload?: Payload<Name> | null, options?: CallOptions]
    : Name extends DependingName
      ? [payload: Sent & Record<Exclude<keyof Sent, FieldOf<CommandInput<Name>>>, never>, options?: CallOptions]
      : [payload: Payload<Name>, options?: CallOptions];

/** Commands whose data is a list. */
export type ListName = {
  [Name in CommandName]: CommandOutput<Name> extends readonly unknown[] ? Name : never;
}[CommandName];

type FieldOf<Payload> = Payload extends unknown ? keyof Payload : never;

/** Client of the service. */
export interface Client {
  /**
   * Runs a command and resolves with its data.
   *
   * Rejects with CommandError if the command fails, with ConnectionError if there is no response, and with the signal's
   * reason if it is aborted. A call is sent at most once: after a ConnectionError, the command may or may not have run.
   */
  call<Name extends CommandName, Sent extends CommandInput<Name> = CommandInput<Name>>(
    name: Name,
    ...args: CallArguments<Name, Sent>
  ): Promise<CommandOutput<Name, Sent>>;
  /**
   * Runs a command whose data is a list, and gives its items in groups as they come: a long list never has to be read at
   * once. Always one HTTP request. Rejects like `call`.
   */
  items<Name extends ListName>(
    name: Name,
    ...args: CallArguments<Name, CommandInput<Name>>
  ): AsyncIterable<CommandOutput<Name>>;
  /**
   * Opens a stream of push events. A broken connection is reopened with growing pauses of at most 30 seconds, and
   * missed events are replayed; a rejection, such as of a wrong token, ends the stream.
   *
   * @throws ConnectionError `CLOSED` after `close`.
   */
  events(options: EventsOptions): EventStream;
  /**
   * Acknowledges terminal output up to this number (`seq` of `terminal-output` or `attach_terminal`) as displayed.
   * After the first acknowledgement, the terminal pauses while too much output is unacknowledged, so acknowledge all of
   * it. Does nothing over HTTP.
   */
  acknowledge(id: string, seq: number): void;
  /** Closes all connections; pending calls reject. */
  close(): void;
}

const TIMEOUT_MS = 150_000;
/** Maximum delay of a timer. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/**
 * Creates a client of the service. It connects on first use.
 *
 * @throws TypeError if `url` is invalid, or if there is no WebSocket class for the transport `websocket`.
 */
export function createClient(options: ClientOptions): Client {
  const { timeoutMs: usualTimeoutMs = TIMEOUT_MS } = options;
  const http = () => createHttpTransport(httpOptions(options));
  const transport = createTransport(options, http);
  /** One per pending call: a single signal would collect as many listeners. */
  const running = new Set<AbortController>();
  let closed = false;

  return {
    async call(name, ...args) {
      const [payload, callOptions] = args;
      const { signal, end } = begin(callOptions);
      try {
        // The registry's types describe the service's responses; the service's own tests verify them.
        return (await transport.call(name, payload ?? {}, signal)) as CommandOutput<typeof name>;
      } finally {
        end();
      }
    },

    async *items(name, ...args) {
      const [payload, callOptions] = args;
      const { signal, end } = begin(callOptions);
      try {
        // As above.
        yield* http().items(name, payload ?? {}, signal) as AsyncGenerator<CommandOutput<typeof name>, void>;
      } finally {
        end();
      }
    },

    events(eventsOptions) {
      refuseIfClosed();
      return transport.events(eventsOptions);
    },

    acknowledge: (id, seq) => transport.acknowledge(id, seq),

    close() {
      closed = true;
      for (const limits of running) limits.abort(closedError());
      transport.close();
    },
  };

  /** @returns the signal that limits a call, and what has to be called at its end. */
  function begin({ signal, timeoutMs = usualTimeoutMs }: CallOptions = {}): { signal: AbortSignal; end(): void } {
    refuseIfClosed();
    signal?.throwIfAborted();
    const limits = new AbortController();
    const stopLimiting = limit(limits, timeoutMs, signal);
    running.add(limits);
    return {
      signal: limits.signal,
      end() {
        running.delete(limits);
        stopLimiting();
      },
    };
  }

  function refuseIfClosed(): void {
    if (closed) throw closedError();
  }
}

/** Aborts `limits` on timeout or when `signal` is aborted; returns a function that stops this. */
function limit(limits: AbortController, milliseconds: number, signal: AbortSignal | undefined): () => void {
  const timer = setTimeout(
    () => limits.abort(new ConnectionError("TIMED_OUT", `No response within ${milliseconds / 1000} s.`)),
    Math.min(milliseconds, MAX_TIMER_MS),
  );
  const onAbort = () => limits.abort(signal?.reason);
  signal?.addEventListener("abort", onAbort);
  return () => {
    clearTimeout(timer);
    signal?.removeEventListener("abort", onAbort);
  };
}

function httpOptions({ url, token = null, fetch = globalThis.fetch }: ClientOptions): HttpTransportOptions {
  return { base: baseOf(url), token, fetch };
}

function baseOf(url: string | URL): URL {
  const base = new URL(url);
  if (!base.pathname.endsWith("/")) base.pathname += "/";
  return base;
}

function createTransport(options: ClientOptions, http: () => ClientTransport): ClientTransport {
  const base = baseOf(options.url);
  if (options.transport !== "websocket") return http();
  const { WebSocket = (globalThis as { WebSocket?: WebSocketConstructor }).WebSocket } = options;
  if (WebSocket !== undefined) return createWebSocketClientTransport({ base, token: options.token ?? null, WebSocket });
  throw new TypeError('There is no WebSocket here: pass the class of the package "ws" as the option WebSocket.');
}
