import type { StreamState } from "@sm/router/client";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { adoptConnection, firstAnswers } from "./adopted-socket.ts";
import { connectEarly } from "./early-connection.ts";

const URL = "ws://localhost:1/ws";
const PING = { command: "ping", payload: {} };
const TAGS = { command: "list_tags", payload: {} };
const PAGE = { command: "list_sessions", payload: { limit: 60 } };

/** A WebSocket that does what the test says. */
class FakeSocket extends EventTarget {
  static readonly OPEN = 1;
  static all: FakeSocket[] = [];
  readyState = 0;
  readonly sent: { id: unknown; command: string; payload: unknown }[] = [];

  constructor() {
    super();
    FakeSocket.all.push(this);
  }

  send(text: string): void {
    this.sent.push(JSON.parse(text));
  }

  open(): void {
    this.readyState = 1;
    this.dispatchEvent(new Event("open"));
    if (this.sent[0]?.command !== "auth") this.hello();
  }

  hello(): void {
    this.event("hello", 7, { seq: 7 });
  }

  event(event: string, seq: number, payload: object): void {
    this.#tell({ event, seq, payload });
  }

  /** Answers what was sent at a place. */
  answer(place: number, data: unknown): void {
    const { id, command } = this.sent[place] ?? {};
    this.#tell({ id, command, success: true, data, error: null });
  }

  refuse(place: number): void {
    const { id, command } = this.sent[place] ?? {};
    this.#tell({ id, command, success: false, data: null, error: { code: "UNAVAILABLE", message: "Later." } });
  }

  close(): void {
    this.readyState = 3;
    this.dispatchEvent(Object.assign(new Event("close"), { code: 1006, reason: "" }));
  }

  #tell(message: object): void {
    this.dispatchEvent(new MessageEvent("message", { data: JSON.stringify(message) }));
  }
}

beforeEach(() => {
  FakeSocket.all = [];
  vi.stubGlobal("WebSocket", FakeSocket);
});
afterEach(() => void vi.unstubAllGlobals());

/** A connection on which something was asked early, and what goes on with it. */
function setUp(questions: { command: string; payload: object }[], token: string | null = null) {
  const early = connectEarly(URL, token, questions);
  const [socket] = FakeSocket.all as [FakeSocket];
  const connect = adoptConnection(early);
  const adopt = (own = token) => {
    const client = connect({ url: "http://localhost:1", transport: "websocket", token: own });
    // As the page does, so that no topic is unsubscribed.
    client.events({ onEvent: () => undefined });
    return client;
  };
  const commands = () => socket.sent.map(({ command }) => command);
  return { early, socket, adopt, commands };
}

it("gives the answer that is there to the first equal call", async () => {
  const { socket, adopt, commands } = setUp([PING]);
  socket.open();
  socket.answer(0, "early");
  const client = adopt();
  expect(await client.call("ping")).toBe("early");
  expect(commands()).toEqual(["ping"]);
  const again = client.call("ping");
  expect(commands()).toEqual(["ping", "ping"]);
  socket.answer(1, "late");
  expect(await again).toBe("late");
});

it.each([
  ["is on its way", (socket: FakeSocket) => socket.open()],
  ["was not sent yet", () => undefined],
])("waits for the answer that %s", async (_state, before) => {
  const { socket, adopt, commands } = setUp([PING]);
  before(socket);
  const answer = adopt().call("ping");
  await settled();
  if (socket.readyState === 0) socket.open();
  socket.answer(0, "early");
  expect(await answer).toBe("early");
  expect(commands()).toEqual(["ping"]);
});

it("asks for anything else as usual, and gives each call its own answer", async () => {
  const { socket, adopt, commands } = setUp([TAGS, PAGE]);
  socket.open();
  const client = adopt();
  const others = [client.call("list_sessions", { limit: 61 }), client.call("ping")];
  const asked = [client.call("list_sessions", { limit: 60 }), client.call("list_tags")];
  await settled();
  expect(commands()).toEqual(["list_tags", "list_sessions", "list_sessions", "ping"]);
  for (const place of [3, 2, 1, 0]) socket.answer(place, `answer ${place}`);
  expect(await Promise.all([...others, ...asked])).toEqual(["answer 2", "answer 3", "answer 1", "answer 0"]);
});

it.each([
  ["before it was taken over", (socket: FakeSocket) => socket.event("config-changed", 8, {}), () => undefined],
  ["after", () => undefined, (socket: FakeSocket) => socket.event("config-changed", 8, {})],
])("asks again what may be older than an event that came %s", async (_when, before, after) => {
  const { socket, adopt, commands } = setUp([PING]);
  socket.open();
  socket.answer(0, "early");
  before(socket);
  const client = adopt();
  const told: string[] = [];
  client.events({ onEvent: ({ event }) => told.push(event) });
  await settled();
  after(socket);
  const answer = client.call("ping");
  await settled();
  expect(commands()).toEqual(["ping", "ping"]);
  socket.answer(1, "new");
  expect([await answer, told]).toEqual(["new", ["hello", "config-changed"]]);
});

it("gives an answer that a call waits for although an event comes before it", async () => {
  const { socket, adopt } = setUp([PING]);
  socket.open();
  const answer = adopt().call("ping");
  await settled();
  socket.event("config-changed", 8, {});
  socket.answer(0, "early");
  expect(await answer).toBe("early");
});

it.each([true, false])("asks again what has failed (before the call: %s)", async (isBefore) => {
  const { socket, adopt, commands } = setUp([PING]);
  socket.open();
  if (isBefore) socket.refuse(0);
  const answer = adopt().call("ping");
  await settled();
  if (!isBefore) socket.refuse(0);
  expect(commands()).toEqual(["ping", "ping"]);
  socket.answer(1, "second");
  expect(await answer).toBe("second");
});

it("shows its token once, and asks behind that", async () => {
  const { socket, adopt, commands } = setUp([PING], "secret");
  socket.open();
  expect(socket.sent).toEqual([{ id: "early-0", command: "auth", payload: { token: "secret" } }]);
  socket.answer(0, { authenticated: true });
  socket.hello();
  const answer = adopt().call("ping");
  await settled();
  expect(commands()).toEqual(["auth", "ping"]);
  socket.answer(1, "early");
  expect(await answer).toBe("early");
});

it("does not go on with a connection of another token", async () => {
  const { socket, adopt } = setUp([PING]);
  adopt("secret");
  await settled();
  expect([socket.readyState, FakeSocket.all.length]).toEqual([3, 2]);
});

it("tells that the connection has been lost, and connects again", async () => {
  const { socket, adopt } = setUp([PING]);
  socket.open();
  socket.close();
  const states: StreamState[] = [];
  const client = adopt();
  client.events({ onEvent: () => undefined, onState: (state) => states.push(state) });
  await settled();
  expect(states).toEqual(["connecting", "open", "waiting"]);
  await vi.waitFor(() => expect(FakeSocket.all).toHaveLength(2));
  client.close();
});

it("waits for the first answers, for a while", async () => {
  const { early, socket } = setUp([PING, TAGS]);
  const timeout = 2 ** 30;
  let isOver = false;
  const over = firstAnswers(early, timeout).then(() => {
    isOver = true;
  });
  socket.open();
  socket.answer(1, []);
  await settled();
  expect(isOver).toBe(false);
  socket.refuse(0);
  await over;
  await firstAnswers(early, timeout);
  await firstAnswers(undefined, timeout);
  await firstAnswers(setUp([PING]).early, 1);
  const lost = setUp([PING]).early;
  const lostOver = firstAnswers(lost, timeout);
  lost.socket.close();
  await lostOver;
});

/** Whatever waits for nothing has happened by then. */
function settled(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
