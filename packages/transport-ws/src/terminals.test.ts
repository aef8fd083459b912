import type { Caller, CommandResponse } from "@sm/router";
import type { EventBus } from "@sm/router/events";
import { describe, expect, it } from "vitest";
import { Client, frame, openRaw, serve } from "./test-server.ts";
import type { WebSocketOptions } from "./websocket-transport.ts";

const done: CommandResponse = { success: true, data: null, error: null };

/** Turns on the topics that a request names, as a command does that opens something. */
const dispatcher: WebSocketOptions["dispatcher"] = {
  async dispatch(request, caller: Caller) {
    const { topics } = request as { topics?: string[] };
    if (topics !== undefined) caller.listen?.(topics);
    return done;
  },
};

const numbers = (client: Client) =>
  client.events.items.flatMap(({ event, payload }) =>
    event === "terminal-output" ? [(payload as { seq: number }).seq] : [],
  );

describe("a command that opens something", () => {
  it("turns its topics on for this connection alone", async () => {
    await using server = await serve({ dispatcher });
    await using client = await Client.open(server);
    await using other = await Client.open(server);
    await client.ask({ command: "attach_terminal", topics: ["terminal:t"] });
    server.bus.publish("terminal-output", { id: "t", seq: 1, data: "ä" });
    server.bus.publish("terminal-output", { id: "u", seq: 1, data: "b" });
    server.bus.publish("terminal-exit", { id: "t", exit_code: 0, signal: null });
    server.bus.publish("config-changed", { version_id: "v" });
    expect((await client.events.take(4)).slice(1)).toMatchObject([
      { event: "terminal-output", payload: { id: "t", seq: 1, data: "ä" } },
      { event: "terminal-exit", payload: { id: "t", exit_code: 0, signal: null } },
      { event: "config-changed" },
    ]);
    expect((await other.events.take(2)).map(({ event }) => event)).toEqual(["hello", "config-changed"]);
    const { data } = (await client.ask({ command: "unsubscribe", payload: { topics: ["terminal:t"] } })) ?? {};
    expect(data).toEqual({ topics: ["sessions", "index", "config", "live"] });
  });

  it("takes the place of the oldest of 1,000 topics", async () => {
    await using server = await serve({ dispatcher });
    await using client = await Client.open(server);
    const topics = Array.from({ length: 996 }, (_, index) => `terminal:${index}`);
    await client.ask({ command: "attach_terminal", topics });
    await client.ask({ command: "attach_terminal", topics: ["terminal:a", "live:b"] });
    const { data } = (await client.ask({ command: "subscribe", payload: { topics: ["index"] } })) ?? {};
    const on = (data as { topics: string[] }).topics;
    expect(on).toHaveLength(1_000);
    expect(on.slice(3, 6)).toEqual(["live", "terminal:2", "terminal:3"]);
    expect(on.slice(-2)).toEqual(["terminal:a", "live:b"]);
  });

  it("turns nothing on when its connection is gone", async () => {
    let answer: (response: CommandResponse) => void = () => {};
    const callers: Caller[] = [];
    await using server = await serve({
      dispatcher: {
        dispatch(_request, caller) {
          callers.push(caller);
          return new Promise((resolve) => (answer = resolve));
        },
      },
    });
    const audience: number[] = [];
    server.bus.watch("terminal:t", { onBehind() {}, onAudience: (count) => audience.push(count) });
    const client = await Client.open(server);
    client.send({ command: "attach_terminal" });
    while (callers.length === 0) await new Promise(setImmediate);
    client.socket.terminate();
    while (server.transport.connections > 0) await new Promise(setImmediate);
    callers[0]?.listen?.(["terminal:t"]);
    answer(done);
    expect(audience).toEqual([0]);
  });
});

describe("acknowledge_output", () => {
  it("counts what has not arrived as left behind", async () => {
    await using server = await serve({ dispatcher });
    await using client = await Client.open(server);
    const told: boolean[] = [];
    server.bus.watch("terminal:t", { onBehind: (isBehind) => told.push(isBehind), onAudience() {} });
    const acknowledge = (seq: number) => client.ask({ command: "acknowledge_output", payload: { id: "t", seq } });
    await client.ask({ command: "attach_terminal", topics: ["terminal:t"] });
    expect(await acknowledge(0)).toMatchObject({ success: true, data: { id: "t", seq: 0 } });
    server.bus.publish("terminal-output", { id: "t", seq: 1, data: "x".repeat(1_000_000) });
    await client.events.take(2);
    expect(told).toEqual([true]);
    await acknowledge(1);
    expect(told).toEqual([true, false]);
  });

  it("means nothing for a terminal that the client is not told of", async () => {
    await using server = await serve({ dispatcher });
    await using client = await Client.open(server);
    const payload = { id: "somebody else's", seq: 7 };
    expect(await client.ask({ command: "acknowledge_output", payload })).toMatchObject({
      success: true,
      data: payload,
    });
    expect(await client.ask({ command: "acknowledge_output", payload: { id: "t" } })).toMatchObject({
      error: { code: "INVALID_PAYLOAD" },
    });
  });

  it("is not answered to a client that has still to authenticate", async () => {
    await using server = await serve({ dispatcher });
    await using client = await Client.open(server, "stranger");
    const answer = await client.ask({ command: "acknowledge_output", payload: { id: "t", seq: 1 } });
    expect(answer).toMatchObject({ error: { code: "UNAUTHORIZED" } });
  });
});

describe("a client that is slower than a terminal", () => {
  it("gets all of it, while the terminal waits", async () => {
    await using server = await serve({ dispatcher });
    await using client = await Client.open(server);
    const flood = startFlood(server.bus);
    await client.ask({ command: "attach_terminal", topics: ["terminal:t"] });
    client.socket.pause();
    while (!flood.isBehind) await flood.write();
    const most = Math.max(...server.sockets.map(({ writableLength }) => writableLength));
    expect(most).toBeLessThan(262_144);
    client.socket.resume();
    while (flood.written < 2_000) await flood.write();
    while (numbers(client).length < flood.written) await new Promise(setImmediate);
    expect(numbers(client)).toEqual(Array.from({ length: flood.written }, (_, index) => index + 1));
  });

  it("can still ask for something, such as to interrupt it", async () => {
    let asked = false;
    await using server = await serve({
      dispatcher: {
        async dispatch(request, caller) {
          asked ||= (request as { command: string }).command === "terminal_write";
          return dispatcher.dispatch(request, caller);
        },
      },
    });
    const flood = startFlood(server.bus, { isEager: true });
    const socket = await openRaw(server);
    socket.write(frame(1, JSON.stringify({ command: "attach_terminal", topics: ["terminal:t"] })));
    while (!flood.isBehind) await flood.write();
    const written = flood.written;
    socket.write(frame(1, JSON.stringify({ command: "terminal_write", payload: { id: "t", data: "\u0003" } })));
    while (!asked && flood.written < written + 2_000) {
      socket.read();
      await new Promise(setImmediate);
    }
    expect(asked).toBe(true);
    socket.destroy();
  });
});

/** A terminal that writes as long as it does not have to wait; an eager one before the client has taken the rest. */
function startFlood(bus: EventBus, { isEager = false } = {}) {
  const flood = {
    written: 0,
    isBehind: false,
    fill() {
      for (let count = 0; count < 40 && !flood.isBehind; count += 1) {
        flood.written += 1;
        bus.publish("terminal-output", { id: "t", seq: flood.written, data: "y\r\n".repeat(5_000) });
      }
    },
    async write() {
      flood.fill();
      await new Promise(setImmediate);
    },
  };
  bus.watch("terminal:t", {
    onBehind(isBehind) {
      flood.isBehind = isBehind;
      if (isEager && !isBehind) process.nextTick(flood.fill);
    },
    onAudience() {},
  });
  return flood;
}
