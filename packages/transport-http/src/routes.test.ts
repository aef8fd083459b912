import type { Admission } from "@sm/router/access";
import { describe, expect, it } from "vitest";
import type { AnsweredRequest, HttpOptions } from "./options.ts";
import { post, send, serve } from "./test-client.ts";

describe("GET /metrics", () => {
  const metrics = { contentType: "text/plain; version=0.0.4", text: async () => "a 1\n" };

  it("gives the text with its own type", async () => {
    await using server = await serve({ metrics });
    const answer = await send(`${server.url}/metrics`);
    expect(answer).toMatchObject({ status: 200, body: "a 1\n", headers: { "content-type": metrics.contentType } });
    expect(answer.headers["x-session-manager-version"]).toBe("1.2.3");
  });

  it("answers HEAD without a body", async () => {
    await using server = await serve({ metrics });
    const answer = await send(`${server.url}/metrics`, { method: "HEAD" });
    expect(answer).toMatchObject({ status: 200, body: "", headers: { "content-type": metrics.contentType } });
  });

  it("hides why there is no text", async () => {
    const text = () => Promise.reject(new Error("secret"));
    await using server = await serve({ metrics: { ...metrics, text } });
    const answer = await send(`${server.url}/metrics`);
    expect(answer.status).toBe(500);
    expect(answer.body).not.toContain("secret");
  });

  it("is not there where nobody counts", async () => {
    await using server = await serve();
    expect((await send(`${server.url}/metrics`)).status).toBe(404);
  });
});

describe("GET /api/openapi.json", () => {
  it("gives the description", async () => {
    await using server = await serve({ openApi: async () => ({ openapi: "3.1.0" }) });
    const answer = await send(`${server.url}/api/openapi.json`);
    expect(answer).toMatchObject({ status: 200, body: '{"openapi":"3.1.0"}' });
    expect(answer.headers).toMatchObject({ "content-type": "application/json", "x-session-manager-version": "1.2.3" });
  });

  it("is not there where nobody describes", async () => {
    await using server = await serve();
    expect((await send(`${server.url}/api/openapi.json`)).status).toBe(404);
  });
});

describe("a mount", () => {
  it("answers on Node's own response, and knows who asks", async () => {
    const admitted: Admission[] = [];
    const mounts: HttpOptions["mounts"] = {
      "/api/events": (incoming, outgoing, admission) => {
        admitted.push(admission);
        outgoing.writeHead(200, { "Content-Type": "text/event-stream" });
        outgoing.write(`data: ${incoming.url}\n\n`);
        // Long after the routes are done with it.
        setTimeout(() => outgoing.end("data: end\n\n"), 20);
      },
    };
    await using server = await serve({ mounts });
    const headers = { "X-Forwarded-For": "203.0.113.7" };
    const answer = await send(`${server.url}/api/events?token=sm_right&a=1`, { headers });
    expect(answer).toMatchObject({ status: 200, body: "data: /api/events?token=sm_right&a=1\n\ndata: end\n\n" });
    expect(admitted).toMatchObject([{ caller: { local: false, scope: "full", tokenId: "1" } }]);
  });

  it("is not troubled by HEAD", async () => {
    await using server = await serve({ mounts: { "/api/events": () => expect.unreachable() } });
    const answer = await send(`${server.url}/api/events`, { method: "HEAD" });
    expect(answer).toMatchObject({ status: 200, body: "", headers: { "x-session-manager-version": "1.2.3" } });
  });

  it("that throws is a defect like any other", async () => {
    const mounts: HttpOptions["mounts"] = {
      "/api/events": () => {
        throw new Error("secret");
      },
    };
    await using server = await serve({ mounts });
    const answer = await send(`${server.url}/api/events`);
    expect(answer.status).toBe(500);
    expect(answer.body).not.toContain("secret");
    expect(server.logged).toHaveLength(1);
  });
});

describe("onRequest", () => {
  async function told(ask: (url: string) => Promise<unknown>): Promise<AnsweredRequest[]> {
    const requests: AnsweredRequest[] = [];
    await using server = await serve({ onRequest: (request) => requests.push(request) });
    await ask(server.url);
    await server.close();
    return requests;
  }

  it.each<[method: string, path: string, expected: AnsweredRequest]>([
    ["GET", "/health", { method: "GET", route: "/health", status: 200 }],
    ["HEAD", "/health?token=sm_right", { method: "HEAD", route: "/health", status: 200 }],
    ["POST", "/api", { method: "POST", route: "/api", status: 415 }],
    ["GET", "/home/user/secret?token=sm_right", { method: "GET", route: "other", status: 404 }],
    ["POST", "/api/commands/ping", { method: "POST", route: "/api/commands/:name", status: 415 }],
    ["POST", "/api/commands/secret", { method: "POST", route: "/api/commands/:name", status: 415 }],
    ["GET", "/api/commands/secret/more", { method: "GET", route: "other", status: 404 }],
    ["GET", "/__proto__", { method: "GET", route: "other", status: 404 }],
    ["PROPFIND", "/", { method: "other", route: "/", status: 405 }],
  ])("is told of %s %s in values of closed sets", async (method, path, expected) => {
    expect(await told((url) => send(url + path, { method }))).toEqual([expected]);
  });

  it("is told once of each request of a connection", async () => {
    const requests = await told(async (url) => {
      for (const path of ["/health", "/nothing", "/health"]) await fetch(url + path).then((answer) => answer.text());
    });
    expect(requests.map(({ status }) => status)).toEqual([200, 404, 200]);
  });

  it("is told of a client that did not wait", async () => {
    const requests: AnsweredRequest[] = [];
    const leaving = new AbortController();
    await using server = await serve({
      onRequest: (request) => requests.push(request),
      dispatcher: {
        dispatch: () => {
          leaving.abort();
          return new Promise(() => {});
        },
      },
    });
    const answer = fetch(`${server.url}/api`, {
      method: "POST",
      body: "{}",
      headers: { "Content-Type": "application/json" },
      signal: leaving.signal,
    });
    await expect(answer).rejects.toThrow();
    // The next request is answered after the last one was seen to end.
    await post(server, "");
    expect(requests[0]).toEqual({ method: "POST", route: "/api", status: 499 });
  });
});
