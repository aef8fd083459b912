import { describe, expect, it } from "vitest";
import { Client, serve } from "./test-server.ts";

const progress = { done: 1, total: 9, bytes_done: 0, bytes_total: 0 };

describe("events", () => {
  it("begin with hello and come as they are published", async () => {
    await using server = await serve();
    await using client = await Client.open(server);
    const { seq } = server.bus;
    server.bus.publish("session-changed", { changed_paths: ["/ä\u2028\n.jsonl"], removed_paths: [] });
    expect(await client.events.take(2)).toEqual([
      { event: "hello", seq, payload: { api_version: 1, server_version: "1.2.3", kind: "home", seq } },
      { event: "session-changed", seq: seq + 1, payload: { changed_paths: ["/ä\u2028\n.jsonl"], removed_paths: [] } },
    ]);
  });

  it("are replayed after a number", async () => {
    await using server = await serve();
    const { seq } = server.bus;
    for (const version_id of ["a", "b", "c"]) server.bus.publish("config-changed", { version_id });
    await using client = await Client.open(server, undefined, `?after_seq=${seq + 1}`);
    expect(await client.events.take(3)).toMatchObject([
      { event: "hello", seq: seq + 1, payload: { seq: seq + 3 } },
      { event: "config-changed", seq: seq + 2, payload: { version_id: "b" } },
      { event: "config-changed", seq: seq + 3, payload: { version_id: "c" } },
    ]);
  });

  it("are replayed to a client that authenticates by a message", async () => {
    await using server = await serve();
    const { seq } = server.bus;
    server.bus.publish("config-changed", { version_id: "a" });
    await using client = await Client.open(server, "stranger", `?after_seq=${seq}`);
    await client.ask({ command: "auth", payload: { token: "reader" } });
    expect((await client.events.take(2)).map(({ event }) => event)).toEqual(["hello", "config-changed"]);
  });

  it("that are gone are told", async () => {
    await using server = await serve();
    await using client = await Client.open(server, undefined, "?after_seq=5");
    const { seq } = server.bus;
    expect(await client.events.take(2)).toMatchObject([
      { event: "hello", seq },
      { event: "events-lost", seq, payload: {} },
    ]);
  });

  it("are chosen by topic", async () => {
    await using server = await serve();
    await using client = await Client.open(server);
    const off = await client.ask({ command: "unsubscribe", payload: { topics: ["index", "live:1"] } });
    expect(off?.data).toEqual({ topics: ["sessions", "config", "live"] });
    server.bus.publish("index-progress", progress);
    server.bus.publish("config-changed", { version_id: "a" });
    expect((await client.events.take(2)).map(({ event }) => event)).toEqual(["hello", "config-changed"]);
    const on = await client.ask({ command: "subscribe", payload: { topics: ["index", "terminal:t", "index"] } });
    expect(on?.data).toEqual({ topics: ["sessions", "config", "live", "index", "terminal:t"] });
    server.bus.publish("index-progress", progress);
    expect((await client.events.take(3))[2]).toMatchObject({ event: "index-progress" });
  });

  it.each<[string, unknown]>([
    ["none", {}],
    ["an empty list", { topics: [] }],
    ["a text", { topics: "index" }],
    ["an unknown one", { topics: ["index", "weather"] }],
    ["no id", { topics: ["live:"] }],
    ["an id that is too long", { topics: [`live:${"x".repeat(257)}`] }],
    ["the name of a property", { topics: ["constructor"] }],
    ["too many", { topics: Array.from({ length: 101 }, (_, index) => `live:${index}`) }],
    ["more than topics", { topics: ["index"], more: 1 }],
  ])("cannot be chosen by %s", async (_case, payload) => {
    await using server = await serve();
    await using client = await Client.open(server);
    for (const command of ["subscribe", "unsubscribe"]) {
      expect(await client.ask({ command, payload })).toMatchObject({ command, error: { code: "INVALID_PAYLOAD" } });
    }
  });

  it("may have 1,000 topics on a connection", async () => {
    await using server = await serve();
    await using client = await Client.open(server);
    const hundred = (from: number) => Array.from({ length: 100 }, (_, index) => `live:${from + index}`);
    for (let from = 0; from < 900; from += 100) {
      await client.ask({ command: "subscribe", payload: { topics: hundred(from) } });
    }
    const refused = await client.ask({ command: "subscribe", payload: { topics: hundred(900) } });
    expect(refused).toMatchObject({ error: { code: "INVALID_PAYLOAD" } });
    const topics = hundred(900).slice(0, 96);
    expect(await client.ask({ command: "subscribe", payload: { topics } })).toMatchObject({ success: true });
  });

  it("reach every client as the same bytes", async () => {
    await using server = await serve();
    await using first = await Client.open(server);
    await using second = await Client.open(server);
    server.bus.publish("config-changed", { version_id: "a" });
    const [ours, theirs] = await Promise.all([first.messages.take(2), second.messages.take(2)]);
    expect(ours[1]).toBe(theirs[1]);
  });
});
