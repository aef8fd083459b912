import { once } from "node:events";
import { type IncomingMessage, request } from "node:http";
import { hostname } from "node:os";
import { AnswerBudget, type Caller, JsonText, jsonArray, StreamedJson } from "@sm/router";
import { accessRules, createGate } from "@sm/router/access";
import { describe, expect, it } from "vitest";
import { serve, testOptions } from "./test-client.ts";

const until = async (holds: () => boolean) => {
  while (!holds()) await new Promise(setImmediate);
};

/** Serves answers without end to whoever has the token, which can be ended. */
async function serveEndless() {
  const listeners = new Set<() => void>();
  const source = { open: 0 };
  const callers: Caller[] = [];
  async function* endless() {
    source.open += 1;
    try {
      for (;;) yield Buffer.alloc(65_536, "x");
    } finally {
      source.open -= 1;
    }
  }
  const rules = accessRules({
    authEnabled: true,
    allowedHosts: [],
    allowedOrigins: [],
    trustedProxies: ["127.0.0.1"],
    machineName: hostname(),
  });
  const gate = createGate({
    rules,
    tokens: {
      verify: () => ({ id: "1", scope: "read" }),
      onEnd(_id, listener) {
        listeners.add(listener);
        return () => void listeners.delete(listener);
      },
    },
  });
  const budget = new AnswerBudget();
  const { sessions } = testOptions({ logged: [], dispatched: [] });
  const server = await serve({
    gate,
    budget,
    dispatcher: {
      async dispatch(_request, caller) {
        callers.push(caller);
        const text = (async function* () {
          for await (const piece of endless()) yield piece.toString();
        })();
        const data = await StreamedJson.open(new JsonText(jsonArray(text)), (work) => work);
        return { success: true, data, error: null };
      },
    },
    sessions: {
      ...sessions,
      exportStream: async () => ({ file_name: "a.jsonl", media_type: "application/x-ndjson", chunks: endless() }),
    },
  });
  return Object.assign(server, { listeners, source, callers, budget });
}

/** Asks as another machine does, and resolves when the answer has begun. */
async function begin(url: string, method: string, body = ""): Promise<IncomingMessage> {
  const headers = {
    "X-Forwarded-For": "203.0.113.7",
    Authorization: "Bearer sm_right",
    ...(body !== "" && { "Content-Type": "application/json" }),
  };
  const outgoing = request(url, { method, headers, agent: false }).on("error", () => {});
  outgoing.end(body);
  const [incoming] = (await once(outgoing, "response")) as [IncomingMessage];
  incoming.on("error", () => {});
  await once(incoming, "data");
  return incoming;
}

describe("a token that ends", () => {
  it.each([
    ["an answer under way", "/api", "POST", '{"command":"list"}'],
    ["a download", "/api/export?path=/a.jsonl&format=jsonl", "GET", ""],
  ])("cuts %s, which does not look complete then", async (_what, path, method, body) => {
    await using server = await serveEndless();
    const incoming = await begin(`${server.url}${path}`, method, body);
    expect([server.listeners.size, server.source.open]).toEqual([1, 1]);
    for (const listener of server.listeners) listener();
    await new Promise((resolve) => incoming.on("close", resolve));
    expect(incoming.complete).toBe(false);
    await until(() => server.source.open === 0 && server.listeners.size === 0);
    expect(server.budget.reservedBytes).toBe(0);
    expect(server.logged).toEqual([]);
  });

  it("is told to the command, and not watched when the client has gone", async () => {
    await using server = await serveEndless();
    const incoming = await begin(`${server.url}/api`, "POST", '{"command":"list"}');
    expect(server.callers[0]).toMatchObject({ client: "token 1", signal: { aborted: false } });
    incoming.destroy();
    await until(() => server.listeners.size === 0 && server.source.open === 0);
    expect(server.callers[0]?.signal?.aborted).toBe(true);
  });
});

describe("downloads", () => {
  it("are refused while other answers have all the memory", async () => {
    const budget = new AnswerBudget({ bytes: 1, waitMs: 1 });
    await budget.take(1, { client: "other" });
    await using server = await serve({ budget });
    const answer = await fetch(`${server.url}/api/export?path=/a.jsonl&format=jsonl`);
    expect([answer.status, answer.headers.get("retry-after")]).toEqual([503, "1"]);
    expect(await answer.json()).toMatchObject({ error: { code: "UNAVAILABLE" } });
  });
});
