import type { RequestOptions } from "node:http";
import type { Socket } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { PATIENT } from "../patient.ts";
import { codeOf, type Headers, head, PING, postJson, sendBytes, sendRequest } from "../raw-http.ts";
import { type RealService, startRealService } from "../real-service.ts";
import { TestEventStream } from "../test-event-stream.ts";
import { TestSocket } from "../test-socket.ts";

// What hostile clients send instead of requests, each with the answer of the whole service.

let service: RealService;

beforeAll(async () => {
  service = await startRealService();
});

afterAll(() => service[Symbol.asyncDispose]());

const send = (path: string, options: RequestOptions = {}) => sendRequest(service.url + path, options);
const post = (headers: Headers, body = PING) => postJson(service.url, headers, body);
const sendRaw = (...pieces: string[]) => sendBytes(service.url, ...pieces);
const JSON_BODY = { "Content-Type": "application/json" };

describe("malformed and oversized", () => {
  const LIMIT = 8 * 1_048_576;
  const ofBytes = (bytes: number) => {
    const empty = JSON.stringify({ command: "ping", payload: { x: "" } });
    return JSON.stringify({ command: "ping", payload: { x: "x".repeat(bytes - empty.length) } });
  };

  it("a body of 8 MiB → read; a byte more → 413", async () => {
    expect(await post({}, ofBytes(LIMIT))).toMatchObject({ status: 400 });
    const { status, body } = await post({}, ofBytes(LIMIT + 1));
    expect({ status, code: codeOf(body) }).toEqual({ status: 413, code: "PAYLOAD_TOO_LARGE" });
  });

  it("a WebSocket message of 8 MiB → read; a byte more → closed with 1009", async () => {
    await using socket = await TestSocket.open(service.url);
    socket.send(ofBytes(LIMIT));
    expect(await socket.responses.first(() => true)).toMatchObject({ error: { code: "INVALID_PAYLOAD" } });
    socket.send(ofBytes(LIMIT + 1));
    expect(await socket.closed).toMatchObject({ code: 1009 });
  });

  it("a message in endless fragments → closed with 1009", async () => {
    await using socket = await TestSocket.open(service.url);
    const piece = Buffer.alloc(1_048_576, "x");
    for (let count = 0; count < 9; count++) socket.socket.send(piece, { fin: false, binary: false });
    expect(await socket.closed).toMatchObject({ code: 1009 });
  });

  it.each<[attack: string, frame: number[], code: number]>([
    ["a frame without mask", [0x81, 0x02, 0x7b, 0x7d], 1002],
    ["a frame with a reserved bit", [0xc1, 0x80, 0, 0, 0, 0], 1002],
    ["a frame of an unknown kind", [0x83, 0x80, 0, 0, 0, 0], 1002],
    ["a continuation of nothing", [0x80, 0x80, 0, 0, 0, 0], 1002],
    ["text that is no UTF-8", [0x81, 0x82, 0, 0, 0, 0, 0xff, 0xff], 1007],
    ["a length of 2^62 bytes", [0x81, 0xff, 0x40, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0], 1009],
  ])("%s → closed with its code", async (_, frame, code) => {
    await using socket = await TestSocket.open(service.url);
    rawSocketOf(socket).write(Buffer.from(frame));
    expect(await socket.closed).toMatchObject({ code });
  });

  it("half a frame, and gone → nothing stays open", async () => {
    const socket = await TestSocket.open(service.url);
    rawSocketOf(socket).write(Buffer.from([0x81, 0xfe, 0xff]));
    rawSocketOf(socket).destroy();
    await socket.closed;
    await expect.poll(() => service.metric("session_manager_ws_connections"), PATIENT).toBe(0);
  });

  it("a binary message, and text that is no JSON → an answer each, and the connection lives", async () => {
    await using socket = await TestSocket.open(service.url);
    socket.socket.send(Buffer.from(PING), { binary: true });
    socket.send("{");
    expect(await socket.responses.until((items) => items[1])).toMatchObject({ error: { code: "INVALID_REQUEST" } });
    expect(await socket.ask("ping")).toMatchObject({ success: true });
  });

  it.each(["", "-1", "1e3", "NaN", "9".repeat(400), "../../etc/passwd"])(
    "the event stream after the number %j → starts anew, or is refused",
    async (seq) => {
      using stream = await TestEventStream.open(service.url, { "Last-Event-ID": seq });
      await stream.events.first(({ event }) => event === "hello");
      const { status } = await send(`/api/events?topics=${seq}&after_seq=${seq}`);
      expect(status).toBe(400);
    },
  );

  it.each<[attack: string, ...pieces: string[]]>([
    [
      "both Content-Length and Transfer-Encoding",
      head("POST /api HTTP/1.1", { ...JSON_BODY, "Content-Length": "4", "Transfer-Encoding": "chunked" }),
      "0\r\n\r\nGET /metrics HTTP/1.1\r\nHost: x\r\n\r\n",
    ],
    [
      "two different lengths",
      head("POST /api HTTP/1.1", JSON_BODY).replace("\r\n\r\n", "\r\nContent-Length: 2\r\nContent-Length: 40\r\n\r\n"),
      "{}GET /metrics HTTP/1.1\r\nHost: localhost\r\n\r\n",
    ],
    ["a length that is no number", head("POST /api HTTP/1.1", { "Content-Length": "+2" }), "{}"],
    ["an unknown transfer coding", head("POST /api HTTP/1.1", { "Transfer-Encoding": "x, chunked, y" }), "{}"],
    ["a line folded header", "GET /health HTTP/1.1\r\nHost: localhost\r\nX: a\r\n b\r\n\r\n"],
    ["a space before the colon", "GET /health HTTP/1.1\r\nHost: localhost\r\nContent-Length : 2\r\n\r\n{}"],
    ["a bare carriage return", "GET /health HTTP/1.1\r\nHost: localhost\r\nX: a\rY: b\r\n\r\n"],
    ["an endless header", `GET /health HTTP/1.1\r\nHost: localhost\r\nX: ${"x".repeat(40_000)}\r\n\r\n`],
    ["no HTTP at all", "\x16\x03\x01\x02\x00\x01\x00\r\n\r\n"],
  ])("request smuggling, %s → one refusal, and closed", async (_, ...pieces) => {
    const answer = await sendRaw(...pieces);
    expect(answer).toMatch(/^HTTP\/1\.1 4\d\d /);
    expect(answer.match(/HTTP\/1\.1 /g)).toHaveLength(1);
    expect(answer).not.toContain("session_manager_");
  });

  it("two Host headers, one of them right → 403 or refused", async () => {
    const answer = await sendRaw(
      "GET /health HTTP/1.1\r\nHost: localhost\r\nHost: a.example\r\nConnection: close\r\n\r\n",
    );
    expect(answer).toMatch(/^HTTP\/1\.1 40[03] /);
  });

  it("an upgrade to another protocol with a request behind it → each is checked like any other", async () => {
    const offer = {
      Connection: "Upgrade, HTTP2-Settings",
      Upgrade: "h2c",
      "HTTP2-Settings": "AAMAAABkAAQAoAAAAAIAAAAA",
    };
    const answer = await sendRaw(
      head("GET /health HTTP/1.1", offer),
      head("GET /metrics HTTP/1.1", { Host: "rebound.example.com", Connection: "close" }),
    );
    expect(answer.match(/HTTP\/1\.1 \d+/g)).toEqual(["HTTP/1.1 200", "HTTP/1.1 403"]);
  });

  it.each(["TRACE", "OPTIONS", "PUT", "DELETE", "PATCH", "GET", "HEAD"])(
    "%s /api → 405, names POST",
    async (method) => {
      const { status, headers } = await send("/api", { method });
      expect({ status, allow: headers.allow }).toEqual({ status: 405, allow: "POST" });
    },
  );

  it("CONNECT and an absolute target → no proxy", async () => {
    expect(await sendRaw(head("CONNECT example.com:443 HTTP/1.1"))).not.toMatch(/^HTTP\/1\.1 2/);
    const answer = await sendRaw(head("GET http://example.com/metrics HTTP/1.1", { Connection: "close" }));
    expect(answer).not.toContain("Example Domain");
  });

  it.each([
    '{"command":"ping","payload":{"__proto__":{"polluted":1}}}',
    '{"command":"ping","payload":{"constructor":{"prototype":{"polluted":1}}}}',
    '{"__proto__":{"command":"ping"}}',
    '{"command":"__proto__","payload":{}}',
    '{"command":"toString","payload":{}}',
    '{"command":{"toString":"ping"},"payload":{}}',
  ])("prototype keys %s → refused, nothing is inherited", async (body) => {
    expect([400, 404]).toContain((await post({}, body)).status);
    await using socket = await TestSocket.open(service.url);
    socket.send(body);
    expect(await socket.responses.first(() => true)).toMatchObject({ success: false });
    expect(({} as { polluted?: number }).polluted).toBeUndefined();
  });

  it("JSON nested 100,000 deep → refused, the service lives", async () => {
    const body = `{"command":"ping","payload":${"[".repeat(100_000)}${"]".repeat(100_000)}}`;
    expect(await post({}, body)).toMatchObject({ status: 400 });
    expect(await post({})).toMatchObject({ status: 200 });
  });

  it.each([
    "/etc/passwd",
    "../../../../etc/passwd",
    "%2e%2e%2f%2e%2e%2fetc%2fpasswd",
    "/proc/self/environ",
    "file:///etc/passwd",
    "\0/etc/passwd.jsonl",
  ])("path traversal in a download: %j → no file", async (path) => {
    const query = new URLSearchParams({ path, format: "jsonl" });
    const { status, body } = await send(`/api/export?${query}`);
    expect([400, 403]).toContain(status);
    expect(body).not.toContain("root:");
  });

  it.each(["/../../etc/passwd", "/..%2f..%2fetc%2fpasswd", "//etc/passwd", "/%00"])(
    "path traversal in the target: %s → 404",
    async (path) => {
      expect(await sendRaw(head(`GET ${path} HTTP/1.1`, { Connection: "close" }))).toMatch(/^HTTP\/1\.1 40[04] /);
    },
  );
});

function rawSocketOf({ socket }: TestSocket): Socket {
  return (socket as unknown as { _socket: Socket })._socket;
}
