import { once } from "node:events";
import { request } from "node:http";
import { connect, type Socket } from "node:net";
import type { Duplex } from "node:stream";
import { describe, expect, it } from "vitest";
import { post, type Served, send, serve } from "./test-client.ts";

const HANDSHAKE = { Connection: "Upgrade", Upgrade: "websocket" };

/** Changes to a protocol that repeats what it is sent. */
function echo(_request: unknown, socket: Duplex, head: Buffer): void {
  socket.write("HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n");
  socket.write(head);
  socket.pipe(socket);
}

/** Makes a handshake and gives the connection once it is made. */
function upgrade(server: Served, path = "/ws"): Promise<Duplex> {
  return new Promise((resolve, reject) => {
    const outgoing = request(server.url + path, { headers: HANDSHAKE, agent: false });
    outgoing.on("upgrade", (_answer, socket) => resolve(socket)).on("error", reject);
    outgoing.on("response", ({ statusCode }) => reject(new Error(`It was answered with ${statusCode}.`)));
    outgoing.end();
  });
}

const closed = (socket: Duplex) => once(socket.resume(), "close");

describe("a WebSocket handshake", () => {
  it("is handed over with the connection", async () => {
    await using server = await serve({ onUpgrade: echo });
    const socket = await upgrade(server);
    socket.write("hello");
    expect((await once(socket, "data")).toString()).toBe("hello");
    socket.destroy();
  });

  it("is an ordinary request where there are no WebSockets", async () => {
    await using server = await serve();
    const answer = await send(`${server.url}/ws`, { headers: HANDSHAKE });
    expect(answer.status).toBe(404);
    expect(JSON.parse(answer.body)).toMatchObject({ success: false, error: { code: "NOT_FOUND" } });
  });

  it("that a proxy has lost is told what is missing", async () => {
    await using server = await serve({ onUpgrade: echo });
    const answer = await send(`${server.url}/ws`);
    expect(answer).toMatchObject({ status: 426, headers: { upgrade: "websocket" } });
    expect(JSON.parse(answer.body)).toMatchObject({ success: false, error: { code: "INVALID_REQUEST" } });
  });
});

describe("another offer to change the protocol", () => {
  const OFFER = { Connection: "Upgrade, HTTP2-Settings", Upgrade: "h2c", "HTTP2-Settings": "AAMAAABkAAQAAP__" };

  it("is ignored", async () => {
    await using server = await serve({ onUpgrade: () => expect.unreachable() });
    expect((await send(`${server.url}/health`, { headers: OFFER })).status).toBe(200);
    const strange = await send(`${server.url}/health`, { headers: { ...OFFER, Host: "rebound.example.com" } });
    expect(strange.status).toBe(403);
  });

  it.each([
    ["with a length", '{"command":"ä"}'],
    ["in chunks", [Buffer.from('{"command":'), Buffer.from('"ä"}')]],
    ["of some size", `{"command":"${"x".repeat(1_000_000)}"}`],
  ])("is ignored with a body %s", async (_case, body) => {
    await using server = await serve({ onUpgrade: () => expect.unreachable() });
    const answer = await post(server, body, OFFER);
    expect(answer.status).toBe(200);
    expect(server.dispatched).toEqual([JSON.parse([body].flat().join(""))]);
  });

  it("leaves the connection open for what follows, unless the client wants it closed", async () => {
    await using server = await serve({ onUpgrade: () => expect.unreachable() });
    const head = (connection: string) =>
      `GET /health HTTP/1.1\r\nHost: localhost\r\nConnection: ${connection}\r\nUpgrade: h2c\r\n\r\n`;
    const socket = connect(server.port, "127.0.0.1");
    for (const connection of ["Upgrade", "Upgrade", "Upgrade, close"]) {
      socket.write(head(connection));
      expect((await once(socket, "data")).toString()).toContain("200 OK");
    }
    await closed(socket);
  });
});

describe("upgraded and streaming connections", () => {
  const stream = {
    "/api/events": (_incoming: unknown, outgoing: { write(text: string): void }) => outgoing.write(": open\n\n"),
  };

  async function openStream(server: Served): Promise<Socket> {
    const socket = connect(server.port, "127.0.0.1");
    socket.write("GET /api/events HTTP/1.1\r\nHost: localhost\r\n\r\n");
    expect((await once(socket, "data")).toString()).toContain("200 OK");
    return socket;
  }

  it("count as connections", async () => {
    await using server = await serve({ onUpgrade: echo, mounts: stream, limits: { connections: 2 } });
    const upgraded = await upgrade(server);
    const streaming = await openStream(server);
    const third = connect(server.port, "127.0.0.1");
    await closed(third);
    upgraded.destroy();
    streaming.destroy();
  });

  it("do not hold up the end: what is upgraded is closed at once", async () => {
    const server = await serve({ onUpgrade: echo }, { graceMs: 60_000 });
    const upgraded = await upgrade(server);
    await Promise.all([server.close(), closed(upgraded)]);
  });

  it("do not hold up the end: what streams is closed as soon as its answer ends", async () => {
    const endings: (() => void)[] = [];
    const mounts = {
      "/api/events": (_incoming: unknown, outgoing: { write(text: string): void; end(): void }) => {
        outgoing.write(": open\n\n");
        endings.push(() => outgoing.end());
      },
    };
    const server = await serve({ mounts }, { graceMs: 60_000 });
    const streaming = await openStream(server);
    for (const end of endings) end();
    await Promise.all([server.close(), closed(streaming)]);
  });
});
