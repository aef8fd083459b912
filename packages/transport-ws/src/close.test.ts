import type { Caller } from "@sm/router";
import { describe, expect, it } from "vitest";
import { Client, frame, gone, openRaw, serve } from "./test-server.ts";

/** A dispatcher whose answers wait for `release`. */
function held() {
  let release = () => {};
  const released = new Promise<void>((resolve) => (release = resolve));
  let arrive = () => {};
  const arrival = new Promise<void>((resolve) => (arrive = resolve));
  let count = 0;
  const dispatcher = {
    async dispatch() {
      count += 1;
      arrive();
      await released;
      return { success: true as const, data: count, error: null };
    },
  };
  return { dispatcher, release, arrival };
}

describe("a client that leaves", () => {
  it("is told to its commands by their signal, and is known by its connection", async () => {
    const callers: Caller[] = [];
    const dispatcher = {
      dispatch(_request: unknown, caller: Caller) {
        callers.push(caller);
        return new Promise<never>(() => {});
      },
    };
    await using server = await serve({ dispatcher });
    await using leaving = await Client.open(server);
    await using staying = await Client.open(server);
    leaving.send({ id: 1, command: "a" });
    leaving.send({ id: 2, command: "b" });
    await expect.poll(() => callers).toHaveLength(2);
    staying.send({ id: 3, command: "c" });
    await expect.poll(() => callers).toHaveLength(3);
    expect(new Set(callers.map(({ connection }) => connection)).size).toBe(2);
    expect(new Set(callers.map(({ client }) => client)).size).toBe(1);
    leaving.socket.terminate();
    await expect.poll(() => callers.map(({ signal }) => signal?.aborted)).toEqual([true, true, false]);
  });
});

describe("close", () => {
  it("says 1001 to everybody", async () => {
    await using server = await serve();
    await using local = await Client.open(server);
    await using stranger = await Client.open(server, "stranger");
    expect(server.transport.connections).toBe(2);
    await server.transport.close(60_000);
    expect(server.transport.connections).toBe(0);
    expect(await local.closed).toMatchObject({ code: 1001 });
    expect(await stranger.closed).toMatchObject({ code: 1001 });
  });

  it("lets running requests finish and starts no others", async () => {
    const { dispatcher, release, arrival } = held();
    await using server = await serve({ dispatcher, limits: { inFlight: 1 } });
    await using client = await Client.open(server);
    client.send({ id: 1, command: "a" });
    client.send({ id: 2, command: "b" });
    await arrival;
    const closing = server.transport.close(60_000);
    client.send({ id: 3, command: "c" });
    release();
    await closing;
    expect(await client.closed).toMatchObject({ code: 1001 });
    expect(client.answers.items).toEqual([{ id: 1, command: "a", success: true, data: 1, error: null }]);
  });

  it("cuts off what does not finish in time", async () => {
    const { dispatcher, arrival } = held();
    await using server = await serve({ dispatcher });
    await using client = await Client.open(server);
    client.send({ command: "a" });
    await arrival;
    await server.transport.close(20);
    expect(await client.closed).toMatchObject({ code: 1006 });
  });

  it("cuts off a client that does not shake hands", async () => {
    await using server = await serve();
    const socket = await openRaw(server);
    socket.write(frame(1, '{"command":'));
    await Promise.all([server.transport.close(20), gone(socket)]);
  });

  it("refuses those who come later", async () => {
    await using server = await serve();
    await server.transport.close();
    await expect(Client.open(server)).rejects.toThrow("503");
    await server.transport.close();
  });
});
