import { once } from "node:events";
import { connect } from "node:net";
import { describe, expect, it } from "vitest";
import { Client, handshake, serve, type TestServer } from "./test-server.ts";

/** Sends a handshake and reads the answer to its end. */
async function refusal(server: TestServer, headers: Record<string, string>, path?: string): Promise<string> {
  const socket = connect(server.port, "127.0.0.1");
  socket.write(handshake(server, headers, path));
  let answer = "";
  socket.on("data", (data) => {
    answer += data;
  });
  await once(socket, "close");
  return answer;
}

describe("an upgrade", () => {
  it.each<[string, Record<string, string>, string, RegExp, string]>([
    ["that the gate forbids", { "x-caller": "enemy" }, "/ws", /^HTTP\/1\.1 403 Forbidden\r\n/, "FORBIDDEN"],
    [
      "with a wrong token",
      { "x-caller": "wrong" },
      "/ws",
      /401 Unauthorized\r\n[\s\S]*WWW-Authenticate: Bearer\r\n/,
      "UNAUTHORIZED",
    ],
    [
      "after too many of them",
      { "x-caller": "limited" },
      "/ws",
      /429 Too Many Requests\r\n[\s\S]*Retry-After: 2\r\n/,
      "RATE_LIMITED",
    ],
    ["at another path", {}, "/ws/", /404 Not Found\r\n/, "NOT_FOUND"],
    ["at another path, forbidden", { "x-caller": "enemy" }, "/x", /403 Forbidden\r\n/, "FORBIDDEN"],
    ["after what is no number", {}, "/ws?after_seq=1e3", /400 Bad Request\r\n/, "INVALID_PAYLOAD"],
    [
      "of another version",
      { "Sec-WebSocket-Version": "7" },
      "/ws",
      /400 Bad Request\r\n[\s\S]*Sec-WebSocket-Version: 13\r\n/,
      "INVALID_REQUEST",
    ],
    ["without a key", { "Sec-WebSocket-Key": "" }, "/ws", /400 Bad Request\r\n/, "INVALID_REQUEST"],
  ])("%s is answered like a request", async (_case, headers, path, head, code) => {
    await using server = await serve();
    const answer = await refusal(server, headers, path);
    expect(answer).toMatch(head);
    expect(answer).toContain("X-Session-Manager-Version: 1.2.3\r\n");
    const [, body = ""] = answer.split("\r\n\r\n");
    expect(JSON.parse(body)).toMatchObject({ success: false, data: null, error: { code } });
    expect(answer).toContain(`Content-Length: ${Buffer.byteLength(body)}\r\n`);
    expect([server.transport.connections, server.logged]).toEqual([0, []]);
  });

  it("does not agree to compression", async () => {
    await using server = await serve();
    await using client = await Client.open(server, undefined, "", { perMessageDeflate: true });
    expect(client.socket.extensions).toBe("");
  });
});

describe("a client that needs a token and sent none", () => {
  it("is answered ping and nothing else, and told nothing", async () => {
    await using server = await serve();
    await using client = await Client.open(server, "stranger");
    expect(await client.ask({ id: 1, command: "ping" })).toMatchObject({ id: 1, success: true });
    for (const command of ["search", "subscribe", "unsubscribe", "nonsense"]) {
      const answer = await client.ask({ command, payload: { topics: ["index"] } });
      expect(answer).toMatchObject({ command, success: false, data: null, error: { code: "UNAUTHORIZED" } });
    }
    expect(await client.ask("no JSON")).toMatchObject({ error: { code: "INVALID_REQUEST" } });
    server.bus.publish("config-changed", { version_id: "secret" });
    await client.ask({ command: "ping" });
    expect(client.events.items).toEqual([]);
    expect(server.dispatched.map(({ request }) => (request as { command: string }).command)).toEqual(["ping", "ping"]);
  });

  it("may authenticate, and everything after that is allowed to it", async () => {
    await using server = await serve();
    await using client = await Client.open(server, "stranger");
    client.send({ command: "ping" });
    client.send({ id: "auth", command: "auth", payload: { token: "reader" } });
    client.send({ command: "unsubscribe", payload: { topics: ["live"] } });
    client.send({ command: "search" });
    const answers = await client.answers.take(4);
    expect(answers.slice(1)).toEqual([
      { id: "auth", command: "auth", success: true, data: { authenticated: true, scope: "read" }, error: null },
      {
        command: "unsubscribe",
        success: true,
        data: { topics: ["sessions", "index", "config"] },
        error: null,
      },
      { command: "search", success: true, data: "search", error: null },
    ]);
    expect(server.dispatched.at(-1)?.caller).toMatchObject({ local: false, scope: "read", tokenId: "reader" });
    const names = client.messages.items.map((text) => JSON.parse(text)).map(({ command, event }) => command ?? event);
    expect(names).toEqual(["ping", "auth", "hello", "unsubscribe", "search"]);
  });

  it("is sent away with a wrong token", async () => {
    await using server = await serve();
    await using client = await Client.open(server, "stranger");
    client.send({ command: "auth", payload: { token: "guess" } });
    client.send({ command: "auth", payload: { token: "writer" } });
    expect(await client.closed).toMatchObject({ code: 4401 });
    expect(client.answers.items).toMatchObject([{ command: "auth", success: false, error: { code: "UNAUTHORIZED" } }]);
  });

  it.each([{}, { token: 1 }, { token: "reader", more: 1 }, []])("may correct the payload %j", async (payload) => {
    await using server = await serve();
    await using client = await Client.open(server, "stranger");
    expect(await client.ask({ command: "auth", payload })).toMatchObject({ error: { code: "INVALID_PAYLOAD" } });
    expect(await client.ask({ command: "auth", payload: { token: "writer" } })).toMatchObject({
      data: { authenticated: true, scope: "full" },
    });
  });

  it("is sent away when it says nothing in time", async () => {
    await using server = await serve({ authMs: 20 });
    await using client = await Client.open(server, "stranger");
    expect(await client.closed).toMatchObject({ code: 4401 });
  });

  it("has all the time of the world after it", async () => {
    await using server = await serve({ authMs: 1_000 });
    await using client = await Client.open(server, "stranger");
    await using silent = await Client.open(server, "stranger");
    await client.ask({ command: "auth", payload: { token: "writer" } });
    await silent.closed;
    expect(await client.ask({ command: "ping" })).toMatchObject({ success: true });
  });

  it("may send 64 KiB and then large messages after auth", async () => {
    await using server = await serve();
    await using client = await Client.open(server, "stranger");
    await client.ask({ command: "ping", payload: "x".repeat(60_000) });
    await client.ask({ command: "auth", payload: { token: "writer" } });
    expect(await client.ask({ command: "search", payload: "x".repeat(100_000) })).toMatchObject({ success: true });
  });

  it.each([
    ["in one message", (client: Client) => client.send("x".repeat(66_000))],
    ["in many", (client: Client) => Array.from({ length: 70 }, () => client.send("x".repeat(1_000)))],
  ])("is cut off above 64 KiB %s", async (_case, send) => {
    await using server = await serve();
    await using client = await Client.open(server, "stranger");
    send(client);
    await client.closed;
    expect(server.dispatched).toEqual([]);
  });
});

describe("a client that needs no token", () => {
  it("is authenticated whatever it shows", async () => {
    await using server = await serve();
    await using client = await Client.open(server);
    const answer = await client.ask({ command: "auth", payload: { token: "guess" } });
    expect(answer).toMatchObject({ data: { authenticated: true, scope: "full" } });
    await client.ask({ command: "ping" });
    expect(client.events.items.map(({ event }) => event)).toEqual(["hello"]);
  });
});

describe("a token that ends", () => {
  it("closes its connections at once, and their answers are dropped", async () => {
    let answered = () => {};
    let started = () => {};
    const running = new Promise<void>((resolve) => (started = resolve));
    const dispatcher = {
      async dispatch() {
        started();
        await new Promise<void>((resolve) => (answered = resolve));
        return { success: true as const, data: "secret", error: null };
      },
    };
    await using server = await serve({ dispatcher });
    await using byHeader = await Client.open(server, "reader");
    await using byMessage = await Client.open(server, "stranger");
    await using other = await Client.open(server, "stranger");
    await byMessage.ask({ command: "auth", payload: { token: "reader" } });
    await other.ask({ command: "auth", payload: { token: "writer" } });
    byHeader.send({ command: "search" });
    await running;
    server.gate.revoke("reader");
    answered();
    server.bus.publish("config-changed", { version_id: "secret" });
    expect(await byHeader.closed).toMatchObject({ code: 4401 });
    expect(await byMessage.closed).toMatchObject({ code: 4401 });
    expect([...byHeader.messages.items, ...byMessage.messages.items].join()).not.toContain("secret");
    expect((await other.events.take(2)).map(({ event }) => event)).toEqual(["hello", "config-changed"]);
    expect(server.gate.watchers("reader")).toBe(0);
  });

  it("is not watched any more when another one takes its place", async () => {
    await using server = await serve();
    await using client = await Client.open(server, "reader");
    await client.ask({ command: "auth", payload: { token: "writer" } });
    expect([server.gate.watchers("reader"), server.gate.watchers("writer")]).toEqual([0, 1]);
    server.gate.revoke("reader");
    expect(await client.ask({ command: "ping" })).toMatchObject({ success: true });
    expect(server.dispatched.at(-1)?.caller).toMatchObject({ scope: "full" });
    await client.ask({ command: "auth", payload: { token: "guess" } });
    expect(await client.closed).toMatchObject({ code: 4401 });
  });
});

describe("topics of terminals and live sessions", () => {
  const subscribe = (...topics: string[]) => ({ command: "subscribe", payload: { topics } });

  it("are not for a token of scope read, and take no others with them", async () => {
    await using server = await serve();
    await using client = await Client.open(server, "reader");
    for (const topic of ["live:s", "terminal:t"]) {
      expect(await client.ask(subscribe("index", topic))).toMatchObject({ error: { code: "FORBIDDEN" } });
    }
    expect((await client.ask(subscribe("live")))?.data).toEqual({ topics: ["sessions", "index", "config", "live"] });
    server.bus.publish("live-session-event", { session_id: "s", seq: 1, event: {} });
    server.bus.publish("live-session", { session_id: "s", state: "idle" });
    expect((await client.events.take(2)).map(({ event }) => event)).toEqual(["hello", "live-session"]);
  });

  it("are for a token of scope full, also one that comes later", async () => {
    await using server = await serve();
    await using client = await Client.open(server, "stranger");
    await client.ask({ command: "auth", payload: { token: "writer" } });
    expect(await client.ask(subscribe("terminal:t", "live:s"))).toMatchObject({ success: true });
  });

  it("are not for everybody where nobody is asked for a token", async () => {
    await using server = await serve();
    await using client = await Client.open(server, "unasked");
    expect(await client.ask(subscribe("terminal:t"))).toMatchObject({ error: { code: "FORBIDDEN" } });
  });
});
