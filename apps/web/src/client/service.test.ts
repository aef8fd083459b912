import {
  type Client,
  type ClientOptions,
  CommandError,
  ConnectionError,
  type EventsOptions,
  type StreamState,
} from "@sm/router/client";
import { describe, expect, it } from "vitest";
import { createService } from "./service.ts";
import type { TokenStore } from "./token.ts";

const NO_ANSWER = new ConnectionError("NO_ANSWER", "Nobody is there.");
const UNAUTHORIZED = new CommandError("UNAUTHORIZED", "Send a token.");

interface FakeClient {
  transport: string;
  token: string | null;
  called: string[];
  closed: boolean;
  /** Tells all streams. */
  state(state: StreamState, error?: Error): void;
  hello(): void;
}

/** A service among clients that do what the test says. */
function setUp(answer: (client: FakeClient, name: string) => Promise<unknown>) {
  const clients: FakeClient[] = [];
  const connect = ({ transport = "http", token = null }: ClientOptions): Client => {
    const streams = new Set<EventsOptions>();
    const calls = new Set<(error: Error) => void>();
    const client: FakeClient = {
      transport,
      token,
      called: [],
      closed: false,
      state(state, error) {
        for (const { onState } of streams) onState?.(state, error ?? null);
      },
      hello() {
        const payload = { api_version: 1, server_version: "1.2.3", kind: "home", seq: 7 } as const;
        for (const { onEvent } of streams) onEvent({ event: "hello", seq: 7, payload });
      },
    };
    clients.push(client);
    const call = (name: string) => {
      client.called.push(name);
      return new Promise((resolve, reject) => {
        calls.add(reject);
        answer(client, name).then(resolve, reject);
      });
    };
    return {
      call: call as Client["call"],
      items: async function* (name: string) {
        yield await call(name);
      } as Client["items"],
      events(options) {
        streams.add(options);
        return { close: () => streams.delete(options) };
      },
      acknowledge() {},
      close() {
        client.closed = true;
        for (const reject of calls) reject(new ConnectionError("CLOSED", "Closed."));
      },
    };
  };
  const tokens: TokenStore & { remembered: boolean | null } = {
    remembered: null,
    get: () => token,
    set(next, { remember }) {
      token = next;
      tokens.remembered = remember;
    },
    forget() {
      token = null;
    },
  };
  let token: string | null = null;
  const service = createService({ url: "http://127.0.0.1:1", tokens, connect });
  const of = (index: number) => {
    const client = clients[index];
    if (client === undefined) throw new Error(`There is no client ${index}.`);
    return client;
  };
  return { service, clients, of, tokens };
}

const never = () => new Promise<never>(() => {});
const settled = () => new Promise((resolve) => setImmediate(resolve));

describe("the connection", () => {
  it("is a WebSocket, and its breaks are told until it is back", () => {
    const { service, of } = setUp(never);
    const told: string[] = [];
    service.onConnection(() => told.push(service.connection().state));
    of(0).state("connecting");
    of(0).state("open");
    of(0).state("waiting", NO_ANSWER);
    of(0).state("connecting");
    of(0).state("waiting", NO_ANSWER);
    of(0).state("open");
    expect(told).toEqual(["open", "waiting", "waiting", "open"]);
    expect(service.connection()).toEqual({ state: "open", over: "websocket" });
  });

  it("goes over HTTP where that alone gets through, with the calls that waited", async () => {
    const { service, clients, of } = setUp(async ({ transport }, name) => (transport === "http" ? name : never()));
    const answer = service.call("list_tags");
    of(0).state("waiting", NO_ANSWER);
    await settled();
    expect(clients.map(({ transport, called }) => [transport, called])).toEqual([
      ["websocket", ["list_tags"]],
      ["http", ["ping"]],
      ["http", ["list_tags"]],
    ]);
    expect(await answer).toBe("list_tags");
    of(2).state("open");
    expect(service.connection()).toEqual({ state: "open", over: "http" });
  });

  it("waits where nothing answers, and where there has been a WebSocket before", async () => {
    const { service, clients, of } = setUp(() => Promise.reject(NO_ANSWER));
    of(0).state("waiting", NO_ANSWER);
    await settled();
    expect(clients.map(({ transport }) => transport)).toEqual(["websocket", "http"]);
    of(0).state("open");
    of(0).state("waiting", NO_ANSWER);
    await settled();
    expect(clients).toHaveLength(2);
    expect(service.connection().state).toBe("waiting");
  });

  it("is refused for good by what is no question of a token", () => {
    const { service, of } = setUp(never);
    of(0).state("closed", new CommandError("FORBIDDEN", "Add the host to allowed_hosts."));
    expect(service.connection()).toMatchObject({ state: "refused", error: { code: "FORBIDDEN" } });
  });
});

describe("a token", () => {
  it.each([
    ["a call", (client: FakeClient) => void client],
    ["the connection", (client: FakeClient) => client.state("closed", UNAUTHORIZED)],
  ])("is asked for by %s, and connects anew", async (_who, refuse) => {
    const { service, of, tokens } = setUp(async ({ token }) => {
      if (token === null) throw UNAUTHORIZED;
      return "done";
    });
    refuse(of(0));
    await expect(service.call("list_tags")).rejects.toBe(UNAUTHORIZED);
    expect(service.connection().state).toBe("unauthorized");
    service.signIn("sm_right", { remember: true });
    expect([of(0).closed, of(1).token, tokens.remembered]).toEqual([true, "sm_right", true]);
    of(1).state("open");
    expect(service.connection().state).toBe("open");
    expect(await service.call("list_tags")).toBe("done");
  });
});

describe("events", () => {
  it("go on over another connection, and say that some are lost", () => {
    const { service, of } = setUp(never);
    const events: string[] = [];
    const states: string[] = [];
    const stream = service.events({
      onEvent: ({ event }) => events.push(event),
      onState: (state) => states.push(state),
    });
    of(0).state("open");
    of(0).hello();
    service.signIn("sm_right", { remember: false });
    of(1).state("open");
    of(1).hello();
    of(1).hello();
    stream.close();
    of(1).hello();
    expect(events).toEqual(["hello", "hello", "events-lost", "hello"]);
    expect(states).toEqual(["open", "open"]);
  });
});

it("a call that may have run is never made again", async () => {
  const { service, of } = setUp(never);
  of(0).state("open");
  const call = service.call("list_tags");
  service.signIn("sm_right", { remember: false });
  await expect(call).rejects.toMatchObject({ code: "CLOSED" });
  expect(of(1).called).toEqual([]);
});
