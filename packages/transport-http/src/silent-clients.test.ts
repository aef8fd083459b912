import { readdirSync, readlinkSync } from "node:fs";
import { connect, type Socket } from "node:net";
import { setTimeout as wait } from "node:timers/promises";
import { AnswerBudget } from "@sm/router";
import { afterEach, describe, expect, it } from "vitest";
import { post, send, serve, testOptions } from "./test-client.ts";

const clients: Socket[] = [];

afterEach(() => {
  for (const client of clients.splice(0)) client.destroy();
});

/** A client that writes `bytes`, reads nothing and leaves its own side of the connection open. */
function open({ port }: { port: number }, bytes: string): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: "127.0.0.1", allowHalfOpen: true }, () => {
      socket.pause();
      if (bytes !== "") socket.write(bytes);
      resolve(socket);
    });
    socket.on("error", reject);
    clients.push(socket);
  });
}

/** Sockets that this process holds: those of the clients, and those of the server. */
function openSockets(): number {
  const isSocket = (name: string) => {
    try {
      return readlinkSync(`/proc/self/fd/${name}`).startsWith("socket:");
    } catch {
      // The descriptor with which the folder was read.
      return false;
    }
  };
  return readdirSync("/proc/self/fd").filter(isSocket).length;
}

const ask = (line: string, more = "") => `${line} HTTP/1.1\r\nHost: localhost\r\n${more}\r\n`;
const PING = ask("POST /api", "Content-Type: application/json\r\nContent-Length: 2\r\n").concat("{}");

const COUNT = 50;

describe.skipIf(process.platform !== "linux")("the descriptors of clients that do not read and do not close", () => {
  it.each([
    ["send nothing", ""],
    ["do not end the head of their request", "GET / HTTP/1.1\r\nHost:"],
    ["send what is no HTTP", "no HTTP\r\n\r\n"],
    ["send what is no HTTP after a request", `${PING}no HTTP\r\n\r\n`],
    ["announce a length that is none", ask("POST /api", "Content-Length: -1\r\n")],
    ["ask once", PING],
    ["ask once and for the end", ask("GET /health", "Connection: close\r\n")],
    ["are forbidden to come in", "GET / HTTP/1.1\r\nHost: evil.example\r\n\r\n"],
    ["ask for an upgrade that is refused", ask("GET /ws", "Connection: Upgrade\r\nUpgrade: websocket\r\n")],
    [
      "offer HTTP/2",
      ask("GET /health", "Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AA\r\n"),
    ],
  ])("are given back where they %s", async (_case, bytes) => {
    await using server = await serve({}, { headMs: 100, stallMs: 100 });
    const before = openSockets();
    for (let count = 0; count < COUNT; count++) await open(server, bytes);
    // Theirs alone.
    await expect.poll(openSockets, { timeout: 20_000 }).toBe(before + COUNT);
  });

  it("are given back where heads come a byte at a time", async () => {
    await using server = await serve({}, { headMs: 100, stallMs: 20_000 });
    const before = openSockets();
    const drips = await Promise.all(Array.from({ length: COUNT }, () => open(server, "GET / HTTP/1.1\r\nX: ")));
    for (const drip of drips) drip.on("error", () => {});
    const dripping = setInterval(() => {
      for (const drip of drips) drip.write("x");
    }, 20);
    try {
      // What is written to a connection that has gone ends the client's own side, too.
      await expect.poll(openSockets, { timeout: 20_000 }).toBeLessThanOrEqual(before + COUNT);
    } finally {
      clearInterval(dripping);
    }
  });
});

describe("an answer of which the client takes nothing", () => {
  const LONG = "x".repeat(24 * 1_048_576);

  const closed = ({ port }: { port: number }, bytes: string) =>
    open({ port }, bytes).then((socket) => {
      socket.on("error", () => {});
      return socket;
    });

  it("is cut off: one whole text", async () => {
    const answered: number[] = [];
    const dispatcher = { dispatch: async () => ({ success: true as const, data: LONG, error: null }) };
    await using server = await serve(
      { dispatcher, onRequest: ({ status }) => answered.push(status) },
      { stallMs: 100 },
    );
    await closed(server, PING);
    await expect.poll(() => answered, { timeout: 20_000 }).toEqual([200]);
  });

  it("is cut off: a download, whose source is closed", async () => {
    let isClosed = false;
    async function* chunks() {
      try {
        for (;;) yield Buffer.alloc(65_536);
      } finally {
        isClosed = true;
      }
    }
    const { sessions } = testOptions({ logged: [], dispatched: [] });
    const exportStream = async () => ({ file_name: "a.jsonl", media_type: "application/x-ndjson", chunks: chunks() });
    await using server = await serve({ sessions: { ...sessions, exportStream } }, { stallMs: 100 });
    await closed(server, ask("GET /api/export?path=/s/a.jsonl&format=jsonl"));
    await expect.poll(() => isClosed, { timeout: 20_000 }).toBe(true);
    expect(server.logged).toEqual([]);
  });

  it("gives its share of the budget to who waits, one silent client after the other", async () => {
    const budget = new AnswerBudget({ bytes: 1 });
    const PIECES = 256;
    let open = 0;
    let most = 0;
    let begun = 0;
    async function* chunks() {
      begun++;
      most = Math.max(most, ++open);
      try {
        for (let n = 0; n < PIECES; n++) yield Buffer.alloc(65_536);
      } finally {
        open--;
      }
    }
    const { sessions } = testOptions({ logged: [], dispatched: [] });
    const exportStream = async () => ({ file_name: "a.jsonl", media_type: "application/x-ndjson", chunks: chunks() });
    await using server = await serve({ budget, sessions: { ...sessions, exportStream } }, { stallMs: 100 });
    const path = "/api/export?path=/s/a.jsonl&format=jsonl";
    for (let n = 0; n < 4; n++) await closed(server, ask(`GET ${path}`));
    const { status, body } = await send(`${server.url}${path}`);
    expect([status, body.length, most]).toEqual([200, PIECES * 65_536, 1]);
    await expect
      .poll(() => [begun, open, budget.reservedBytes, budget.waiting], { timeout: 20_000 })
      .toEqual([5, 0, 0, 0]);
  });

  it("is cut off although the client goes on asking", async () => {
    const answered: number[] = [];
    const dispatcher = { dispatch: async () => ({ success: true as const, data: LONG, error: null }) };
    await using server = await serve(
      { dispatcher, onRequest: ({ status }) => answered.push(status) },
      { stallMs: 200 },
    );
    const socket = await closed(server, PING);
    const asking = setInterval(() => socket.write(PING), 50);
    try {
      await expect.poll(() => answered.length, { timeout: 20_000 }).toBeGreaterThan(0);
    } finally {
      clearInterval(asking);
    }
  });

  it("is not cut off while the client takes some of it", async () => {
    const dispatcher = { dispatch: async () => ({ success: true as const, data: LONG, error: null }) };
    await using server = await serve({ dispatcher }, { stallMs: 500 });
    const socket = await closed(server, PING.replace("\r\n", "\r\nConnection: close\r\n"));
    let received = 0;
    while (!socket.readableEnded && !socket.destroyed) {
      const piece: Buffer | null = socket.read(1_048_576) ?? socket.read();
      received += piece?.length ?? 0;
      await wait(50);
    }
    expect(received).toBeGreaterThan(LONG.length);
  }, 30_000);

  it("is waited for: a command may take longer", async () => {
    const stallMs = 50;
    const dispatcher = {
      async dispatch() {
        await wait(5 * stallMs);
        return { success: true as const, data: "done", error: null };
      },
    };
    await using server = await serve({ dispatcher }, { stallMs });
    expect((await post(server, "{}")).body).toContain("done");
  });
});
