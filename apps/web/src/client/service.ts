import {
  type Client,
  type ClientOptions,
  CommandError,
  type CommandInput,
  type CommandName,
  ConnectionError,
  createClient,
  type EventStream,
  type EventsOptions,
  type StreamState,
} from "@sm/router/client";
import type { TokenStore } from "./token.ts";

/** How the page stands with the service. */
export type Connection =
  | { readonly state: "connecting" }
  | { readonly state: "open"; readonly over: "websocket" | "http" }
  /** The connection broke, and another is tried after a pause. */
  | { readonly state: "waiting"; readonly error: Error }
  /** The service asks for a token, or for another one. */
  | { readonly state: "unauthorized"; readonly error: Error }
  /** It will not get better by itself. */
  | { readonly state: "refused"; readonly error: Error };

/** The service, as the page talks to it: one connection for everything. */
export interface Service {
  /** Runs a command, see `Client.call`. */
  readonly call: Client["call"];
  /** Runs a command whose data is a long list, see `Client.items`. */
  readonly items: Client["items"];
  /**
   * Follows push events across reconnections, see `Client.events`. After events that cannot be replayed it emits
   * `events-lost`: state derived from events must be reloaded.
   */
  events(options: EventsOptions): EventStream;
  /** Tells how much output of a terminal is shown, see `Client.acknowledge`. */
  readonly acknowledge: Client["acknowledge"];
  /**
   * Sends a command as the page goes, whose answer nobody gets. Of all that is sent then a browser takes 64 KiB
   * together.
   */
  farewell<Name extends CommandName>(name: Name, payload: CommandInput<Name>): void;
  connection(): Connection;
  onConnection(listener: () => void): () => void;
  /** The token in use, for requests outside of the client. */
  token(): string | null;
  /** Reconnects with this token. */
  signIn(token: string, options: { remember: boolean }): void;
  /** Forgets the token in use. The connection stays until the page goes. */
  forgetToken(): void;
  close(): void;
}

export interface ServiceOptions {
  url: string;
  tokens: TokenStore;
  /** `createClient` if absent. */
  connect?: (options: ClientOptions) => Client;
}

const PROBE_MS = 5_000;

interface Follower {
  options: EventsOptions;
  stream: EventStream | null;
  /** What it had before is of a connection that cannot be gone on with. */
  hasLost: boolean;
}

/**
 * Connects over WebSocket, and over HTTP where that gets through and WebSockets do not, as behind some proxies.
 */
export function createService({ url, tokens, connect = createClient }: ServiceOptions): Service {
  const listeners = new Set<() => void>();
  const followers = new Set<Follower>();
  let over: "websocket" | "http" = "websocket";
  let connection: Connection = { state: "connecting" };
  /** Whether this client has ever had a connection: one that has needs no other way. */
  let hasConnected = false;
  let probing = false;
  let closed = false;
  let client = makeClient();
  let watch = watchConnection();

  const call: Client["call"] = async (name, ...args) => {
    for (;;) {
      const asked = client;
      // Nothing is sent before there is a connection, so that a call can be made again elsewhere.
      const isUnsent = () => asked !== client && !sentBy.has(asked);
      try {
        return await asked.call(name, ...args);
      } catch (error) {
        if (error instanceof ConnectionError && error.code === "CLOSED" && isUnsent()) continue;
        if (asked === client) noteRefusal(error);
        throw error;
      }
    }
  };

  return {
    call,

    async *items(name, ...args) {
      // A request of its own would not wait for the connection, as calls do.
      await call("ping");
      yield* client.items(name, ...args);
    },

    events(options) {
      const follower: Follower = { options, stream: null, hasLost: false };
      followers.add(follower);
      follow(follower);
      return {
        close() {
          followers.delete(follower);
          follower.stream?.close();
        },
      };
    },

    acknowledge: (...args) => client.acknowledge(...args),

    farewell(name, payload) {
      const fetchAtLast: typeof fetch = (input, init) => fetch(input, { ...init, keepalive: true });
      const last = connect({ url, token: tokens.get(), transport: "http", fetch: fetchAtLast });
      const send = last.call as (name: CommandName, payload: unknown) => Promise<unknown>;
      send(name, payload).catch(() => undefined);
    },

    connection: () => connection,
    onConnection(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },

    token: () => tokens.get(),
    signIn(token, options) {
      tokens.set(token, options);
      over = "websocket";
      reconnect();
    },
    forgetToken: tokens.forget,

    close() {
      closed = true;
      client.close();
    },
  };

  function makeClient(): Client {
    return connect({ url, token: tokens.get(), transport: over });
  }

  function watchConnection(): EventStream {
    const watched = client;
    // The default topics stay subscribed: unsubscribing and returning would lose events.
    return watched.events({
      onEvent() {},
      onState: (state, error) => {
        if (watched === client) takeState(state, error);
      },
    });
  }

  function takeState(state: StreamState, error: Error | null): void {
    if (closed) return;
    if (state === "open") {
      hasConnected = true;
      sentBy.add(client);
      setConnection({ state: "open", over });
    } else if (state === "connecting") {
      // Reconnecting is not told as long as the pauses are short: what is waiting stays so.
      if (connection.state !== "waiting") setConnection({ state: "connecting" });
    } else if (error !== null) {
      if (state === "waiting") setConnection({ state: "waiting", error });
      else if (!noteRefusal(error)) setConnection({ state: "refused", error });
      if (state === "waiting" && !hasConnected) void probeHttp();
    }
  }

  function noteRefusal(error: unknown): boolean {
    if (!(error instanceof CommandError) || error.code !== "UNAUTHORIZED") return false;
    setConnection({ state: "unauthorized", error });
    return true;
  }

  /** Goes on over HTTP if the service answers there. */
  async function probeHttp(): Promise<void> {
    if (over === "http" || probing) return;
    probing = true;
    const blocked = client;
    const probe = connect({ url, token: tokens.get(), transport: "http" });
    const answers = await probe.call("ping", null, { timeoutMs: PROBE_MS }).then(
      () => true,
      (error: unknown) => error instanceof CommandError,
    );
    probe.close();
    probing = false;
    if (!answers || closed || blocked !== client || hasConnected) return;
    over = "http";
    reconnect();
  }

  function reconnect(): void {
    const former = client;
    hasConnected = false;
    client = makeClient();
    watch.close();
    former.close();
    setConnection({ state: "connecting" });
    watch = watchConnection();
    for (const follower of followers) {
      follower.hasLost = true;
      follow(follower);
    }
  }

  function follow(follower: Follower): void {
    const followed = client;
    const { options } = follower;
    follower.stream = followed.events({
      ...options,
      onEvent(event) {
        options.onEvent(event);
        if (event.event !== "hello" || !follower.hasLost) return;
        follower.hasLost = false;
        options.onEvent({ event: "events-lost", seq: event.seq, payload: {} });
      },
      onState(state, error) {
        // Ignore the close of a replaced connection.
        if (followed === client || state !== "closed") options.onState?.(state, error);
      },
    });
  }

  function setConnection(next: Connection): void {
    if (connection.state === next.state && connection.state === "connecting") return;
    connection = next;
    for (const listener of [...listeners]) listener();
  }
}

/** Clients that have had a connection: their calls may have run. */
const sentBy = new WeakSet<Client>();
