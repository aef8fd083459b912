import type { LibraryStatus } from "@sm/core";
import { describe, expect, it } from "vitest";
import { send, serve, testOptions } from "./test-client.ts";

const STATUS: LibraryStatus = {
  state: "ready",
  reason: null,
  sessions: 7,
  pending: 2,
  skipped_files: 3,
  bytes_done: 1,
  bytes_total: 2,
};

function serveStatus(status: Partial<LibraryStatus>) {
  const { sessions } = testOptions({ logged: [], dispatched: [] });
  return serve({
    sessions: { ...sessions, status: () => ({ ...STATUS, ...status }) },
    startedAt: new Date(Date.now() - 90_500),
  });
}

describe("GET /health", () => {
  it.each(["ready", "indexing"] as const)("is well while the index is %s", async (state) => {
    await using server = await serveStatus({ state });
    const answer = await send(`${server.url}/health`);
    expect(answer.status).toBe(200);
    expect(JSON.parse(answer.body)).toEqual({
      status: "ok",
      version: "1.2.3",
      api_version: 1,
      kind: "home",
      uptime_s: 90,
      index: { state, sessions: 7, pending: 2, skipped_files: 3 },
    });
  });

  it.each([
    ["opening", null, "starting", "The sessions are being scanned."],
    ["degraded", "The disk is full.", "degraded", "The disk is full."],
  ] as const)("says why it is not: %s, %s", async (state, reason, status, expected) => {
    await using server = await serveStatus({ state, reason });
    const answer = await send(`${server.url}/health`);
    expect(answer.status).toBe(503);
    expect(JSON.parse(answer.body)).toMatchObject({ status, reason: expected, index: { state } });
  });

  it.each<[string, Record<string, string>, boolean]>([
    ["nobody known", {}, false],
    ["somebody with a wrong token", { Authorization: "Bearer sm_wrong" }, false],
    ["somebody with a token", { Authorization: "Bearer sm_right" }, true],
  ])("of a broken service names directories to others only with a token: %s", async (_case, headers, isTold) => {
    await using server = await serveStatus({ state: "degraded", reason: "The disk of /home/ada is full." });
    const remote = { "X-Forwarded-For": "203.0.113.7", ...headers };
    const answer = await send(`${server.url}/health`, { headers: remote });
    expect(answer.status).toBe(503);
    const { status, reason } = JSON.parse(answer.body);
    expect(status).toBe("degraded");
    expect(reason).toBe(
      isTold
        ? "The disk of /home/ada is full."
        : "The service is unhealthy. Local clients and clients with a token see the reason.",
    );
  });

  it.each<[string, Record<string, string>, string[], string[]]>([
    ["somebody local", {}, ["/home/ada is read-only."], ["/home/ada is read-only."]],
    [
      "a stranger",
      { "X-Forwarded-For": "203.0.113.7" },
      ["/home/ada is read-only."],
      ["The vault has problems. Local clients and clients with a token see them."],
    ],
    ["a stranger, of none", { "X-Forwarded-For": "203.0.113.7" }, [], []],
  ])("is well in spite of the vault's problems, and tells them to %s", async (_case, headers, problems, told) => {
    await using server = await serve({ vaultProblems: () => problems });
    const answer = await send(`${server.url}/health`, { headers });
    expect(answer.status).toBe(200);
    expect(JSON.parse(answer.body)).toMatchObject({ status: "ok", vault: { problems: told } });
  });

  it("is no way to try one token after the other", async () => {
    await using server = await serveStatus({ state: "degraded", reason: "The disk is full." });
    const headers = { "X-Forwarded-For": "203.0.113.7", Authorization: "Bearer sm_wrong" };
    for (let count = 0; count < 10; count += 1) await send(`${server.url}/health`, { headers });
    expect((await send(`${server.url}/api`, { method: "POST", headers })).status).toBe(429);
  });

  it("proves who answers to whoever sends a nonce", async () => {
    await using server = await serve({ prove: (nonce) => `proof of ${nonce}` });
    const ask = (query: string) => send(`${server.url}/health${query}`);
    const nonce = "0123456789abcdef";
    expect(JSON.parse((await ask(`?nonce=${nonce}`)).body)).toMatchObject({ status: "ok", proof: `proof of ${nonce}` });
    expect(JSON.parse((await ask("")).body)).not.toHaveProperty("proof");
    for (const wrong of ["", "short", "x".repeat(129), "0123456789abcde%0a"]) {
      const { status, body } = await ask(`?nonce=${wrong}`);
      expect({ status, code: JSON.parse(body).error.code }).toEqual({ status: 400, code: "INVALID_PAYLOAD" });
    }
  });

  it("answers HEAD without a body", async () => {
    await using server = await serveStatus({ state: "opening" });
    expect(await send(`${server.url}/health`, { method: "HEAD" })).toMatchObject({ status: 503, body: "" });
  });
});

describe("GET /", () => {
  it("names the API, with the address that was called", async () => {
    await using server = await serve();
    const answer = await send(server.url);
    expect(answer.status).toBe(200);
    expect(answer.headers["content-type"]).toBe("text/html; charset=utf-8");
    expect(answer.body).toContain(`curl -s ${server.url}/api`);
    expect(answer.body).toContain("list_sessions");
    expect(answer.body).toContain("search");
  });

  it("allows no script and nothing from elsewhere", async () => {
    await using server = await serve();
    const { headers, body } = await send(server.url);
    expect(headers["content-security-policy"]).toMatch(/^default-src 'none'; style-src 'sha256-[\w+/=]+'; /);
    expect(headers["content-security-policy"]).not.toContain("unsafe");
    expect(body).not.toMatch(/<script|\bon\w+=|src=|@import|url\(/);
    expect(headers).toMatchObject({ "x-content-type-options": "nosniff", "x-session-manager-version": "1.2.3" });
  });

  it("answers HEAD without a body", async () => {
    await using server = await serve();
    expect(await send(server.url, { method: "HEAD" })).toMatchObject({ status: 200, body: "" });
  });
});
