import type { CommandInput, CommandName, CommandOutput, DependingName } from "../registry.ts";
import { ConnectionError, closedError } from "./errors.ts";
import type { EventStream, EventsOptions } from "./events.ts";
import { createHttpTransport } from "./http.ts";
import type { WebSocketConstructor } from "./socket.ts";
import type { ClientTransport } from "./transport.ts";
import { createWebSocketTransport } from "./websocket.ts";

export interface ClientOptions {
  /** Where the service is, such as `http://127.0.0.1:52131`; it may have a path. */
  url: string | URL;
  /** An API token, which clients on other machines need. */
  token?: string | null;
  /**
   * `http` (if absent): a request for each call, and one for each stream of events. `websocket`: one connection for
   * everything, opened with the first call or stream; while there is none, calls wait for the next one.
   */
  transport?: "http" | "websocket";
  /** The class to open connections with where there is no global one, as in Node 20: that of the package `ws`. */
  WebSocket?: WebSocketConstructor;
  /** The global one if absent. */
  fetch?: typeof fetch;
  /** Milliseconds for a call that names no other time; 150,000 if absent, more than the service gives a command. */
  timeoutMs?: number;
}

export interface CallOptions {
  /** Gives the call up; it rejects with the signal's reason. The command may run to its end. */
  signal?: AbortSignal;
  /** Milliseconds until the call is given up, including the wait for a connection. */
  timeoutMs?: number;
}

/** A payload without fields takes none: `{}` as a type would take anything. */
type Payload<Name extends CommandName> = keyof CommandInput<Name> extends never
  ? Record<string, never>
  : CommandInput<Name>;

/** `Sent` is the type of the very payload, where the result depends on it. */
type CallArguments<Name extends CommandName, Sent> =
  Record<string, never> extends CommandInput<Name>
    ? [payload?: Payload<Name> | null, options?: CallOptions]
    : Name extends DependingName
      ? [payload: Sent & Record<Exclude<keyof Sent, FieldOf<CommandInput<Name>>>, never>, options?: CallOptions]
      : [payload: Payload<Name>, options?: CallOptions];

type FieldOf<Payload> = Payload extends unknown ? keyof Payload : never;

/** The service, as a program talks to it. */
export interface Client {
  /**
   * Runs a command and resolves with its data.
   *
   * Rejects with CommandError if the command fails, with ConnectionError if there is no answer, and with the signal's
   * reason if it is aborted. A call is sent once at most: after a ConnectionError it may have run or not.
   */
  call<Name extends CommandName, Sent extends CommandInput<Name> = CommandInput<Name>>(
    name: Name,
    ...args: CallArguments<Name, Sent>
  ): Promise<CommandOutput<Name, Sent>>;
  /**
   * Opens a stream of push events. When the connection breaks it connects again, with growing pauses of 30 seconds at
   * most, and what was missed is replayed; a refusal, such as of a wrong token, ends it.
   *
   * @throws ConnectionError `CLOSED` after `close`.
   */
  events(options: EventsOptions): EventStream;
  /**
   * Says that output of a terminal up to this number (`seq` of `terminal-output` or `attach_terminal`) is shown. From
   * the first time on, the terminal waits for what is not shown yet, instead of filling the buffers on the way here;
   * so say it for every output. Over HTTP it does nothing.
   */
  acknowledge(id: string, seq: number): void;
  /** Ends everything; running calls reject. */
  close(): void;
}

const TIMEOUT_MS = 150_000;
/** Timers take no more. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/**
 * Makes a client of the service. It connects when it is first used.
 *
 * @throws TypeError if `url` is no URL, or if there is no WebSocket class for the transport `websocket`.
 */
export function createClient(options: ClientOptions): Client {
  const { timeoutMs: usualTimeoutMs = TIMEOUT_MS } = options;
  const transport = createTransport(options);
  /** One for each running call: a single signal for all of them would have as many listeners. */
  const running = new Set<AbortController>();
  let closed = false;

  return {
    async call(name, ...args) {
      const [payload, { signal, timeoutMs = usualTimeoutMs } = {}] = args;
      refuseIfClosed();
      signal?.throwIfAborted();
      const limits = new AbortController();
      const stopLimiting = limit(limits, timeoutMs, signal);
      running.add(limits);
      try {
        // The registry's types are what the service answers; the service's own tests hold it to them.
        return (await transport.call(name, payload ?? {}, limits.signal)) as CommandOutput<typeof name>;
      } finally {
        running.delete(limits);
        stopLimiting();
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

  function refuseIfClosed(): void {
    if (closed) throw closedError();
  }
}

/** Aborts `limits` when the time is over or `signal` is aborted; returns a function that stops that. */
function limit(limits: AbortController, milliseconds: number, signal: AbortSignal | undefined): () => void {
  const timer = setTimeout(
    () => limits.abort(new ConnectionError("TIMED_OUT", `There was no answer within ${milliseconds / 1000} s.`)),
    Math.min(milliseconds, LONGEST_TIMER_MS),
  );
  const onAbort = () => limits.abort(signal?.reason);
  signal?.addEventListener("abort", onAbort);
  return () => {
    clearTimeout(timer);
    signal?.removeEventListener("abort", onAbort);
  };
}

function createTransport(options: ClientOptions): ClientTransport {
  const base = new URL(options.url);
  if (!base.pathname.endsWith("/")) base.pathname += "/";
  const token = options.token ?? null;
  if (options.transport !== "websocket") {
    return createHttpTransport({ base, token, fetch: options.fetch ?? globalThis.fetch });
  }
  const { WebSocket = (globalThis as { WebSocket?: WebSocketConstructor }).WebSocket } = options;
  if (WebSocket !== undefined) return createWebSocketTransport({ base, token, WebSocket });
  throw new TypeError('There is no WebSocket here: pass the class of the package "ws" as the option WebSocket.');
}
