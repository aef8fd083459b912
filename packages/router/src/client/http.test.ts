import type { IncomingMessage, ServerResponse } from "node:http";
import { describe, expect, it, vi } from "vitest";
import { type ClientOptions, createClient } from "./client.ts";
import type { ClientEvent, StreamState } from "./event-listener.ts";
import { done, HELLO, PATIENT, startService } from "./service.fixture.ts";

type Handler = (request: IncomingMessage, response: ServerResponse) => void;

async function start(handler: Handler) {
  const requests: IncomingMessage[] = [];
  const service = await startService({
    http(request, response) {
      requests.push(request);
      handler(request, response);
    },
  });
  const connect = (options: Partial<ClientOptions> = {}) => createClient({ url: service.url, ...options });
  return Object.assign(service, { received: requests, connect });
}

function answer(response: ServerResponse, status: number, body: unknown) {
  response.writeHead(status, { "Content-Type": "application/json" }).end(JSON.stringify(body));
}

async function bodyOf(request: IncomingMessage): Promise<unknown> {
  return JSON.parse(Buffer.concat(await request.toArray()).toString());
}

describe("calls over HTTP", () => {
  it("are what the contract says", async () => {
    let body: unknown;
    await using service = await start(async (request, response) => {
      body = await bodyOf(request);
      answer(response, 200, done);
    });
    const client = createClient({ url: `${service.url}/base`, token: "sm_1" });
    expect(await client.call("search", { query: "ä" })).toBe("done");
    expect(body).toEqual({ command: "search", payload: { query: "ä" } });
    const [request] = service.received;
    expect(request).toMatchObject({ method: "POST", url: "/base/api" });
    expect(request?.headers).toMatchObject({ "content-type": "application/json", authorization: "Bearer sm_1" });
  });

  it("show no token that there is not", async () => {
    await using service = await start((_request, response) => answer(response, 200, done));
    await service.connect().call("ping");
    expect(service.received[0]?.headers.authorization).toBeUndefined();
  });

  it("use the fetch that they are given", async () => {
    const fetch = vi.fn(async () => new Response(JSON.stringify(done)));
    expect(await createClient({ url: "http://127.0.0.1:1", fetch }).call("ping")).toBe("done");
    expect(fetch).toHaveBeenCalledOnce();
  });

  it.each<[string, number, string, object]>([
    [
      "the service's error",
      404,
      '{"success":false,"data":null,"error":{"code":"NOT_FOUND","message":"No.","details":null}}',
      { name: "CommandError", code: "NOT_FOUND", message: "No.", details: null },
    ],
    [
      "the service's details",
      400,
      '{"success":false,"data":null,"error":{"code":"INVALID_PAYLOAD","message":"No.","details":[{"path":"a","message":"b"}]}}',
      { name: "CommandError", details: [{ path: "a", message: "b" }] },
    ],
    ["a proxy's page", 502, "<html>Bad Gateway", { name: "ConnectionError", code: "BAD_ANSWER", message: /502/ }],
    ["a proxy's limit", 413, "<html>", { name: "CommandError", code: "PAYLOAD_TOO_LARGE" }],
    ["other JSON", 200, '{"ok":true}', { name: "ConnectionError", code: "BAD_ANSWER" }],
    ["a broken envelope", 200, '{"success":false,"error":null}', { name: "ConnectionError", code: "BAD_ANSWER" }],
    ["JSON that is no object", 200, "null", { name: "ConnectionError", code: "BAD_ANSWER" }],
  ])("reject for %s", async (_case, status, body, error) => {
    await using service = await start((_request, response) => {
      response.writeHead(status).end(body);
    });
    const failed: unknown = await service
      .connect()
      .call("ping")
      .catch((thrown: unknown) => thrown);
    expect(failed).toBeInstanceOf(Error);
    for (const [field, expected] of Object.entries(error)) {
      const actual = (failed as Record<string, unknown>)[field];
      if (expected instanceof RegExp) expect(actual).toMatch(expected);
      else expect(actual).toEqual(expected);
    }
  });

  it("reject when nobody answers", async () => {
    const { url } = await (async () => {
      await using service = await startService();
      return service;
    })();
    await expect(createClient({ url }).call("ping")).rejects.toMatchObject({
      name: "ConnectionError",
      code: "NO_ANSWER",
    });
  });

  it("reject when the connection breaks within the answer", async () => {
    await using service = await start((_request, response) => {
      response.writeHead(200, { "Content-Length": "100" }).write("{", () => response.destroy());
    });
    await expect(service.connect().call("ping")).rejects.toMatchObject({ code: "NO_ANSWER" });
  });

  it("are given up after their time, by their signal, and when the client is closed", async () => {
    await using service = await start(() => {});
    const client = service.connect({ timeoutMs: 20 });
    await expect(client.call("ping")).rejects.toMatchObject({ code: "TIMED_OUT" });
    const controller = new AbortController();
    const call = client.call("ping", {}, { signal: controller.signal, timeoutMs: Number.POSITIVE_INFINITY });
    controller.abort(new Error("enough"));
    await expect(call).rejects.toThrow("enough");
    const running = client.call("ping", {}, { timeoutMs: 60_000 });
    client.close();
    await expect(running).rejects.toMatchObject({ code: "CLOSED" });
    await expect(client.call("ping")).rejects.toMatchObject({ code: "CLOSED" });
    expect(() => client.events({ onEvent() {} })).toThrow("closed");
  });
});

describe("lists over HTTP", () => {
  const entry = (id: string) => ({ id, preview: "a,\n\u2028 ä" });
  const listOf = (...ids: string[]) =>
    `{"success":true,"data":[${ids.map((id) => JSON.stringify(entry(id))).join(",\n")}],"error":null}`;
  const askFor = async (body: string | Buffer, cuts: readonly number[] = [], status = 200) => {
    await using service = await start(async (_request, response) => {
      response.writeHead(status);
      const bytes = Buffer.from(body);
      for (const [place, at] of [0, ...cuts].entries()) {
        response.write(bytes.subarray(at, cuts[place]));
        await new Promise((resolve) => setTimeout(resolve, 5));
      }
      response.end();
    });
    const groups: string[][] = [];
    for await (const items of service.connect().items("read_session_tree", { path: "/a" }))
      groups.push(items.map(({ id }) => id));
    return groups;
  };

  it("come as they are sent, wherever that is cut", async () => {
    const body = listOf("a", "b", "c", "d");
    const { length } = Buffer.from(body);
    expect((await askFor(body)).flat()).toEqual(["a", "b", "c", "d"]);
    const second = Buffer.from(body).indexOf('{"id":"b"');
    expect((await askFor(body, [second]))[0]).toEqual(["a"]);
    for (const cut of [3, 20, second - 8, second - 1, second + 3, length - 10, length - 1]) {
      expect((await askFor(body, [cut])).flat()).toEqual(["a", "b", "c", "d"]);
    }
  });

  it("may be short, and on one line", async () => {
    expect(await askFor(listOf())).toEqual([]);
    expect(await askFor(listOf("a"))).toEqual([["a"]]);
    expect(await askFor(`{"success":true,"data":${JSON.stringify([entry("a"), entry("b")])},"error":null}`)).toEqual([
      ["a", "b"],
    ]);
  });

  it("reject with the service's error, and where the connection breaks", async () => {
    const failed = '{"success":false,"data":null,"error":{"code":"NOT_FOUND","message":"No.","details":null}}';
    await expect(askFor(failed, [], 404)).rejects.toMatchObject({ name: "CommandError", code: "NOT_FOUND" });
    await expect(askFor("<html>", [], 502)).rejects.toMatchObject({ code: "BAD_ANSWER" });
    await using service = await start((_request, response) => {
      response.write(listOf("a", "b").slice(0, -30), () => setTimeout(() => response.destroy(), 20));
    });
    const items = service.connect().items("read_session_tree", { path: "/a" })[Symbol.asyncIterator]();
    expect((await items.next()).value).toHaveLength(1);
    await expect(items.next()).rejects.toMatchObject({ name: "ConnectionError", code: "NO_ANSWER" });
  });

  it("are given up by their signal and when the client is closed", async () => {
    await using service = await start((_request, response) => void response.write(listOf("a", "b").slice(0, -30)));
    const client = service.connect();
    const controller = new AbortController();
    const items = client
      .items("read_session_tree", { path: "/a" }, { signal: controller.signal })
      [Symbol.asyncIterator]();
    await items.next();
    controller.abort(new Error("enough"));
    await expect(items.next()).rejects.toThrow("enough");
    const others = client.items("read_session_tree", { path: "/a" })[Symbol.asyncIterator]();
    await others.next();
    client.close();
    await expect(others.next()).rejects.toMatchObject({ code: "CLOSED" });
  });
});

describe("events over HTTP", () => {
  const payload = { version_id: "1" };
  const message = (event: string, seq: number, data: object) =>
    `event: ${event}\nid: ${seq}\ndata: ${JSON.stringify(data)}\n\n`;
  const hello = (seq: number) => message("hello", seq, { ...HELLO, seq });

  function openStream(response: ServerResponse): ServerResponse {
    return response.writeHead(200, { "Content-Type": "text/event-stream; charset=utf-8" });
  }

  function follow(client: ReturnType<typeof createClient>, topics?: string[]) {
    const events: ClientEvent[] = [];
    const states: [StreamState, unknown][] = [];
    const stream = client.events({
      ...(topics === undefined ? {} : { topics }),
      onEvent: (event) => events.push(event),
      onState: (state, error) => states.push([state, error]),
    });
    return {
      events,
      stream,
      states: () => states.map(([state]) => state),
      lastError: () => states.at(-1)?.[1],
      reaches: (state: StreamState) => vi.waitFor(() => expect(states.at(-1)?.[0]).toBe(state), PATIENT),
    };
  }

  it("come in order, wherever the bytes are cut, with the token in a header", async () => {
    const text = `: hello\n\n${hello(100)}${message("session-changed", 101, { changed_paths: ["/ä"], removed_paths: [] })}`;
    await using service = await start((_request, response) => {
      openStream(response);
      const bytes = Buffer.from(text);
      const cut = bytes.indexOf(0xa4);
      response.write(bytes.subarray(0, cut));
      setImmediate(() => response.write(bytes.subarray(cut)));
    });
    const client = service.connect({ token: "sm_1" });
    const { events, states } = follow(client, ["sessions", "live:1"]);
    await vi.waitFor(() => expect(events).toHaveLength(2), PATIENT);
    expect(events).toEqual([
      { event: "hello", seq: 100, payload: { ...HELLO, seq: 100 } },
      { event: "session-changed", seq: 101, payload: { changed_paths: ["/ä"], removed_paths: [] } },
    ]);
    expect(service.received[0]).toMatchObject({ method: "GET", url: "/api/events?topics=sessions%2Clive%3A1" });
    expect(service.received[0]?.headers).toMatchObject({ authorization: "Bearer sm_1", accept: "text/event-stream" });
    client.close();
    expect(states()).toEqual(["connecting", "open", "closed"]);
    await vi.waitFor(() => expect(service.received[0]?.socket.destroyed).toBe(true), PATIENT);
  });

  it("go on after a break with what follows the last one", async () => {
    await using service = await start((request, response) => {
      openStream(response);
      if (request.headers["last-event-id"] === undefined)
        response.end(hello(100) + message("config-changed", 107, payload));
      else if (service.received.length === 2) response.end(hello(110));
      else response.write(hello(110) + message("events-lost", 111, {}));
    });
    const client = service.connect();
    const { events, states } = follow(client);
    await vi.waitFor(() => expect(events).toHaveLength(5), PATIENT);
    expect(service.received.map(({ headers }) => headers["last-event-id"])).toEqual([undefined, "107", "107"]);
    expect(events.map(({ event }) => event)).toEqual(["hello", "config-changed", "hello", "hello", "events-lost"]);
    expect(states().slice(0, 5)).toEqual(["connecting", "open", "waiting", "connecting", "open"]);
    client.close();
  });

  it.each([
    [401, "UNAUTHORIZED"],
    [403, "FORBIDDEN"],
    [400, "INVALID_PAYLOAD"],
  ])("end with a refusal: %d %s", async (status, code) => {
    const refusal = { success: false, data: null, error: { code, message: "No.", details: null } };
    await using service = await start((_request, response) => answer(response, status, refusal));
    const { reaches, lastError } = follow(service.connect());
    await reaches("closed");
    expect(lastError()).toMatchObject({ name: "CommandError", code });
    expect(service.received).toHaveLength(1);
  });

  it.each<[string, Handler]>([
    [
      "a service that is not ready",
      (_request, response) => {
        const error = { code: "UNAVAILABLE", message: "Not yet.", details: null };
        answer(response, 503, { success: false, data: null, error });
      },
    ],
    ["a proxy without a service", (_request, response) => response.writeHead(502).end("<html>")],
    ["an answer that is no stream", (_request, response) => answer(response, 200, done)],
    ["a stream that breaks", (_request, response) => openStream(response).write("event", () => response.destroy())],
    ["a stream of nonsense", (_request, response) => openStream(response).write("data: no JSON\n\n")],
  ])("try again after %s", async (_case, handler) => {
    await using service = await start((request, response) => {
      if (service.received.length === 1) handler(request, response);
      else openStream(response).write(hello(100));
    });
    const client = service.connect();
    const { reaches, states } = follow(client);
    await reaches("open");
    expect(states()).toEqual(["connecting", "waiting", "connecting", "open"]);
    client.close();
  });

  it("are asked for anew when the stream falls silent", async () => {
    vi.useFakeTimers();
    try {
      const aborted: unknown[] = [];
      const fetch = vi.fn((_url: unknown, init?: RequestInit) => {
        return new Promise<Response>((_resolve, reject) => {
          init?.signal?.addEventListener("abort", () => reject(aborted.push(init)));
        });
      });
      const client = createClient({ url: "http://127.0.0.1:1", fetch: fetch as never });
      client.events({ onEvent() {} });
      await vi.advanceTimersByTimeAsync(45_000);
      expect(aborted).toHaveLength(1);
      await vi.advanceTimersByTimeAsync(250);
      expect(fetch).toHaveBeenCalledTimes(2);
      client.close();
      await vi.advanceTimersByTimeAsync(60_000);
      expect(fetch).toHaveBeenCalledTimes(2);
      expect(vi.getTimerCount()).toBe(0);
    } finally {
      vi.useRealTimers();
    }
  });

  it("stop when their stream is closed, also while waiting", async () => {
    await using service = await start((_request, response) => response.writeHead(502).end());
    const { stream, reaches, states } = follow(service.connect());
    await reaches("waiting");
    stream.close();
    expect(states().at(-1)).toBe("closed");
  });
});
