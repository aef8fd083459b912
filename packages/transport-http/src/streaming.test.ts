import { Agent } from "node:http";
import { connect } from "node:net";
import { type Caller, JsonText, jsonArray, StreamedJson } from "@sm/router";
import { describe, expect, it } from "vitest";
import { send, serve } from "./test-client.ts";

/** More than a piece. */
const ITEM = "x".repeat(100_000);

const request = { method: "POST", headers: { "Content-Type": "application/json" }, body: '{"command":"list"}' };

/** Serves lists of `count` items; tells how many were taken, and of how many lists some are still to be taken. */
async function serveList(count: number, beforeItem: (place: number) => Promise<void> | void = () => {}) {
  const source = { taken: 0, open: 0 };
  async function* items() {
    source.open += 1;
    try {
      for (let place = 0; place < count; place += 1) {
        await beforeItem(place);
        source.taken += 1;
        yield ITEM;
      }
    } finally {
      source.open -= 1;
    }
  }
  const dispatch = async () => {
    const data = await StreamedJson.open(new JsonText(jsonArray(items())), (work) => work);
    return { success: true as const, data, error: null };
  };
  return Object.assign(await serve({ dispatcher: { dispatch } }), { source });
}

/** Sends the request on a connection of its own, and reads nothing by itself. */
function ask({ port }: { port: number }) {
  const { body } = request;
  const socket = connect(port, "127.0.0.1", () =>
    socket.write(
      `POST /api HTTP/1.1\r\nHost: localhost:${port}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
    ),
  );
  socket.on("error", () => {});
  return socket.pause();
}

const until = async (holds: () => boolean) => {
  while (!holds()) await new Promise(setImmediate);
};

describe("a client that leaves", () => {
  it("is told to the command by its signal, and takes turns by its address", async () => {
    const callers: Caller[] = [];
    const dispatch = (_request: unknown, caller: Caller) => {
      callers.push(caller);
      return new Promise<never>(() => {});
    };
    await using server = await serve({ dispatcher: { dispatch } });
    const socket = ask(server);
    await until(() => callers.length === 1);
    expect(callers[0]).toMatchObject({ client: "address 127.0.0.1", signal: { aborted: false } });
    socket.destroy();
    await until(() => callers[0]?.signal?.aborted === true);
    expect(server.logged).toEqual([]);
  });

  it("leaves one listener, however many requests came before", async () => {
    const signals = new Set<AbortSignal | undefined>();
    const dispatch = async (_request: unknown, { signal }: Caller) => {
      signals.add(signal);
      return { success: true as const, data: null, error: null };
    };
    await using server = await serve({ dispatcher: { dispatch } });
    using agent = Object.assign(new Agent({ keepAlive: true, maxSockets: 1 }), {
      [Symbol.dispose]: () => agent.destroy(),
    });
    for (let count = 0; count < 5; count++) await send(`${server.url}/api`, { ...request, agent });
    expect(signals.size).toBe(1);
  });
});

describe("an answer in pieces", () => {
  it.each([0, 1, 100])("is what the whole would be, an item to a line: %d items", async (count) => {
    await using server = await serveList(count);
    const answer = await send(`${server.url}/api`, request);
    const data = Array.from({ length: count }, () => ITEM);
    expect(JSON.parse(answer.body)).toEqual({ success: true, data, error: null });
    expect(answer.body.split(",\n")).toHaveLength(Math.max(1, count));
    expect(answer.status).toBe(200);
    expect(answer.headers).toMatchObject({
      "content-type": "application/json",
      "x-session-manager-version": "1.2.3",
      "x-content-type-options": "nosniff",
      "cross-origin-resource-policy": "same-origin",
      "cross-origin-opener-policy": "same-origin",
      "cache-control": "no-store",
    });
  });

  it("breaks the connection where it breaks off, and the log says why", async () => {
    const failure = new Error("secret");
    await using server = await serveList(100, (place) => (place === 50 ? Promise.reject(failure) : undefined));
    await expect(send(`${server.url}/api`, request)).rejects.toThrow();
    expect(server.logged).toEqual([{ route: "/api", err: failure }]);
  });

  it("is made no faster than the client reads, and no more of it when the client leaves", async () => {
    await using server = await serveList(1_000_000);
    const socket = ask(server);
    let before = 0;
    // Until nothing moves any more: the buffers of both sockets are full.
    while (before === 0 || before !== server.source.taken) {
      before = server.source.taken;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    expect(before * ITEM.length).toBeLessThan(64 * 1_048_576);
    socket.destroy();
    await until(() => server.source.open === 0);
    expect(server.logged).toEqual([]);
  });

  it("lets go of its items when the client has left before it began", async () => {
    let arrive = () => {};
    const arrival = new Promise<void>((resolve) => (arrive = resolve));
    let goOn = () => {};
    const goingOn = new Promise<void>((resolve) => (goOn = resolve));
    await using server = await serveList(100, async () => {
      arrive();
      await goingOn;
    });
    const socket = ask(server);
    await arrival;
    socket.destroy();
    await new Promise((resolve) => setTimeout(resolve, 20));
    goOn();
    await until(() => server.source.open === 0);
    expect(server.logged).toEqual([]);
  });

  it("is finished when the server closes", async () => {
    let finish = () => {};
    const finished = new Promise<void>((resolve) => (finish = resolve));
    await using server = await serveList(100, (place) => (place === 50 ? finished : undefined));
    const answer = send(`${server.url}/api`, request);
    await until(() => server.source.taken === 50);
    const closing = server.close();
    finish();
    await closing;
    expect(JSON.parse((await answer).body)).toMatchObject({ success: true, error: null });
  });
});
