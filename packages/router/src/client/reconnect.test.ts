import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { type ClientOptions, createClient } from "./client.ts";

/** Connections that the test opens, feeds and breaks. */
class FakeSocket {
  static opened: FakeSocket[] = [];
  readonly sent: { id: unknown; command: string; payload: { id?: string } }[] = [];
  readonly url: string;
  closed = false;
  readonly #listeners = new Map<string, (event: never) => void>();

  constructor(url: string) {
    this.url = url;
    FakeSocket.opened.push(this);
  }

  addEventListener(type: string, listener: (event: never) => void): void {
    this.#listeners.set(type, listener);
  }

  send(data: string): void {
    this.sent.push(JSON.parse(data));
  }

  close(): void {
    this.closed = true;
  }

  open(): void {
    this.#fire("open", {});
  }

  receive(message: object): void {
    this.#fire("message", { data: JSON.stringify(message) });
  }

  break(code = 1006): void {
    this.#fire("close", { code, reason: "" });
  }

  #fire(type: string, event: object): void {
    this.#listeners.get(type)?.(event as never);
  }
}

const HELLO = { event: "hello", seq: 1, payload: { api_version: 1, server_version: "1.2.3", kind: "home", seq: 1 } };

const connect = (options: Partial<ClientOptions> = {}) =>
  createClient({ url: "http://127.0.0.1:1/base", transport: "websocket", WebSocket: FakeSocket, ...options });

const last = () => {
  const socket = FakeSocket.opened.at(-1);
  if (socket === undefined) throw new Error("No connection was opened.");
  return socket;
};

beforeEach(() => {
  FakeSocket.opened = [];
  vi.useFakeTimers();
  // The longest of every pause.
  vi.spyOn(Math, "random").mockReturnValue(1);
});

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

describe("a connection that breaks", () => {
  it("is opened again after pauses that grow to 30 seconds", async () => {
    const client = connect();
    client.events({ onEvent() {} });
    await vi.advanceTimersByTimeAsync(0);
    for (const pause of [250, 500, 1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000]) {
      const count = FakeSocket.opened.length;
      last().break();
      await vi.advanceTimersByTimeAsync(pause - 1);
      expect(FakeSocket.opened).toHaveLength(count);
      await vi.advanceTimersByTimeAsync(1);
      expect(FakeSocket.opened).toHaveLength(count + 1);
    }
    client.close();
  });

  it("counts as good again once the service has said hello", async () => {
    const client = connect();
    client.events({ onEvent() {} });
    await vi.advanceTimersByTimeAsync(0);
    last().break();
    await vi.advanceTimersByTimeAsync(250);
    last().open();
    last().break();
    await vi.advanceTimersByTimeAsync(500);
    expect(FakeSocket.opened).toHaveLength(3);
    last().open();
    last().receive(HELLO);
    last().break();
    await vi.advanceTimersByTimeAsync(250);
    expect(FakeSocket.opened).toHaveLength(4);
    client.close();
  });

  it("is not opened again for nobody, but for the next call", async () => {
    const client = connect();
    const first = client.call("ping");
    last().open();
    last().break();
    await expect(first).rejects.toMatchObject({ code: "NO_ANSWER" });
    await vi.advanceTimersByTimeAsync(60_000);
    expect(FakeSocket.opened).toHaveLength(1);
    const second = client.call("ping");
    expect(FakeSocket.opened).toHaveLength(2);
    client.close();
    await expect(second).rejects.toMatchObject({ code: "CLOSED" });
  });

  it("lets calls wait for the next one, in order, as long as their time allows", async () => {
    const client = connect();
    const calls = [
      client.call("ping"),
      client.call("scan_sessions"),
      client.call("list_favorites", {}, { timeoutMs: 100 }),
    ];
    last().break();
    const late = expect(calls[2]).rejects.toMatchObject({
      code: "TIMED_OUT",
      message: "No response within 0.1 s. The connection to ws://127.0.0.1:1 is closed (1006).",
    });
    await vi.advanceTimersByTimeAsync(250);
    await late;
    last().open();
    const requests = last().sent.filter(({ command }) => command !== "unsubscribe");
    expect(requests.map(({ command }) => command)).toEqual(["ping", "scan_sessions"]);
    for (const { id, command } of requests) last().receive({ id, success: true, data: command, error: null });
    expect(await Promise.all(calls.slice(0, 2))).toEqual(["ping", "scan_sessions"]);
    client.close();
  });

  it("is not opened again after close", async () => {
    const client = connect();
    client.events({ onEvent() {} });
    await vi.advanceTimersByTimeAsync(0);
    last().break();
    client.close();
    await vi.advanceTimersByTimeAsync(60_000);
    expect(FakeSocket.opened).toHaveLength(1);
    expect(vi.getTimerCount()).toBe(0);
  });

  it("is not opened again after 4401", async () => {
    const client = connect();
    client.events({ onEvent() {} });
    await vi.advanceTimersByTimeAsync(0);
    last().open();
    last().break(4401);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(FakeSocket.opened).toHaveLength(1);
  });

  it("is not opened again where it cannot be opened at all", async () => {
    let attempts = 0;
    class BlockedSocket extends FakeSocket {
      constructor(url: string) {
        super(url);
        attempts += 1;
        throw new Error("blocked");
      }
    }
    const client = connect({ WebSocket: BlockedSocket });
    const states: unknown[] = [];
    client.events({ onEvent() {}, onState: (state, error) => states.push(error ?? state) });
    await expect(client.call("ping")).rejects.toMatchObject({ code: "NO_ANSWER", cause: { message: "blocked" } });
    await vi.advanceTimersByTimeAsync(60_000);
    expect(states).toEqual(["connecting", expect.objectContaining({ code: "NO_ANSWER" })]);
    expect(attempts).toBe(1);
  });

  it("keeps the path of the URL and takes wss for https", async () => {
    const client = connect({ url: "https://sm.example.org/base/?x=1" });
    client.events({ onEvent() {} });
    await vi.advanceTimersByTimeAsync(0);
    expect(last().url).toBe("wss://sm.example.org/base/ws");
    client.close();
  });
});

describe("a connection that falls silent", () => {
  async function open() {
    const client = connect();
    client.events({ onEvent() {} });
    await vi.advanceTimersByTimeAsync(0);
    last().open();
    last().receive(HELLO);
    return { client, socket: last() };
  }

  it("is asked for a sign of life, and kept when it gives one", async () => {
    const { client, socket } = await open();
    for (let round = 1; round <= 3; round += 1) {
      await vi.advanceTimersByTimeAsync(20_000);
      expect(socket.sent.at(-1)).toMatchObject({ command: "ping" });
      expect(socket.sent).toHaveLength(round);
      socket.receive({ id: "probe", command: "ping", success: true, data: { pong: true }, error: null });
    }
    expect(FakeSocket.opened).toHaveLength(1);
    client.close();
  });

  it("is left for another when it gives none", async () => {
    const { client, socket } = await open();
    const call = client.call("ping");
    const broken = expect(call).rejects.toMatchObject({ code: "NO_ANSWER" });
    await vi.advanceTimersByTimeAsync(40_000);
    await broken;
    expect(socket.closed).toBe(true);
    await vi.advanceTimersByTimeAsync(250);
    expect(FakeSocket.opened).toHaveLength(2);
    // What still comes from the old one is not for anybody.
    socket.break();
    expect(FakeSocket.opened).toHaveLength(2);
    client.close();
  });

  it("is left when it never opens", async () => {
    const client = connect();
    client.events({ onEvent() {} });
    await vi.advanceTimersByTimeAsync(20_250);
    expect(FakeSocket.opened).toHaveLength(2);
    client.close();
  });

  it("is left when it does not speak JSON", async () => {
    const states: unknown[] = [];
    const client = connect();
    client.events({ onEvent() {}, onState: (state, error) => states.push(error ?? state) });
    await vi.advanceTimersByTimeAsync(0);
    last().open();
    last().receive("pong" as never);
    expect(states.at(-1)).toMatchObject({ code: "BAD_ANSWER" });
    client.close();
  });
});

describe("topics of terminals and live sessions", () => {
  it("are asked for again, and their streams are told that events are missing", async () => {
    const client = connect();
    const events: unknown[] = [];
    const others: string[] = [];
    client.events({ topics: ["config", "terminal:t"], onEvent: (event) => events.push(event) });
    client.events({ topics: ["config"], onEvent: ({ event }) => others.push(event) });
    await vi.advanceTimersByTimeAsync(0);
    last().open();
    last().receive(HELLO);
    const output = { event: "terminal-output", seq: 7, payload: { id: "t", seq: 1, data: "a" } };
    last().receive(output);
    last().receive({ ...output, seq: 8, payload: { ...output.payload, id: "u" } });
    last().break();
    await vi.advanceTimersByTimeAsync(250);
    last().open();
    expect(last().sent[0]).toMatchObject({ command: "subscribe", payload: { topics: ["terminal:t"] } });
    last().receive({ ...HELLO, seq: 8 });
    expect(events).toEqual([HELLO, output, { ...HELLO, seq: 8 }, { event: "events-lost", seq: 8, payload: {} }]);
    expect(others).toEqual(["hello", "hello"]);
    client.close();
  });
});

describe("an acknowledgement", () => {
  const acknowledged = (socket: FakeSocket) =>
    socket.sent.filter(({ command }) => command === "acknowledge_output").map(({ payload }) => payload);

  async function open() {
    const client = connect();
    client.events({ topics: ["terminal:t"], onEvent() {} });
    await vi.advanceTimersByTimeAsync(0);
    last().open();
    last().receive(HELLO);
    return { client, socket: last() };
  }

  it("waits for the answer to the one before, and stands for all that came meanwhile", async () => {
    const { client, socket } = await open();
    for (const seq of [1, 2, 3]) client.acknowledge("t", seq);
    client.acknowledge("u", 9);
    expect(acknowledged(socket)).toEqual([
      { id: "t", seq: 1 },
      { id: "u", seq: 9 },
    ]);
    const answer = async () => {
      const { id } =
        socket.sent.findLast(({ command, payload }) => command === "acknowledge_output" && payload.id === "t") ?? {};
      socket.receive({ id, success: true, data: null, error: null });
      await vi.advanceTimersByTimeAsync(0);
    };
    await answer();
    expect(acknowledged(socket).slice(2)).toEqual([{ id: "t", seq: 3 }]);
    await answer();
    expect(acknowledged(socket)).toHaveLength(3);
    client.acknowledge("t", 4);
    expect(acknowledged(socket).slice(3)).toEqual([{ id: "t", seq: 4 }]);
    client.close();
  });

  it("is not kept for another connection", async () => {
    const { client, socket } = await open();
    client.acknowledge("t", 1);
    socket.break();
    client.acknowledge("t", 2);
    await vi.advanceTimersByTimeAsync(250);
    last().open();
    client.acknowledge("t", 3);
    expect(acknowledged(last())).toEqual([{ id: "t", seq: 3 }]);
    client.close();
  });
});
