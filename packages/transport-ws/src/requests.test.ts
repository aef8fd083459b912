import type { CommandResponse, Dispatcher } from "@sm/router";
import { describe, expect, it } from "vitest";
import { Client, serve } from "./test-server.ts";

/** A dispatcher that answers a command when it is told to. */
class HeldDispatcher implements Dispatcher {
  readonly started: string[] = [];
  readonly #answers = new Map<string, (response: CommandResponse) => void>();
  #onStart: (() => void) | null = null;

  dispatch(request: unknown): Promise<CommandResponse> {
    const { command } = request as { command: string };
    this.started.push(command);
    this.#onStart?.();
    return new Promise((resolve) => this.#answers.set(command, resolve));
  }

  finish(command: string): void {
    this.#answers.get(command)?.({ success: true, data: command, error: null });
  }

  /** Waits until as many have started. */
  async until(count: number): Promise<void> {
    while (this.started.length < count) await new Promise<void>((resolve) => (this.#onStart = resolve));
  }
}

const invalid = { success: false, data: null, error: { code: "INVALID_REQUEST" } };

describe("a request", () => {
  it("is handed on, and answered with its command and its id", async () => {
    await using server = await serve();
    await using client = await Client.open(server);
    const request = { id: "a", command: "search", payload: { query: "ä" } };
    expect(await client.ask(request)).toEqual({
      id: "a",
      command: "search",
      success: true,
      data: "search",
      error: null,
    });
    expect(server.dispatched).toMatchObject([{ request, caller: { local: true, scope: "full", tokenId: null } }]);
  });

  it("without an id is answered without one", async () => {
    await using server = await serve();
    await using client = await Client.open(server);
    expect(await client.ask({ command: "ping" })).toEqual({
      command: "ping",
      success: true,
      data: "ping",
      error: null,
    });
  });

  it.each(["", "a", 0, -1, 1.5])("may have the id %j", async (id) => {
    await using server = await serve();
    await using client = await Client.open(server);
    expect(await client.ask({ id, command: "ping" })).toMatchObject({ id, success: true });
  });

  it.each([
    ["no JSON", "ping", null],
    ["nothing", "", null],
    ["torn JSON", '{"command":"pi', null],
    ["a binary message", Buffer.from('{"command":"ping"}'), null],
    ["brackets without end", "[".repeat(1_000_000), null],
    ["null as id", '{"id":null,"command":"ping"}', "ping"],
    ["an object as id", '{"id":{},"command":"ping"}', "ping"],
    ["a number too large as id", '{"id":1e999,"command":"ping"}', "ping"],
  ])("cannot be %s, and the connection stays", async (_case, message, command) => {
    await using server = await serve();
    await using client = await Client.open(server);
    const answer = await client.ask(message);
    expect(answer).toMatchObject({ ...invalid, command });
    expect(Object.keys(answer ?? {})).toEqual(["command", "success", "data", "error"]);
    expect(server.dispatched).toEqual([]);
    expect(await client.ask({ command: "ping" })).toMatchObject({ success: true });
  });

  it.each(["null", "7", '"ping"', "[]", '[{"command":"ping"}]'])(
    "that is %s is left to the dispatcher",
    async (text) => {
      await using server = await serve();
      await using client = await Client.open(server);
      client.send(text);
      const [answer] = await client.answers.take(1);
      expect(Object.keys(answer ?? {})).toEqual(["command", "success", "data", "error"]);
      expect(answer).toMatchObject({ command: null });
      expect(server.dispatched.map(({ request }) => request)).toEqual([JSON.parse(text)]);
    },
  );

  it("whose command is no text is answered with null for it", async () => {
    await using server = await serve();
    await using client = await Client.open(server);
    expect(await client.ask({ id: 1, command: 7 })).toMatchObject({ id: 1, command: null });
  });

  it("whose answer cannot be encoded is answered with INTERNAL", async () => {
    const circular: unknown[] = [];
    circular.push(circular);
    const dispatcher = { dispatch: async () => ({ success: true as const, data: circular, error: null }) };
    await using server = await serve({ dispatcher });
    await using client = await Client.open(server);
    expect(await client.ask({ id: 1, command: "ping" })).toMatchObject({ id: 1, error: { code: "INTERNAL" } });
    expect(server.logged).toHaveLength(1);
  });
});

describe("the order of answers", () => {
  it("is that of the requests where they have no id", async () => {
    const dispatcher = new HeldDispatcher();
    await using server = await serve({ dispatcher });
    await using client = await Client.open(server);
    for (const command of ["a", "b", "c"]) client.send({ command });
    client.send("no JSON");
    client.send({ command: "subscribe", payload: { topics: ["index"] } });
    await dispatcher.until(3);
    dispatcher.finish("c");
    dispatcher.finish("b");
    expect(client.answers.items).toEqual([]);
    dispatcher.finish("a");
    const answers = await client.answers.take(5);
    expect(answers.map(({ command }) => command)).toEqual(["a", "b", "c", null, "subscribe"]);
  });

  it("is that of their ends where they have an id", async () => {
    const dispatcher = new HeldDispatcher();
    await using server = await serve({ dispatcher });
    await using client = await Client.open(server);
    client.send({ command: "first" });
    for (const command of ["a", "b"]) client.send({ id: command, command });
    await dispatcher.until(3);
    dispatcher.finish("b");
    expect((await client.answers.take(1)).map(({ id }) => id)).toEqual(["b"]);
    dispatcher.finish("a");
    expect((await client.answers.take(2)).map(({ id }) => id)).toEqual(["b", "a"]);
  });
});

describe("requests in flight", () => {
  it.each(["with ids", "without ids"])("are 256 on a connection; further ones wait: %s", async (ids) => {
    const dispatcher = new HeldDispatcher();
    await using server = await serve({ dispatcher });
    await using client = await Client.open(server);
    await using other = await Client.open(server);
    const names = Array.from({ length: 300 }, (_, index) => `c${index}`);
    for (const [id, command] of names.entries()) client.send(ids === "with ids" ? { id, command } : { command });
    await dispatcher.until(256);
    // Another connection is answered meanwhile, so the first had its time to start more.
    other.send({ command: "other" });
    await dispatcher.until(257);
    expect(dispatcher.started.slice(0, 256)).toEqual(names.slice(0, 256));
    expect(dispatcher.started[256]).toBe("other");
    dispatcher.finish("c0");
    await dispatcher.until(258);
    expect(dispatcher.started[257]).toBe("c256");
    for (const name of names) {
      await dispatcher.until(Math.min(301, names.indexOf(name) + 2));
      dispatcher.finish(name);
    }
    const answers = await client.answers.take(300);
    expect(answers.map(({ command }) => command)).toEqual(names);
  });

  it("count as long as their answers wait for an earlier one", async () => {
    const dispatcher = new HeldDispatcher();
    await using server = await serve({ dispatcher, limits: { inFlight: 2 } });
    await using client = await Client.open(server);
    for (const command of ["a", "b", "c"]) client.send({ command });
    await dispatcher.until(2);
    dispatcher.finish("b");
    await new Promise(setImmediate);
    expect(dispatcher.started).toEqual(["a", "b"]);
    dispatcher.finish("a");
    await dispatcher.until(3);
  });

  it("are not awaited when the client leaves", async () => {
    const dispatcher = new HeldDispatcher();
    await using server = await serve({ dispatcher });
    const client = await Client.open(server);
    client.send({ command: "a" });
    await dispatcher.until(1);
    await client[Symbol.asyncDispose]();
    while (server.transport.connections > 0) await new Promise(setImmediate);
    dispatcher.finish("a");
    await new Promise(setImmediate);
    expect(server.logged).toEqual([]);
  });
});
