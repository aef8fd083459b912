import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { once } from "node:events";
import type { Server } from "node:http";
import { connect, type Socket } from "node:net";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { PATIENT } from "../patient.ts";
import { head, postJson, sendRequest } from "../raw-http.ts";
import { type RealService, startRealService } from "../real-service.ts";
import { TestEventStream } from "../test-event-stream.ts";
import { startTestServer } from "../test-server.ts";
import { TestSocket } from "../test-socket.ts";
import { STRANGER } from "../transports.ts";

// What clients ask too much of, or read too little, each with what the whole service does.

let service: RealService;

beforeAll(async () => {
  service = await startRealService();
});

afterAll(() => service[Symbol.asyncDispose]());

describe("too much at once", () => {
  it("300 commands at once on one WebSocket → all answered, in order", async () => {
    await using socket = await TestSocket.open(service.url);
    const commands = Array.from({ length: 300 }, (_, place) => (place % 3 === 0 ? "scan_sessions" : "ping"));
    for (const command of commands) socket.send({ command });
    await socket.responses.until((items) => items[299]);
    expect(socket.responses.items.map(({ command, success }) => [command, success])).toEqual(
      commands.map((command) => [command, true]),
    );
  });

  it("the 1,025th connection → closed as it comes, and again let in when one has gone", async () => {
    await using own = await startRealService({
      expectedProblems: ["A connection was closed because too many are open."],
    });
    const { port } = new URL(own.url);
    const open: Socket[] = [];
    const openOne = () =>
      new Promise<boolean>((resolve) => {
        const socket = connect(Number(port), "127.0.0.1");
        // The first bytes of a stream, which then stays open, say that the connection has been let in.
        socket.write(head("GET /api/events HTTP/1.1"));
        socket.once("data", () => {
          open.push(socket);
          resolve(true);
        });
        socket.on("error", () => resolve(false)).once("close", () => resolve(false));
      });
    try {
      while (open.length < 1_024 && (await openOne()));
      // The test's own client keeps one or two connections.
      expect(open.length).toBeGreaterThan(1_020);
      while (await openOne());
      expect(open.length).toBeLessThanOrEqual(1_024);
      open.pop()?.destroy();
      await expect.poll(openOne, PATIENT).toBe(true);
    } finally {
      for (const socket of open) socket.destroy();
    }
  });

  it("a stranger on a WebSocket who sends more than a token takes → cut off", async () => {
    await using socket = await TestSocket.open(service.url, { headers: STRANGER });
    socket.send({ command: "auth", payload: { token: "x".repeat(1_048_576) } });
    // 1006: without the courtesy of a closing handshake.
    expect(await socket.closed).toMatchObject({ code: 1006 });
    expect(socket.responses.items).toEqual([]);
  });

  it("slow loris: headers that never end → the server gives them bounded time", async () => {
    let server: Server | undefined;
    const channel = "http.server.request.start";
    const onRequest = (message: unknown) => {
      server = (message as { server: Server }).server;
    };
    subscribe(channel, onRequest);
    await sendRequest(`${service.url}/health`);
    unsubscribe(channel, onRequest);
    expect(server?.headersTimeout).toBeGreaterThan(0);
    expect(server?.headersTimeout).toBeLessThanOrEqual(60_000);
    expect(server?.requestTimeout).toBeGreaterThan(0);
    expect(server?.requestTimeout).toBeLessThanOrEqual(300_000);
    expect(server?.maxConnections).toBe(1_024);
  });

  it("a WebSocket client that asks on and on and reads nothing → it is read from no more", async () => {
    const content = "x".repeat(1_048_576);
    const path = await service.home.add("heavy", [
      { type: "session", version: 3, id: "heavy", timestamp: new Date().toISOString(), cwd: "/" },
      { type: "message", id: "h1", parentId: null, timestamp: null, message: { role: "user", content } },
    ]);
    await service.settled();
    await using socket = await TestSocket.open(service.url);
    const answered = () => answeredCommands("read_session_file");
    const before = await answered();
    socket.socket.pause();
    for (let count = 0; count < 2_000; count++) socket.send({ command: "read_session_file", payload: { path } });
    let last = -1;
    for (let now = await answered(); now > last; now = await answered()) {
      last = now;
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
    // A bound on what waits: at most what may be under way, and what the buffers of the system hold.
    expect(last - before).toBeLessThan(300);
    expect(await postJson(service.url)).toMatchObject({ status: 200 });
  });

  it("a client that follows events and reads nothing → events-lost, bounded memory, others are served", async () => {
    await using server = await startTestServer();
    await using slowSocket = await TestSocket.open(server.url);
    using slowStream = await TestEventStream.open(server.url);
    await using reader = await TestSocket.open(server.url);
    await Promise.all([slowSocket, slowStream, reader].map(({ events }) => events.first(() => true)));
    slowSocket.socket.pause();
    slowStream.pause();
    // Keeps nothing of what it reads.
    reader.socket.removeAllListeners("message");
    const payload = { version_id: "x".repeat(65_536) };
    const before = await memoryInUse();
    for (let count = 0; count < 2_000; count++) {
      const read = once(reader.socket, "message");
      server.bus.publish("config-changed", payload);
      await read;
    }
    // 125 MiB have passed each of them.
    expect((await memoryInUse()) - before).toBeLessThan(16 * 1_048_576);
    slowSocket.socket.resume();
    slowStream.resume();
    await slowSocket.events.first(({ event }) => event === "events-lost");
    await slowStream.events.first(({ event }) => event === "events-lost");
  });
});

async function memoryInUse(): Promise<number> {
  setFlagsFromString("--expose-gc");
  const collectGarbage = runInNewContext("gc");
  collectGarbage();
  // Buffers that it frees are given back afterwards.
  await new Promise((resolve) => setTimeout(resolve, 100));
  collectGarbage();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

async function answeredCommands(command: string): Promise<number> {
  const { body } = await sendRequest(`${service.url}/metrics`);
  const lines = body.matchAll(
    new RegExp(`^session_manager_commands_total\\{.*command="${command}".*\\} (\\d+)$`, "gm"),
  );
  return [...lines].reduce((sum, [, count]) => sum + Number(count), 0);
}
