import { connect, type Socket } from "node:net";
import type { Caller, CommandResponse } from "@sm/router";
import { describe, expect, it } from "vitest";
import { post, send, serve } from "./test-client.ts";

const DONE: CommandResponse = { success: true, data: "done", error: null };

const open = (port: number): Promise<Socket> =>
  new Promise((resolve, reject) => {
    const socket = connect(port, "127.0.0.1", () => resolve(socket));
    socket.once("error", reject);
  });

const closed = (socket: Socket) =>
  new Promise<void>((resolve) => {
    socket.on("error", () => {});
    if (socket.closed) resolve();
    else socket.resume().once("close", () => resolve());
  });

const firstData = (socket: Socket) =>
  new Promise<string>((resolve) => socket.once("data", (data) => resolve(data.toString())));

/** A dispatcher whose answers wait for `release`. */
function held() {
  let release = () => {};
  const released = new Promise<void>((resolve) => (release = resolve));
  let arrived = () => {};
  const arrival = new Promise<void>((resolve) => (arrived = resolve));
  const dispatcher = {
    async dispatch(): Promise<CommandResponse> {
      arrived();
      await released;
      return DONE;
    },
  };
  return { dispatcher, release, arrival };
}

describe("serveHttp", () => {
  it.each([
    ["127.0.0.1", "http://127.0.0.1"],
    ["localhost", "http://localhost"],
    ["::1", "http://[::1]"],
    ["0.0.0.0", "http://127.0.0.1"],
    ["::", "http://[::1]"],
  ])("listening on %s is reached at %s", async (host, url) => {
    await using server = await serve({}, { host });
    expect(server.url).toBe(`${url}:${server.port}`);
    expect((await send(`${server.url}/health`)).status).toBe(200);
  });

  it("rejects if the port is taken", async () => {
    await using server = await serve();
    await expect(serve({}, { port: server.port })).rejects.toMatchObject({ code: "EADDRINUSE" });
  });

  it("closes connections above the limit", async () => {
    await using server = await serve({ limits: { connections: 2 } });
    const first = await open(server.port);
    const second = await open(server.port);
    await closed(await open(server.port));
    expect([first.closed, second.closed]).toEqual([false, false]);
    first.destroy();
    second.destroy();
  });

  it.each([
    ["no HTTP", "\x16\x03\x01 hello\r\n\r\n"],
    ["a wrong length", "POST /api HTTP/1.1\r\nHost: localhost\r\nContent-Length: -1\r\n\r\n"],
    ["two lengths", "POST /api HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n"],
    ["a host that cannot be in an address", "GET / HTTP/1.1\r\nHost: a b\r\n\r\n"],
    ["a target that is no path", "GET a HTTP/1.1\r\nHost: localhost\r\n\r\n"],
  ])("answers %s in the envelope", async (_case, request) => {
    await using server = await serve();
    const socket = await open(server.port);
    socket.write(request);
    const answer = await firstData(socket);
    expect(answer).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n/);
    expect(answer.toLowerCase()).toContain("x-session-manager-version: 1.2.3\r\n");
    expect(answer).toContain('{"success":false,"data":null,"error":{"code":"INVALID_REQUEST"');
    socket.destroy();
  });

  const HEAD = "POST /api HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n";
  const PING = `${HEAD}Content-Length: 2\r\n\r\n{}`;
  it.each([
    [
      "a line without end",
      `GET /${"x".repeat(20_000)} HTTP/1.1\r\n\r\n`,
      "431 Request Header Fields Too Large",
      "16 KiB",
    ],
    ["a head that does not end", HEAD, "408 Request Timeout", "did not arrive in time"],
    ["a second head that does not end", `${PING}${HEAD}`, "408 Request Timeout", "did not arrive in time"],
    ["a body that does not end", `${HEAD}Content-Length: 3\r\n\r\n{`, "408 Request Timeout", "did not arrive in time"],
  ])("answers %s with its status", async (_case, request, status, words) => {
    await using server = await serve({}, { headMs: 200, requestMs: 400 });
    const socket = await open(server.port);
    let answers = "";
    socket.on("data", (data) => (answers += data.toString()));
    socket.write(request);
    await closed(socket);
    const answer = answers.slice(answers.lastIndexOf("HTTP/1.1 "));
    expect(answer.split("\r\n", 1)).toEqual([`HTTP/1.1 ${status}`]);
    expect(answer).toContain('"code":"INVALID_REQUEST"');
    expect(answer).toContain(words);
  });

  it("says nothing where it has begun to answer a request that does not end", async () => {
    const answered: number[] = [];
    await using server = await serve(
      { onRequest: ({ status }) => answered.push(status) },
      { headMs: 100, requestMs: 200 },
    );
    const socket = await open(server.port);
    let answers = "";
    socket.on("data", (data) => (answers += data.toString()));
    // Refused before its body.
    socket.write("POST /api HTTP/1.1\r\nHost: evil.example\r\nContent-Length: 3\r\n\r\n{");
    await closed(socket);
    expect(answers.match(/HTTP\/1\.1 \d+/g)).toEqual(["HTTP/1.1 403"]);
  });

  it.each(["", "Host:\r\n", "Host: \r\n"])("forbids a request without a host: %j", async (header) => {
    await using server = await serve();
    const socket = await open(server.port);
    socket.write(`GET /health HTTP/1.1\r\n${header}\r\n`);
    expect(await firstData(socket)).toMatch(/^HTTP\/1\.1 403 /);
    socket.destroy();
  });
});

describe("many requests at once on one connection", () => {
  it("are no leak of listeners to the process", async () => {
    const warnings: Error[] = [];
    const onWarning = (warning: Error) => warnings.push(warning);
    process.on("warning", onWarning);
    const requests = 30;
    const dispatcher = {
      async dispatch(_request: unknown, { signal }: Caller): Promise<CommandResponse> {
        signal?.addEventListener("abort", () => {});
        return DONE;
      },
    };
    await using server = await serve({ dispatcher });
    const socket = await open(server.port);
    let answers = "";
    socket.on("data", (data) => (answers += data.toString()));
    const ping =
      "POST /api HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}";
    socket.write(ping.repeat(requests));
    await expect.poll(() => answers.match(/"done"/g)).toHaveLength(requests);
    socket.destroy();
    process.off("warning", onWarning);
    expect(warnings).toEqual([]);
  });
});

describe("close", () => {
  it("closes what is idle at once: kept connections and silent ones", async () => {
    const server = await serve({}, { graceMs: 60_000 });
    const kept = await open(server.port);
    kept.write("GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n");
    expect(await firstData(kept)).toContain("200 OK");
    const silent = await open(server.port);
    await Promise.all([server.close(), closed(kept), closed(silent)]);
    await expect(open(server.port)).rejects.toMatchObject({ code: "ECONNREFUSED" });
  });

  it("lets a running request finish", async () => {
    const { dispatcher, release, arrival } = held();
    const server = await serve({ dispatcher }, { graceMs: 60_000 });
    const answer = post(server, "{}", { Connection: "keep-alive" });
    await arrival;
    const closing = server.close();
    await expect(open(server.port)).rejects.toMatchObject({ code: "ECONNREFUSED" });
    release();
    expect(await answer).toMatchObject({ status: 200, headers: { connection: "close" } });
    await closing;
  });

  it("cuts off what does not finish in time", async () => {
    const { dispatcher, arrival } = held();
    const server = await serve({ dispatcher }, { graceMs: 30 });
    const answer = post(server, "{}").catch((error: unknown) => error);
    await arrival;
    await server.close();
    expect(await answer).toMatchObject({ code: "ECONNRESET" });
  });

  it("may be called twice", async () => {
    const server = await serve();
    await Promise.all([server.close(), server.close()]);
  });
});
