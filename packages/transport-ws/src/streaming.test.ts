import type { Socket } from "node:net";
import { type CommandResponse, type Dispatcher, JsonText, jsonArray, StreamedJson } from "@sm/router";
import { afterEach, describe, expect, it, vi } from "vitest";
import { Client, frame, gone, openRaw, serve, type TestServer } from "./test-server.ts";

const MEBIBYTE = 1_048_576;
const TEXT = 1;
/** More of them make a piece. */
const ITEM = "x".repeat(10_000);

/** Answers `list` with items that it makes as they are taken, and everything else with the name of the command. */
class ListDispatcher implements Dispatcher {
  /** Items that were taken, of all lists. */
  taken = 0;
  /** Lists that somebody takes items of. */
  open = 0;
  readonly #count: number;
  readonly #beforeItem: (place: number) => Promise<void> | void;

  constructor(count: number, beforeItem: (place: number) => Promise<void> | void = () => {}) {
    this.#count = count;
    this.#beforeItem = beforeItem;
  }

  async dispatch(request: unknown): Promise<CommandResponse> {
    const { command } = request as { command: string };
    const data =
      command === "list" ? await StreamedJson.open(new JsonText(jsonArray(this.#items())), (work) => work) : command;
    return { success: true, data, error: null };
  }

  async *#items(): AsyncGenerator<string> {
    this.open += 1;
    try {
      for (let place = 0; place < this.#count; place += 1) {
        await this.#beforeItem(place);
        this.taken += 1;
        yield ITEM;
      }
    } finally {
      this.open -= 1;
    }
  }
}

/** Something that a test waits for, and lets happen. */
function gate() {
  let open = () => {};
  const opened = new Promise<void>((resolve) => (open = resolve));
  return { open, opened };
}

const turn = () => new Promise(setImmediate);

const until = async (holds: () => boolean) => {
  while (!holds()) await turn();
};

/** Bytes that wait in the server for clients to read them. */
const buffered = ({ sockets }: TestServer) => sockets.reduce((sum, socket) => sum + socket.writableLength, 0);

/** Reads nothing until it is told to. */
async function openSlow(server: TestServer, requests: object[]): Promise<Socket> {
  const socket = await openRaw(server);
  socket.write(Buffer.concat(requests.map((request) => frame(TEXT, JSON.stringify(request)))));
  return socket;
}

afterEach(() => {
  vi.useRealTimers();
});

describe("an answer in pieces", () => {
  it("is one message: what the whole would be, an item to a line", async () => {
    await using server = await serve({ dispatcher: new ListDispatcher(100) });
    await using client = await Client.open(server);
    await client.events.take(1);
    client.send({ id: "a", command: "list" });
    const [, text] = await client.messages.take(2);
    const data = Array.from({ length: 100 }, () => ITEM);
    expect(JSON.parse(text ?? "")).toEqual({ id: "a", command: "list", success: true, data, error: null });
    expect(text?.split(",\n")).toHaveLength(100);
  });

  it("is not mixed with answers, events and pings that come meanwhile", async () => {
    const rest = gate();
    const dispatcher = new ListDispatcher(100, (place) => (place === 50 ? rest.opened : undefined));
    vi.useFakeTimers({ toFake: ["setInterval"] });
    await using server = await serve({ dispatcher });
    await using client = await Client.open(server);
    await client.events.take(1);
    for (const [id, command] of ["list", "a", "list", "b"].entries()) client.send({ id, command });
    client.send({ id: 4, command: "subscribe", payload: { topics: ["index"] } });
    await until(() => dispatcher.taken >= 50);
    for (let count = 0; count < 10; count += 1) {
      server.bus.publish("session-changed", { changed_paths: [`${count}`], removed_paths: [] });
    }
    vi.advanceTimersByTime(15_000);
    await client.pings.take(1);
    // In the middle of the message: a client gets all of it or nothing.
    const before = client.answers.items.length;
    rest.open();
    const answers = await client.answers.take(5);
    expect(before).toBeLessThan(5);
    expect(answers.map(({ id }) => id).sort()).toEqual([0, 1, 2, 3, 4]);
    expect(answers.filter(({ command }) => command === "list").map(({ data }) => (data as []).length)).toEqual([
      100, 100,
    ]);
    const events = await client.events.take(11);
    expect(events.slice(1).map(({ payload }) => payload)).toMatchObject(
      Array.from({ length: 10 }, (_, count) => ({ changed_paths: [`${count}`] })),
    );
  });

  it("keeps its place among answers without ids", async () => {
    await using server = await serve({ dispatcher: new ListDispatcher(100) });
    await using client = await Client.open(server);
    for (const command of ["a", "list", "b", "list", "c"]) client.send({ command });
    const answers = await client.answers.take(5);
    expect(answers.map(({ command }) => command)).toEqual(["a", "list", "b", "list", "c"]);
  });

  it("ends the connection with 1011 where it breaks off, and the log says why", async () => {
    const failure = new Error("No more.");
    const dispatcher = new ListDispatcher(100, (place) => (place === 50 ? Promise.reject(failure) : undefined));
    await using server = await serve({ dispatcher });
    await using client = await Client.open(server);
    client.send({ command: "list" });
    client.send({ command: "ping" });
    expect(await client.closed).toMatchObject({ code: 1011 });
    expect(client.answers.items).toEqual([]);
    expect(server.logged).toEqual([{ err: failure }]);
    expect(dispatcher.open).toBe(0);
  });

  it("is finished when the service stops", async () => {
    const rest = gate();
    const dispatcher = new ListDispatcher(100, (place) => (place === 50 ? rest.opened : undefined));
    await using server = await serve({ dispatcher });
    await using client = await Client.open(server);
    client.send({ command: "list" });
    await until(() => dispatcher.taken >= 50);
    const closing = server.transport.close(60_000);
    rest.open();
    await closing;
    expect(await client.closed).toMatchObject({ code: 1001 });
    expect(client.answers.items).toMatchObject([{ command: "list" }]);
  });
});

describe("a client that does not read an answer in pieces", () => {
  it("is not read for: no more items are taken than fill the socket, and the others are served", async () => {
    const dispatcher = new ListDispatcher(10_000);
    await using server = await serve({ dispatcher });
    const slow = await openSlow(server, [{ command: "list" }]);
    await using other = await Client.open(server);
    for (let count = 0; count < 200; count += 1) await other.ask({ command: "ping" });
    const atRest = dispatcher.taken;
    for (let count = 0; count < 200; count += 1) await other.ask({ command: "ping" });
    expect(dispatcher.taken).toBe(atRest);
    expect(atRest).toBeLessThan(5_000);
    expect(buffered(server)).toBeLessThan(MEBIBYTE);
    slow.destroy();
    await until(() => dispatcher.open === 0);
    expect(server.logged).toEqual([]);
  });

  it("gets all of it when it reads again", async () => {
    const dispatcher = new ListDispatcher(2_000);
    await using server = await serve({ dispatcher });
    const slow = await openSlow(server, [{ command: "list" }]);
    await using other = await Client.open(server);
    for (let count = 0; count < 100; count += 1) await other.ask({ command: "ping" });
    let read = 0;
    slow.on("data", ({ length }: Buffer) => (read += length));
    await until(() => read >= 2_000 * ITEM.length && dispatcher.open === 0);
    expect(dispatcher.taken).toBe(2_000);
    slow.destroy();
  });

  it("is cut off when nothing gets out for three heartbeats, and what it asked for is let go", async () => {
    const dispatcher = new ListDispatcher(10_000);
    await using server = await serve({ dispatcher, heartbeatMs: 50 });
    const slow = await openSlow(
      server,
      [1, 2, 3].map((id) => ({ id, command: "list" })),
    );
    await until(() => dispatcher.open > 0);
    await until(() => server.transport.connections === 0);
    await until(() => dispatcher.open === 0);
    await gone(slow);
    expect(server.logged).toEqual([]);
  });
});
