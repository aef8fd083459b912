import { once } from "node:events";
import { type ClientRequest, createServer, type IncomingMessage, request } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import type { Caller } from "@sm/router";
import { createEventBus, type EventBus } from "@sm/router/events";
import { describe, expect, it, vi } from "vitest";
import { createEventStream, type EventStream, type EventStreamOptions } from "./event-stream.ts";

const READER: Caller = { local: false, scope: "read", tokenId: "a" };
const OWNER: Caller = { local: true, scope: "full", tokenId: null };

/** A stream on a port of its own, closed at the end of its block. */
interface TestServer extends AsyncDisposable {
  port: number;
  bus: EventBus;
  stream: EventStream;
  /** Ends the token that everybody came in with. */
  revoke(): void;
  /** How many wait for its end. */
  watchers(): number;
  /** The server's ends of all connections. */
  sockets: Socket[];
}

async function serve(
  options: Partial<EventStreamOptions> & { caller?: Caller; stallMs?: number } = {},
): Promise<TestServer> {
  const { caller = READER, stallMs = 10_000 } = options;
  const bus = createEventBus({ version: "1.2.3", outputLimits: { stallMs } });
  const listeners = new Set<() => void>();
  const sockets: Socket[] = [];
  const gate: EventStreamOptions["gate"] = {
    onEnd(_caller, listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
  const log = { error: (fields: object) => expect(fields).toBeUndefined() };
  const stream = createEventStream({ bus, gate, log, version: "1.2.3", ...options });
  const server = createServer((incoming, outgoing) => {
    stream.serve(incoming, outgoing, { client: { address: "203.0.113.7", local: false }, caller });
  });
  server.on("connection", (socket) => sockets.push(socket));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    port: (server.address() as AddressInfo).port,
    bus,
    stream,
    revoke() {
      for (const listener of [...listeners]) listener();
    },
    watchers: () => listeners.size,
    sockets,
    async [Symbol.asyncDispose]() {
      stream.close();
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

interface Question {
  method?: string;
  query?: string;
  headers?: Record<string, string>;
}

/** A client that reads the stream as text. */
class Client implements Disposable {
  readonly incoming: IncomingMessage;
  readonly #outgoing: ClientRequest;
  #pieces: AsyncIterator<string> | null = null;
  #text = "";

  private constructor(outgoing: ClientRequest, incoming: IncomingMessage) {
    this.#outgoing = outgoing;
    this.incoming = incoming.setEncoding("utf8");
  }

  static async open(
    { port }: TestServer,
    { method = "GET", query = "", headers = {} }: Question = {},
  ): Promise<Client> {
    const outgoing = request({ port, method, path: `/api/events${query}`, headers, agent: false });
    outgoing.on("error", () => {});
    outgoing.end();
    const [incoming] = (await once(outgoing, "response")) as [IncomingMessage];
    return new Client(outgoing, incoming);
  }

  /** Reads on until `enough` holds of all that has come, or to the end, and returns it. */
  async read(enough: (text: string) => boolean = () => false): Promise<string> {
    this.#pieces ??= this.incoming[Symbol.asyncIterator]() as AsyncIterator<string>;
    while (!enough(this.#text)) {
      const piece = await this.#pieces.next();
      if (piece.done === true) break;
      this.#text += piece.value;
    }
    return this.#text;
  }

  /** Reads on until as many events have come, and returns them with their numbers. */
  async events(count: number): Promise<string[]> {
    const text = await this.read((all) => {
      const starts = all.match(/^event: /gm) ?? [];
      return starts.length >= count && all.endsWith("\n\n");
    });
    return [...text.matchAll(/^event: (.*)\nid: (\d+)$/gm)].map(([, event, id]) => `${event} ${id}`);
  }

  [Symbol.dispose](): void {
    this.#outgoing.destroy();
  }
}

const publish = (bus: EventBus, ...versions: string[]) => {
  for (const version_id of versions) bus.publish("config-changed", { version_id });
};

describe("GET /api/events", () => {
  it("streams events", async () => {
    await using server = await serve();
    using client = await Client.open(server);
    const { seq } = server.bus;
    server.bus.publish("session-changed", { changed_paths: ["/ä\r\n\u2028.jsonl"], removed_paths: [] });
    const text = await client.read((all) => all.includes("session-changed") && all.endsWith("\n\n"));
    expect(text).toBe(
      `event: hello\nid: ${seq}\ndata: {"api_version":1,"server_version":"1.2.3","kind":"home","seq":${seq}}\n\n` +
        `event: session-changed\nid: ${seq + 1}\ndata: {"changed_paths":["/ä\\r\\n\u2028.jsonl"],"removed_paths":[]}\n\n`,
    );
    expect(client.incoming.statusCode).toBe(200);
    expect(client.incoming.headers).toMatchObject({
      "content-type": "text/event-stream",
      "cache-control": "no-store",
      "x-accel-buffering": "no",
      "x-content-type-options": "nosniff",
      "cross-origin-resource-policy": "same-origin",
      "cross-origin-opener-policy": "same-origin",
      "x-session-manager-version": "1.2.3",
    });
  });

  it("answers HEAD without a stream", async () => {
    await using server = await serve();
    using client = await Client.open(server, { method: "HEAD" });
    expect(await client.read()).toBe("");
    expect(client.incoming.headers["content-type"]).toBe("text/event-stream");
    expect(server.stream.connections).toBe(0);
  });

  it.each<[string, (seq: number) => Question]>([
    ["in the header", (seq) => ({ headers: { "Last-Event-ID": String(seq) } })],
    ["in the query", (seq) => ({ query: `?after_seq=${seq}` })],
    [
      "in the header before that in the query",
      (seq) => ({ headers: { "Last-Event-ID": String(seq) }, query: "?after_seq=1" }),
    ],
    [
      "in the query where the header is empty",
      (seq) => ({ headers: { "Last-Event-ID": "" }, query: `?after_seq=${seq}` }),
    ],
  ])("replays after the number %s", async (_case, question) => {
    await using server = await serve();
    const { seq } = server.bus;
    publish(server.bus, "a", "b", "c");
    using client = await Client.open(server, question(seq + 1));
    const replayed = [`hello ${seq + 1}`, `config-changed ${seq + 2}`, `config-changed ${seq + 3}`];
    expect(await client.events(3)).toEqual(replayed);
  });

  it.each(["5", "abc", "-1", "1.5", "99999999999999999999"])("tells what is lost after the number %s", async (id) => {
    await using server = await serve();
    publish(server.bus, "a");
    const { seq } = server.bus;
    using client = await Client.open(server, { headers: { "Last-Event-ID": id } });
    expect(await client.events(2)).toEqual([`hello ${seq}`, `events-lost ${seq}`]);
    using again = await Client.open(server, { headers: { "Last-Event-ID": String(seq) } });
    publish(server.bus, "b");
    expect(await again.events(2)).toEqual([`hello ${seq}`, `config-changed ${seq + 1}`]);
  });

  it("has the topics that are asked for", async () => {
    await using server = await serve();
    using client = await Client.open(server, { query: "?topics=index,live" });
    publish(server.bus, "a");
    server.bus.publish("index-progress", { done: 1, total: 1, bytes_done: 1, bytes_total: 1 });
    expect((await client.events(2)).map((event) => event.split(" ")[0])).toEqual(["hello", "index-progress"]);
  });

  it.each<[string, Caller, number]>([
    ["a client of this machine", OWNER, 200],
    ["a token of scope full", { local: false, scope: "full", tokenId: "b" }, 200],
    ["a token of scope read", READER, 403],
    ["everybody where nobody is asked for a token", { local: false, scope: "full", tokenId: null }, 403],
  ])("has topics of terminals and live sessions for %s: %d", async (_case, caller, status) => {
    await using server = await serve({ caller });
    for (const topic of ["terminal:t", "live:s"]) {
      using client = await Client.open(server, { query: `?topics=index,${topic}` });
      expect(client.incoming.statusCode).toBe(status);
      if (status === 403) expect(await client.read()).toContain("FORBIDDEN");
    }
  });

  it("streams a terminal", async () => {
    await using server = await serve({ caller: OWNER });
    using client = await Client.open(server, { query: "?topics=terminal:t" });
    server.bus.publish("terminal-output", { id: "t", seq: 1, data: "\u001b[1mä\r\n" });
    server.bus.publish("terminal-output", { id: "u", seq: 1, data: "no" });
    server.bus.publish("terminal-exit", { id: "t", exit_code: null, signal: "SIGHUP" });
    const text = await client.read((all) => all.includes("terminal-exit") && all.endsWith("\n\n"));
    expect([...text.matchAll(/^data: (.*)$/gm)].slice(1).map(([, data = ""]) => JSON.parse(data))).toEqual([
      { id: "t", seq: 1, data: "\u001b[1mä\r\n" },
      { id: "t", exit_code: null, signal: "SIGHUP" },
    ]);
  });

  it("ends when it has lost a terminal, so that its client connects anew", async () => {
    await using server = await serve({ caller: OWNER, stallMs: 50 });
    using client = await Client.open(server, { query: "?topics=config,terminal:t,terminal:t" });
    let behind = false;
    let audience = 0;
    server.bus.watch("terminal:t", {
      onBehind(isBehind) {
        behind = isBehind;
      },
      onAudience(count) {
        audience = count;
      },
    });
    for (let seq = 1; !behind; seq += 1) {
      server.bus.publish("terminal-output", { id: "t", seq, data: "x".repeat(50_000) });
      await new Promise(setImmediate);
    }
    while (audience > 0) await new Promise(setImmediate);
    const text = await client.read();
    expect(text).toMatch(/event: events-lost\nid: \d+\ndata: {}\n\n$/);
    expect(client.incoming.complete).toBe(true);
  });

  it("goes on when it has lost other events", async () => {
    await using server = await serve({ caller: OWNER });
    using client = await Client.open(server, { query: "?topics=config,terminal:t&after_seq=1" });
    publish(server.bus, "a");
    expect((await client.events(3)).map((event) => event.split(" ")[0])).toEqual([
      "hello",
      "events-lost",
      "config-changed",
    ]);
  });

  it.each(["?topics=", "?topics=index,weather", "?topics=live:", "?after_seq=abc", "?after_seq="])(
    "refuses %s",
    async (query) => {
      await using server = await serve();
      using client = await Client.open(server, { query });
      expect(JSON.parse(await client.read())).toMatchObject({ success: false, error: { code: "INVALID_PAYLOAD" } });
      expect(client.incoming.statusCode).toBe(400);
      expect(client.incoming.headers).toMatchObject({
        "content-type": "application/json",
        "x-session-manager-version": "1.2.3",
      });
      expect(server.stream.connections).toBe(0);
    },
  );

  it("shows every 15 seconds that it is alive", async () => {
    vi.useFakeTimers({ toFake: ["setInterval"] });
    try {
      await using server = await serve();
      using client = await Client.open(server);
      await client.events(1);
      for (const count of [1, 2]) {
        vi.advanceTimersByTime(15_000);
        const text = await client.read((all) => all.endsWith(": still here\n\n".repeat(count)));
        expect(text.split("\n\n: ")).toHaveLength(1 + count);
      }
    } finally {
      vi.useRealTimers();
    }
  });

  it("is given up when its client leaves", async () => {
    await using server = await serve();
    const client = await Client.open(server);
    expect([server.stream.connections, server.watchers()]).toEqual([1, 1]);
    client[Symbol.dispose]();
    while (server.stream.connections > 0) await new Promise(setImmediate);
    expect(server.watchers()).toBe(0);
    publish(server.bus, "a");
  });

  it("ends with its token", async () => {
    await using server = await serve();
    using client = await Client.open(server);
    server.revoke();
    publish(server.bus, "secret");
    expect(await client.read()).not.toContain("secret");
    expect(client.incoming.complete).toBe(true);
    expect(server.watchers()).toBe(0);
  });

  it("ends with the service, and is refused after that", async () => {
    await using server = await serve();
    using client = await Client.open(server);
    server.stream.close();
    await client.read();
    expect(client.incoming.complete).toBe(true);
    using late = await Client.open(server);
    expect(late.incoming.statusCode).toBe(503);
  });
});

describe("a client that does not read", () => {
  const large = (bus: EventBus) =>
    bus.publish("session-changed", { changed_paths: ["x".repeat(50_000)], removed_paths: [] });

  it("is left out, and told when it reads again; others get everything", async () => {
    await using server = await serve();
    using slow = await Client.open(server);
    using fast = await Client.open(server);
    let received = 0;
    fast.incoming.on("data", ({ length }: string) => {
      received += length;
    });
    let most = 0;
    for (let count = 1; count <= 300; count += 1) {
      large(server.bus);
      // The fast one reads everything, so the slow one had its time.
      while (received < count * 50_000) await new Promise(setImmediate);
      most = Math.max(most, ...server.sockets.map((socket) => socket.writableLength));
    }
    expect(most).toBeLessThan(262_144);
    const text = await slow.read((all) => all.includes("events-lost"));
    expect(text).toContain(`event: events-lost\nid: `);
    const [id] = /(?<=events-lost\nid: )\d+/.exec(text) ?? [];
    using again = await Client.open(server, { headers: { "Last-Event-ID": id ?? "" } });
    expect((await again.events(1))[0]).toBe(`hello ${id}`);
  });

  it("is cut off when nothing gets out for three heartbeats", async () => {
    await using server = await serve({ heartbeatMs: 20 });
    using _slow = await Client.open(server);
    while (server.stream.connections > 0) {
      large(server.bus);
      await new Promise(setImmediate);
    }
  });

  it("is cut off as well when its stream has ended before", async () => {
    await using server = await serve({ heartbeatMs: 200 });
    using _slow = await Client.open(server);
    for (let turn = 0; turn < 400; turn += 1) {
      large(server.bus);
      await new Promise(setImmediate);
    }
    server.revoke();
    while (server.stream.connections > 0) await new Promise(setImmediate);
  });
});
