import { describe, expect, it, vi } from "vitest";
import { WebSocket } from "ws";
import { type ClientOptions, createClient } from "./client.ts";
import type { ClientEvent, StreamState } from "./event-listener.ts";
import {
  done,
  FIRST_SEQ,
  HELLO,
  PATIENT,
  type ServiceOptions,
  startService,
  type TestService,
} from "./service.fixture.ts";

async function start(options: ServiceOptions = {}) {
  const service = await startService(options);
  const connect = (more: Partial<ClientOptions> = {}) =>
    createClient({ url: service.url, transport: "websocket", WebSocket, ...more });
  return Object.assign(service, { connect });
}

/** Follows events, and waits for them. */
function follow(client: ReturnType<typeof createClient>, topics?: string[]) {
  const events: ClientEvent[] = [];
  const states: [StreamState, unknown][] = [];
  const stream = client.events({
    ...(topics === undefined ? {} : { topics }),
    onEvent: (event) => events.push(event),
    onState: (state, error) => states.push([state, error]),
  });
  return {
    events,
    close: () => stream.close(),
    states: () => states.map(([state]) => state),
    lastError: () => states.at(-1)?.[1],
    sees: (name: string, seq: number) =>
      vi.waitFor(() => expect(events.map((event) => [event.event, event.seq])).toContainEqual([name, seq]), PATIENT),
    reaches: (state: StreamState) => vi.waitFor(() => expect(states.at(-1)?.[0]).toBe(state), PATIENT),
  };
}

const sent = (service: TestService) => service.requests.map(({ command, payload }) => [command, payload]);

describe("calls over WebSocket", () => {
  it("share one connection and find their answers by id", async () => {
    await using service = await start({
      answer: ({ command, payload }) => ({ success: true, data: { command, payload }, error: null }),
    });
    const client = service.connect();
    const answers = await Promise.all([
      client.call("read_session_tree", { path: "/a" }),
      client.call("ping"),
      client.call("list_sessions", null),
    ]);
    expect(answers).toEqual([
      { command: "read_session_tree", payload: { path: "/a" } },
      { command: "ping", payload: {} },
      { command: "list_sessions", payload: {} },
    ]);
    expect(service.upgrades).toEqual(["/ws"]);
    client.close();
  });

  it("may be answered in any order", async () => {
    const held: (() => void)[] = [];
    await using service = await start({
      answer(request, socket) {
        if (request.command === "unsubscribe") return done;
        held.push(() =>
          socket.send(JSON.stringify({ id: request.id, success: true, data: request.command, error: null })),
        );
        if (held.length === 2) for (const answer of held.reverse()) answer();
        return null;
      },
    });
    const client = service.connect();
    expect(await Promise.all([client.call("scan_sessions"), client.call("ping")])).toEqual(["scan_sessions", "ping"]);
    client.close();
  });

  it("wait here while as many are running as leave room on the connection", async () => {
    const held: (() => void)[] = [];
    await using service = await start({
      answer({ id, command }, socket) {
        if (command === "unsubscribe") return done;
        held.push(() => socket.send(JSON.stringify({ id, ...done })));
        return null;
      },
    });
    const client = service.connect();
    const calls = Array.from({ length: 200 }, () => client.call("ping"));
    await vi.waitFor(() => expect(held.length).toBeGreaterThanOrEqual(127), PATIENT);
    held.shift()?.();
    await Promise.race(calls);
    const most = held.length;
    expect(most).toBeLessThanOrEqual(128);
    const all = Promise.all(calls);
    const answering = setInterval(() => held.shift()?.());
    expect(await all).toHaveLength(200);
    clearInterval(answering);
    client.close();
  });

  it("reject with what the service says", async () => {
    const error = {
      code: "INVALID_PAYLOAD" as const,
      message: "No.",
      details: [{ path: "query", message: "Required." }],
    };
    await using service = await start({ answer: () => ({ success: false, data: null, error }) });
    const client = service.connect();
    await expect(client.call("search", { query: "" })).rejects.toMatchObject({ name: "CommandError", ...error });
    client.close();
  });

  it("are given up after their time, and when their signal says so", async () => {
    await using service = await start({ answer: () => null });
    const client = service.connect();
    await expect(client.call("ping", {}, { timeoutMs: 20 })).rejects.toMatchObject({
      name: "ConnectionError",
      code: "TIMED_OUT",
    });
    const controller = new AbortController();
    const call = client.call("ping", {}, { signal: controller.signal });
    controller.abort(new Error("enough"));
    await expect(call).rejects.toThrow("enough");
    await expect(client.call("ping", {}, { signal: controller.signal })).rejects.toThrow("enough");
    client.close();
  });

  it("reject when the connection breaks, and are not sent again", async () => {
    await using service = await start({
      answer: ({ command }, socket) => {
        if (command !== "scan_sessions") return done;
        socket.terminate();
        return null;
      },
    });
    const client = service.connect();
    await expect(client.call("scan_sessions")).rejects.toMatchObject({ name: "ConnectionError", code: "NO_ANSWER" });
    await expect(client.call("ping")).resolves.toBe("done");
    expect(sent(service).filter(([command]) => command === "scan_sessions")).toHaveLength(1);
    expect(service.upgrades).toHaveLength(2);
    client.close();
  });

  it("tell which request was too large", async () => {
    await using service = await start({
      answer: ({ command }) => (command === "unsubscribe" ? done : null),
      messageBytes: 1_000,
    });
    const client = service.connect();
    const small = client.call("ping");
    // More characters, but fewer bytes, than the one that is too large.
    const long = client.call("read_session_tree", { path: "/".repeat(600) });
    const large = client.call("rename_session", { path: "/a", name: "語".repeat(400) });
    await expect(large).rejects.toMatchObject({ name: "CommandError", code: "PAYLOAD_TOO_LARGE" });
    await expect(small).rejects.toMatchObject({ name: "ConnectionError", code: "NO_ANSWER" });
    await expect(long).rejects.toMatchObject({ code: "NO_ANSWER" });
    client.close();
  });

  it("reject when the client is closed", async () => {
    await using service = await start({ answer: () => null });
    const client = service.connect();
    const call = client.call("ping");
    await vi.waitFor(() => expect(sent(service)).toContainEqual(["ping", {}]), PATIENT);
    client.close();
    await expect(call).rejects.toMatchObject({ name: "ConnectionError", code: "CLOSED" });
    await expect(client.call("ping")).rejects.toMatchObject({ code: "CLOSED" });
    expect(() => client.events({ onEvent() {} })).toThrow("closed");
  });
});

describe("the token", () => {
  it("is the first message, and not part of the URL", async () => {
    await using service = await start({ token: "sm_right" });
    const client = service.connect({ token: "sm_right" });
    await expect(client.call("ping")).resolves.toBe("done");
    expect(sent(service)[0]).toEqual(["auth", { token: "sm_right" }]);
    expect(service.upgrades).toEqual(["/ws"]);
    client.close();
  });

  it("ends everything when it is wrong", async () => {
    await using service = await start({ token: "sm_right" });
    const client = service.connect({ token: "sm_wrong" });
    const stream = follow(client);
    await expect(client.call("ping")).rejects.toMatchObject({ name: "CommandError", code: "UNAUTHORIZED" });
    await stream.reaches("closed");
    expect(stream.lastError()).toMatchObject({ code: "UNAUTHORIZED" });
    await expect(client.call("ping")).rejects.toMatchObject({ name: "CommandError", code: "UNAUTHORIZED" });
    const late = follow(client);
    await late.reaches("closed");
    expect(service.upgrades).toHaveLength(1);
  });

  it("ends everything when it is revoked, and what runs has no answer", async () => {
    await using service = await start({
      answer(_request, socket) {
        socket.close(4401, "The token was revoked.");
        return null;
      },
    });
    const client = service.connect();
    const stream = follow(client);
    await expect(client.call("ping")).rejects.toMatchObject({ code: "NO_ANSWER", message: "The token was revoked." });
    await stream.reaches("closed");
    await expect(client.call("ping")).rejects.toMatchObject({ code: "UNAUTHORIZED" });
    expect(service.upgrades).toHaveLength(1);
  });
});

describe("events over WebSocket", () => {
  const payload = { version_id: "1" };

  it("come in order, hello first", async () => {
    await using service = await start();
    const client = service.connect();
    const stream = follow(client);
    await stream.reaches("open");
    service.push("config-changed", 101, payload);
    service.push("events-lost", 102, {});
    await stream.sees("events-lost", 102);
    expect(stream.events).toEqual([
      { event: "hello", seq: FIRST_SEQ, payload: { ...HELLO, seq: FIRST_SEQ } },
      { event: "config-changed", seq: 101, payload },
      { event: "events-lost", seq: 102, payload: {} },
    ]);
    expect(stream.states()).toEqual(["connecting", "open"]);
    client.close();
    expect(stream.states()).toEqual(["connecting", "open", "closed"]);
    expect(stream.lastError()).toBeNull();
  });

  it("go on after a break with what follows the last one", async () => {
    await using service = await start();
    const client = service.connect();
    const stream = follow(client);
    await stream.reaches("open");
    service.push("config-changed", 107, payload);
    await stream.sees("config-changed", 107);
    service.drop();
    service.push("config-changed", 110, payload);
    await stream.sees("hello", 110);
    expect(service.upgrades[1]).toBe("/ws?after_seq=107");
    expect(stream.states()).toEqual(["connecting", "open", "waiting", "connecting", "open"]);
    // This hello counts events that are still to be replayed: a break before they are must not skip them.
    service.drop();
    await vi.waitFor(() => expect(service.upgrades).toHaveLength(3), PATIENT);
    expect(service.upgrades[2]).toBe("/ws?after_seq=107");
    client.close();
  });

  it("go to each stream by its topics, and the service is asked for no others", async () => {
    await using service = await start();
    const client = service.connect();
    const config = follow(client, ["config"]);
    await config.reaches("open");
    const others = follow(client, ["sessions", "live:1"]);
    await others.reaches("open");
    await vi.waitFor(() => expect(service.requests).toHaveLength(2), PATIENT);
    service.push("config-changed", 101, payload);
    service.push("session-changed", 102, { changed_paths: [], removed_paths: [] });
    await others.sees("session-changed", 102);
    expect(config.events.map(({ event }) => event)).toEqual(["hello", "config-changed"]);
    expect(others.events.map(({ event }) => event)).toEqual(["hello", "session-changed"]);
    config.close();
    await vi.waitFor(() => expect(service.requests).toHaveLength(3), PATIENT);
    expect(sent(service)).toEqual([
      ["unsubscribe", { topics: ["sessions", "index", "live"] }],
      ["subscribe", { topics: ["sessions", "live:1"] }],
      ["unsubscribe", { topics: ["config"] }],
    ]);
    service.drop();
    await vi.waitFor(() => expect(service.requests).toHaveLength(5), PATIENT);
    expect(sent(service).slice(3)).toEqual([
      ["subscribe", { topics: ["live:1"] }],
      ["unsubscribe", { topics: ["index", "config", "live"] }],
    ]);
    client.close();
  });

  it("begin with one hello, also for a stream that a callback opens", async () => {
    await using service = await start();
    const client = service.connect();
    const inner: ClientEvent[] = [];
    const outer = client.events({
      onEvent() {
        outer.close();
        client.events({ onEvent: (event) => inner.push(event) });
      },
    });
    await vi.waitFor(() => expect(inner).toHaveLength(1), PATIENT);
    service.push("config-changed", 101, payload);
    await vi.waitFor(() => expect(inner.map(({ event }) => event)).toEqual(["hello", "config-changed"]), PATIENT);
    client.close();
  });

  it("end where the service refuses the topic", async () => {
    const error = { code: "INVALID_PAYLOAD" as const, message: "There is no such topic.", details: null };
    await using service = await start({
      answer: ({ command }) => (command === "subscribe" ? { success: false, data: null, error } : done),
    });
    const client = service.connect();
    const refused = follow(client, ["weather"]);
    const other = follow(client, ["config"]);
    await refused.reaches("closed");
    expect(refused.lastError()).toMatchObject(error);
    expect(other.states()).not.toContain("closed");
    client.close();
  });

  it("go on when a callback throws", async () => {
    await using service = await start();
    const client = service.connect();
    const uncaught = new Promise((resolve) => {
      const others = process.listeners("uncaughtException");
      process.removeAllListeners("uncaughtException");
      process.once("uncaughtException", (error) => {
        for (const listener of others) process.on("uncaughtException", listener);
        resolve(error);
      });
    });
    client.events({
      onEvent() {
        throw new Error("of the callback");
      },
    });
    const stream = follow(client);
    expect(await uncaught).toMatchObject({ message: "of the callback" });
    await stream.reaches("open");
    expect(service.upgrades).toHaveLength(1);
    client.close();
  });

  it("stop with their stream, and the connection is not kept up for nobody", async () => {
    await using service = await start();
    const client = service.connect();
    const stream = follow(client);
    await stream.reaches("open");
    stream.close();
    await vi.waitFor(() => expect(sent(service).at(-1)?.[0]).toBe("unsubscribe"), PATIENT);
    service.push("config-changed", 101, payload);
    await client.call("ping");
    expect(stream.events.map(({ event }) => event)).toEqual(["hello"]);
    client.close();
  });
});

it("names the option where there is no WebSocket", () => {
  vi.stubGlobal("WebSocket", undefined);
  try {
    expect(() => createClient({ url: "http://127.0.0.1", transport: "websocket" })).toThrow("option WebSocket");
  } finally {
    vi.unstubAllGlobals();
  }
});
