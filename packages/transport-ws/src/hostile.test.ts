import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { Client, frame, gone, openRaw, serve, type TestServer } from "./test-server.ts";

const MEBIBYTE = 1_048_576;
const TEXT = 1;
const CONTINUATION = 0;
const PING = 9;

/** Bytes that wait in the server for clients to read them. */
const buffered = ({ sockets }: TestServer) => sockets.reduce((sum, socket) => sum + socket.writableLength, 0);

describe("a client that does not read", () => {
  it("is left out of events: no more of them wait for it, and it is told", async () => {
    await using server = await serve();
    const slow = await openRaw(server);
    await using fast = await Client.open(server);
    const payload = { changed_paths: ["x".repeat(50_000)], removed_paths: [] };
    let most = 0;
    for (let count = 0; count < 1_000; count += 1) {
      server.bus.publish("session-changed", payload);
      // The fast one reads everything, so the slow one had its time.
      await fast.events.take(2 + count);
      most = Math.max(most, buffered(server));
    }
    expect(most).toBeLessThan(MEBIBYTE / 4);
    expect(fast.events.items.some(({ event }) => event === "events-lost")).toBe(false);

    let text = "";
    slow.on("data", (data) => {
      text += data.toString("latin1");
      if (text.includes('"event":"events-lost"')) slow.destroy();
    });
    await gone(slow);
    expect(text).toContain('"event":"events-lost"');
  });

  it("is not read: no more answers are made for it than fill the socket", async () => {
    const answer = "x".repeat(64 * 1_024);
    let dispatched = 0;
    const dispatcher = {
      async dispatch() {
        dispatched += 1;
        return { success: true as const, data: answer, error: null };
      },
    };
    await using server = await serve({ dispatcher, limits: { inFlight: 4 } });
    const slow = await openRaw(server);
    await using other = await Client.open(server);
    const requests = 1_000;
    const request = frame(TEXT, '{"command":"search"}');
    slow.write(Buffer.concat(Array.from({ length: requests }, () => request)));
    // Nobody reads, so nothing goes on once the socket is full; the other client is still answered.
    for (let turn = 0; turn < 200; turn += 1) await other.ask({ command: "ping" });
    const atRest = dispatched;
    for (let turn = 0; turn < 200; turn += 1) await other.ask({ command: "ping" });
    expect(dispatched).toBe(atRest + 200);
    expect(dispatched).toBeLessThan(requests);
    expect(buffered(server)).toBeLessThan(MEBIBYTE);
    slow.destroy();
  });

  it("is cut off when nothing gets out for three heartbeats", async () => {
    await using server = await serve({ heartbeatMs: 200 });
    const slow = await openRaw(server);
    while (server.transport.connections > 0) {
      server.bus.publish("session-changed", { changed_paths: ["x".repeat(100_000)], removed_paths: [] });
      await new Promise(setImmediate);
    }
    slow.destroy();
  });
});

describe("the heartbeat", () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ["setInterval"] });
  });

  afterEach(() => {
    vi.useRealTimers();
  });

  const beat = () => vi.advanceTimersByTime(15_000);

  /** Waits until the server has read what a client does about it. */
  async function read({ sockets: [socket] }: TestServer, act: () => unknown): Promise<void> {
    const before = socket?.bytesRead;
    await act();
    while (socket?.bytesRead === before) await new Promise(setImmediate);
  }

  it("ends a connection that misses two pongs", async () => {
    await using server = await serve();
    await using client = await Client.open(server, undefined, "", { autoPong: false });
    for (const count of [1, 2]) {
      beat();
      await client.pings.take(count);
    }
    expect(server.transport.connections).toBe(1);
    beat();
    expect(await client.closed).toMatchObject({ code: 1006 });
    expect(client.pings.items).toHaveLength(2);
  });

  it("keeps a connection that answers, also one that says nothing else", async () => {
    await using server = await serve();
    await using client = await Client.open(server);
    for (let count = 0; count < 8; count += 1) await read(server, beat);
    expect(client.pings.items).toHaveLength(8);
    expect(await client.ask({ command: "ping" })).toMatchObject({ success: true });
  });

  it("keeps a connection whose message takes long: its pongs would have to wait behind it", async () => {
    await using server = await serve();
    const socket = await openRaw(server);
    for (const byte of frame(TEXT, '{"command":"search"}')) {
      beat();
      await read(server, () => socket.write(Buffer.from([byte])));
    }
    while (server.dispatched.length === 0) await new Promise(setImmediate);
    socket.destroy();
  });

  it("keeps a connection that is not read because it has too much in flight", async () => {
    let finish = () => {};
    const finished = new Promise<void>((resolve) => (finish = resolve));
    const dispatcher = {
      async dispatch() {
        await finished;
        return { success: true as const, data: null, error: null };
      },
    };
    await using server = await serve({ dispatcher, limits: { inFlight: 1 } });
    await using client = await Client.open(server);
    for (const id of [1, 2, 3]) client.send({ id, command: "search" });
    while (server.sockets[0]?.isPaused() !== true) await new Promise(setImmediate);
    for (let count = 1; count <= 8; count += 1) {
      beat();
      await client.pings.take(count);
    }
    finish();
    await client.answers.take(3);
  });
});

describe("a message", () => {
  it("may be as large as the limit and no byte larger", async () => {
    await using server = await serve({ limits: { messageBytes: 1_000 } });
    await using client = await Client.open(server);
    const sized = (length: number) => `{"command":"${"x".repeat(length - 14)}"}`;
    expect(await client.ask(sized(1_000))).toMatchObject({ success: true });
    client.send(sized(1_001));
    expect(await client.closed).toMatchObject({ code: 1009 });
  });

  it("is 8 MiB unless the limits say otherwise", async () => {
    await using server = await serve();
    const socket = await openRaw(server);
    socket.write(frame(TEXT, "", { length: 8 * MEBIBYTE + 1 }));
    await gone(socket);
    expect(server.dispatched).toEqual([]);
  });

  it.each<[string, (Buffer | string)[]]>([
    ["garbage", ["GET / HTTP/1.1\r\n\r\n"]],
    ["an unmasked frame", [Buffer.from([0x81, 2, 0x7b, 0x7d])]],
    ["a continuation of nothing", [frame(CONTINUATION, "{}")]],
    ["an unknown opcode", [frame(3, "{}")]],
    ["a compressed frame", [Buffer.from([0xc1, 0x80, 0, 0, 0, 0])]],
    ["text that is not UTF-8", [frame(TEXT, Buffer.from([0xff, 0xfe]))]],
    ["a ping above 125 bytes", [frame(PING, "x".repeat(126))]],
    [
      "fragments without end",
      Array.from({ length: 17_000 }, (_, index) => frame(index === 0 ? TEXT : 0, "", { final: false })),
    ],
  ])("that is %s ends its connection and no other", async (_case, pieces) => {
    await using server = await serve();
    await using other = await Client.open(server);
    const socket = await openRaw(server);
    for (const piece of pieces) socket.write(piece);
    await gone(socket);
    expect(await other.ask({ command: "ping" })).toMatchObject({ success: true });
    expect(server.logged).toEqual([]);
  });

  it("that is torn is dropped with its connection", async () => {
    await using server = await serve();
    const socket = await openRaw(server);
    socket.write(frame(TEXT, '{"command":"search"}').subarray(0, 20));
    socket.destroy();
    while (server.transport.connections > 0) await new Promise(setImmediate);
    expect(server.dispatched).toEqual([]);
  });

  it("may come in pieces, with pings in between", async () => {
    await using server = await serve();
    const socket = await openRaw(server);
    const whole = Buffer.concat([
      frame(TEXT, '{"command":', { final: false }),
      frame(PING, "x"),
      frame(CONTINUATION, '"search"}'),
    ]);
    for (const byte of whole) socket.write(Buffer.from([byte]));
    while (server.dispatched.length === 0) await new Promise(setImmediate);
    expect(server.dispatched[0]?.request).toEqual({ command: "search" });
    socket.destroy();
  });
});
