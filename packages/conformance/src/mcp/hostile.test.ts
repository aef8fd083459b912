import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type RealService, startRealService } from "../real-service.ts";
import { STRANGER } from "../transports.ts";
import { openHttpClient } from "./mcp-client.ts";

let service: RealService;

beforeAll(async () => {
  service = await startRealService({ expectedProblems: ["A wrong API token was rejected."] });
});

afterAll(() => service[Symbol.asyncDispose]());

const JSON_TYPES = { "Content-Type": "application/json", Accept: "application/json, text/event-stream" };
const CALL = { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "list_sessions", arguments: {} } };

async function post(body: unknown, headers: Record<string, string> = {}) {
  const answer = await fetch(`${service.url}/mcp`, {
    method: "POST",
    headers: { ...JSON_TYPES, ...headers },
    body: typeof body === "string" ? body : JSON.stringify(body),
  });
  return { status: answer.status, headers: answer.headers, text: await answer.text() };
}

describe("access to /mcp", () => {
  it("is like that to all routes", async () => {
    expect(await post(CALL)).toMatchObject({ status: 200 });
    expect(await post(CALL, STRANGER)).toMatchObject({ status: 401 });
    expect(await post(CALL, { ...STRANGER, Authorization: "Bearer sm_wrong" })).toMatchObject({ status: 401 });
    expect(await post(CALL, { Origin: "https://evil.example" })).toMatchObject({ status: 403 });
    expect(await post(CALL, { "Sec-Fetch-Site": "cross-site" })).toMatchObject({ status: 403 });
    expect(await post(CALL, { "Content-Type": "text/plain" })).toMatchObject({ status: 415 });
    const { headers } = await post(CALL);
    expect(headers.get("x-content-type-options")).toBe("nosniff");
    expect(headers.get("content-type")).toBe("application/json");
    for (const method of ["GET", "DELETE", "PUT"]) {
      const answer = await fetch(`${service.url}/mcp`, { method, headers: { Accept: "text/event-stream" } });
      expect([answer.status, answer.headers.get("allow")]).toEqual([405, "POST"]);
    }
  });

  it("takes no more than a token of scope read", async () => {
    const { token } = await service.ask<{ token: string }>("create_token", { name: "agent", scope: "read" });
    const headers = { ...STRANGER, Authorization: `Bearer ${token}` };
    await using mcp = await openHttpClient(service.url, "2026-07-28", headers);
    const { data } = await mcp.ask("list_sessions", {});
    expect(data).toMatchObject({ total: 4 });
  });
});

describe("a hostile request", () => {
  const deep = `${"[".repeat(50_000)}${"]".repeat(50_000)}`;
  it.each<[string, unknown, number]>([
    ["no JSON", "{", 400],
    ["nothing", "", 400],
    ["null", null, 400],
    ["no message", { hello: 1 }, 400],
    ["a batch", Array.from({ length: 1_000 }, () => CALL), 400],
    ["a subscription", { jsonrpc: "2.0", id: 1, method: "subscriptions/listen", params: {} }, 404],
    [
      "deep nesting",
      `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"list_sessions","arguments":{"query":${deep}}}}`,
      200,
    ],
    ["a body that is too large", `"${"x".repeat(9_000_000)}"`, 413],
  ])("%s is answered", async (_case, body, status) => {
    const answer = await post(body);
    expect({ status: answer.status, text: answer.text.slice(0, 200) }).toMatchObject({ status });
    const { error, result } = JSON.parse(answer.text);
    expect(error ?? result.isError).toBeTruthy();
  });

  it.each(["tools/nothing", "__proto__", "resources/subscribe", "logging/setLevel"])(
    "has no method %s",
    async (method) => {
      const { text } = await post({ jsonrpc: "2.0", id: 1, method, params: {} });
      expect(JSON.parse(text)).toMatchObject({ error: { code: -32_601 } });
    },
  );

  it.each(["nothing", "__proto__", "constructor", "x".repeat(10_000)])("has no tool %s", async (name) => {
    const { text } = await post({ ...CALL, params: { name, arguments: {} } });
    expect(JSON.parse(text)).toMatchObject({ error: { code: -32_602 } });
    expect(text.length).toBeLessThan(500);
  });

  it("cannot read a file outside of the session directories", async () => {
    await using mcp = await openHttpClient(service.url, "2025-11-25");
    for (const ref of [service.home.outside, "/etc/passwd", "../../etc/passwd", "session:///etc/passwd"]) {
      expect(await mcp.ask("read_session", { ref })).toMatchObject({
        isError: true,
        data: { error: { code: "not_found" } },
      });
    }
  });
});

describe("the configuration", () => {
  it("switches it off", async () => {
    await using off = await startRealService({ config: { mcp: { enabled: false } } });
    const answer = await fetch(`${off.url}/mcp`, { method: "POST", headers: JSON_TYPES, body: JSON.stringify(CALL) });
    expect(answer.status).toBe(404);
  });

  it("allows what would be replaced otherwise", async () => {
    await using open = await startRealService({ config: { mcp: { redact: false } } });
    await using mcp = await openHttpClient(open.url, "2026-07-28");
    expect((await mcp.ask("list_sessions", {})).text).toContain("/home/user/project");
  });
});
