import { connect } from "node:net";
import { ERROR_STATUS, type ErrorCode, type ErrorDetails } from "@sm/core";
import { type CommandResponse, failure } from "@sm/router";
import { describe, expect, it } from "vitest";
import { post, send, serve } from "./test-client.ts";

const PING = '{"command":"ping"}';

const errorOf = (body: string) => (JSON.parse(body) as CommandResponse).error;

describe("POST /api", () => {
  it("hands the decoded request on and sends the envelope", async () => {
    await using server = await serve();
    const answer = await post(server, '{"command":"search","payload":{"query":"ä"}}');
    expect(answer).toMatchObject({ status: 200, body: '{"success":true,"data":"done","error":null}' });
    expect(answer.headers).toMatchObject({
      "content-type": "application/json",
      "x-session-manager-version": "1.2.3",
      "x-content-type-options": "nosniff",
      "cross-origin-resource-policy": "same-origin",
      "cross-origin-opener-policy": "same-origin",
      "cache-control": "no-store",
    });
    expect(server.dispatched).toEqual([{ command: "search", payload: { query: "ä" } }]);
  });

  it.each(Object.entries(ERROR_STATUS) as [ErrorCode, number][])("answers %s with %d", async (code, status) => {
    const response = failure({ code, message: "No.", details: null });
    await using server = await serve({ dispatcher: { dispatch: async () => response } });
    const answer = await post(server, PING);
    expect(answer.status).toBe(status);
    expect(JSON.parse(answer.body)).toEqual(response);
    expect(answer.headers["www-authenticate"]).toBe(code === "UNAUTHORIZED" ? "Bearer" : undefined);
  });

  it.each(["application/json", "Application/JSON", "application/json; charset=utf-8", "application/json ;a=b"])(
    "takes %s",
    async (type) => {
      await using server = await serve();
      expect((await post(server, PING, { "Content-Type": type })).status).toBe(200);
    },
  );

  it.each(["text/plain", "application/x-www-form-urlencoded", "application/jsonp", "text/plain;application/json", ""])(
    "does not take %j, which a web page may send without asking",
    async (type) => {
      await using server = await serve();
      const answer = await post(server, PING, { "Content-Type": type });
      expect(answer.status).toBe(415);
      expect(errorOf(answer.body)?.code).toBe("UNSUPPORTED_MEDIA_TYPE");
      expect(server.dispatched).toEqual([]);
    },
  );

  it.each<[string, string | Uint8Array]>([
    ["an empty body", ""],
    ["a torn body", '{"command":"pi'],
    ["no JSON", "secret=1"],
    ["bytes that are not UTF-8", Buffer.from('{"command":"\xe9"}', "latin1")],
    ["brackets without end", "[".repeat(1_000_000)],
  ])("calls %s no request, and does not repeat it", async (_case, body) => {
    await using server = await serve();
    const answer = await post(server, body);
    expect(answer.status).toBe(400);
    expect(errorOf(answer.body)).toEqual({
      code: "INVALID_REQUEST",
      message: "The request body is not valid JSON in UTF-8.",
      details: null,
    });
    expect(server.logged).toEqual([]);
  });

  it("reads JSON that is nested as deep as a body may be", async () => {
    await using server = await serve();
    const depth = 4_000_000;
    expect((await post(server, "[".repeat(depth) + "]".repeat(depth))).status).toBe(200);
  });

  it("takes a byte order mark", async () => {
    await using server = await serve();
    expect((await post(server, `\uFEFF${PING}`)).status).toBe(200);
  });

  it.each<[ErrorCode, object | null, string | undefined]>([
    ["RATE_LIMITED", { retry_after_ms: 1 }, "1"],
    ["RATE_LIMITED", { retry_after_ms: 59_001 }, "60"],
    ["UNAVAILABLE", { retry_after_ms: 2_000 }, "2"],
    ["UNAVAILABLE", null, undefined],
    ["INVALID_PAYLOAD", [{ path: "retry_after_ms", message: "No." }], undefined],
  ])("tells a client of %s %j when to come back", async (code, details, expected) => {
    const response = failure({ code, message: "Later.", details: details as ErrorDetails });
    await using server = await serve({ dispatcher: { dispatch: async () => response } });
    const answer = await post(server, PING);
    expect(answer.headers["retry-after"]).toBe(expected);
    expect(errorOf(answer.body)?.details).toEqual(details);
  });

  it("hides what goes wrong while answering", async () => {
    const circular: unknown[] = [];
    circular.push(circular);
    const dispatcher = {
      dispatch: async (): Promise<CommandResponse> => ({ success: true, data: circular, error: null }),
    };
    await using server = await serve({ dispatcher });
    const answer = await post(server, PING);
    expect(answer.status).toBe(500);
    expect(errorOf(answer.body)).toMatchObject({ code: "INTERNAL", message: expect.stringContaining("request_id") });
    expect(answer.body).not.toContain("circular");
    expect(server.logged).toHaveLength(1);
  });
});

describe("POST /api/commands/{command}", () => {
  const call = (server: { url: string }, name: string, body: string, type = "application/json") =>
    send(`${server.url}/api/commands/${name}`, { method: "POST", headers: { "Content-Type": type }, body });

  it.each<[string, string, object]>([
    ["search", '{"query":"ä"}', { command: "search", payload: { query: "ä" } }],
    ["ping", "", { command: "ping", payload: null }],
    ["ping", "null", { command: "ping", payload: null }],
    ["ping", "[]", { command: "ping", payload: [] }],
    ["ping", '{"command":"delete_session"}', { command: "ping", payload: { command: "delete_session" } }],
    ["__proto__", "{}", { command: "__proto__", payload: {} }],
    ["no%20such%2Fcommand", "{}", { command: "no such/command", payload: {} }],
    ["%ff", "{}", { command: "%ff", payload: {} }],
  ])("%s with the body %j is a request like any other", async (name, body, request) => {
    await using server = await serve();
    const answer = await call(server, name, body);
    expect(answer).toMatchObject({ status: 200, body: '{"success":true,"data":"done","error":null}' });
    expect(answer.headers).toMatchObject({ "x-session-manager-version": "1.2.3", "cache-control": "no-store" });
    expect(server.dispatched).toEqual([request]);
  });

  it.each<[string, string, string, string, ErrorCode]>([
    ["no JSON", "ping", "secret=1", "application/json", "INVALID_REQUEST"],
    ["another type", "ping", "{}", "text/plain", "UNSUPPORTED_MEDIA_TYPE"],
    ["no type", "ping", "", "", "UNSUPPORTED_MEDIA_TYPE"],
    ["a body that is too large", "ping", `"${"x".repeat(8 * 1_048_576)}"`, "application/json", "PAYLOAD_TOO_LARGE"],
    ["no name", "", "{}", "application/json", "NOT_FOUND"],
    ["a path below", "ping/more", "{}", "application/json", "NOT_FOUND"],
  ])("refuses %s", async (_case, name, body, type, code) => {
    await using server = await serve();
    const answer = await call(server, name, body, type);
    expect(answer.status).toBe(ERROR_STATUS[code]);
    expect(errorOf(answer.body)?.code).toBe(code);
    expect(server.dispatched).toEqual([]);
  });

  it("has the status of the answer's code", async () => {
    const response = failure({ code: "CONFLICT", message: "No.", details: null });
    await using server = await serve({ dispatcher: { dispatch: async () => response } });
    const answer = await call(server, "ping", "{}");
    expect(answer).toMatchObject({ status: 409, body: JSON.stringify(response) });
  });
});

describe("the size of a body", () => {
  const LIMIT = 8 * 1_048_576;
  const sized = (length: number) => Buffer.from(`{"command":"${"x".repeat(length - 14)}"}`);

  it.each([
    ["with a length", (body: Buffer) => body],
    ["in chunks", (body: Buffer) => [body.subarray(0, LIMIT / 2), body.subarray(LIMIT / 2)]],
  ])("may be 8 MiB and no byte more: %s", async (_case, pieces) => {
    await using server = await serve();
    expect((await post(server, pieces(sized(LIMIT)))).status).toBe(200);
    const refused = await post(server, pieces(sized(LIMIT + 1)));
    expect(refused.status).toBe(413);
    expect(errorOf(refused.body)?.code).toBe("PAYLOAD_TOO_LARGE");
    expect(server.dispatched).toHaveLength(1);
  });

  it("is refused from its length alone, before it comes", async () => {
    await using server = await serve({ limits: { bodyBytes: 10 } });
    const answer = await exchange(server.port, [
      `POST /api HTTP/1.1\r\nHost: localhost:${server.port}\r\nContent-Type: application/json\r\nContent-Length: 99999999999\r\n\r\n{`,
    ]);
    expect(answer).toMatch(/^HTTP\/1\.1 413 /);
  });

  it("is refused while it comes, whatever is still to come", async () => {
    await using server = await serve({ limits: { bodyBytes: 10 } });
    const head = `POST /api HTTP/1.1\r\nHost: localhost:${server.port}\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n`;
    const answer = await exchange(server.port, [head, "b\r\n01234567890\r\n"]);
    expect(answer).toMatch(/^HTTP\/1\.1 413 /);
  });

  it("may be cut short by a client that leaves", async () => {
    await using server = await serve();
    const socket = connect(server.port, "127.0.0.1");
    socket.write(
      `POST /api HTTP/1.1\r\nHost: localhost:${server.port}\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{"a"`,
    );
    await new Promise((resolve) => setTimeout(resolve, 50));
    socket.destroy();
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(server.logged).toEqual([]);
    expect((await post(server, PING)).status).toBe(200);
  });
});

describe("other routes", () => {
  it.each(["/api/", "/apis", "/ws", "/%2e%2e/etc/passwd", "//evil.example"])(
    "answers %s in the envelope",
    async (path) => {
      await using server = await serve();
      const answer = await send(server.url + path);
      expect(answer.status).toBe(404);
      expect(JSON.parse(answer.body)).toMatchObject({ success: false, data: null, error: { code: "NOT_FOUND" } });
      expect(answer.headers["x-session-manager-version"]).toBe("1.2.3");
    },
  );

  it.each([
    ["GET", "/api", "POST"],
    ["OPTIONS", "/api", "POST"],
    ["GET", "/api/commands/ping", "POST"],
    ["POST", "/api/openapi.json", "GET, HEAD"],
    ["POST", "/health", "GET, HEAD"],
    ["POST", "/api/export", "GET, HEAD"],
    ["DELETE", "/", "GET, HEAD"],
    ["POST", "/metrics", "GET, HEAD"],
    ["POST", "/api/events", "GET, HEAD"],
    ["POST", "/ws", "GET, HEAD"],
  ])("names the methods for %s %s", async (method, path, allow) => {
    await using server = await serve({
      mounts: { "/api/events": () => {} },
      onUpgrade: () => {},
      metrics: { contentType: "text/plain", text: async () => "" },
      openApi: async () => ({}),
    });
    const answer = await send(server.url + path, { method });
    expect(answer).toMatchObject({ status: 405, headers: { allow, "x-session-manager-version": "1.2.3" } });
    expect(errorOf(answer.body)?.code).toBe("INVALID_REQUEST");
  });
});

/** Writes raw bytes and resolves with the first that come back. */
function exchange(port: number, pieces: string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, "127.0.0.1");
    socket.on("error", reject);
    socket.once("data", (data) => {
      resolve(data.toString());
      socket.destroy();
    });
    for (const piece of pieces) socket.write(piece);
  });
}
