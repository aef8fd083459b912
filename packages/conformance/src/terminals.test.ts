import { join } from "node:path";
import type { AttachedTerminal, ListedTerminal } from "@sm/core";
import type { EventPayloads } from "@sm/router/events";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { FAKE_AGENT } from "./program-cases.ts";
import { type RealService, startRealService } from "./real-service.ts";
import { TerminalView } from "./terminal-view.ts";
import { TestEventStream } from "./test-event-stream.ts";
import { TestSocket } from "./test-socket.ts";
import { STRANGER } from "./transports.ts";

const MIB = 1_048_576;

/** What a connection may hold on its way: the queue of the service, the system's buffers at both ends. */
const MAX_IN_FLIGHT = 32 * MIB;

let service: RealService;
/** One that detaches a client soon. */
let impatient: RealService;

beforeAll(async () => {
  service = await startRealService({ config: { agent_command: FAKE_AGENT, limits: { output_stall_seconds: 600 } } });
  impatient = await startRealService({ config: { limits: { output_stall_seconds: 1 } } });
});

afterAll(async () => {
  await service[Symbol.asyncDispose]();
  await impatient[Symbol.asyncDispose]();
});

const create = (on = service) => TerminalView.create(on.url, on.home.folder);

/** Waits until a terminal writes nothing more: it would have, in the time of so many requests. */
async function untilStill({ id }: TerminalView): Promise<number> {
  let last: number | null = null;
  for (let same = 0; same < 100; same += 1) {
    const { seq }: AttachedTerminal = await service.ask("attach_terminal", { id, after_seq: last });
    if (seq !== last) same = 0;
    last = seq;
  }
  return last ?? 0;
}

describe("a terminal", () => {
  it("runs in its folder and shows what programs write, in order", async () => {
    await using view = await create();
    await view.type("pwd; seq 3000");
    await view.until(() => view.lastNumber === 3_000);
    expect(view.wrong).toEqual([]);
    expect(view.tail).toContain(service.home.folder);
    await service.ask("terminal_resize", { id: view.id, cols: 101, rows: 33 });
    await view.type("stty size");
    await view.shows("33 101\r\n");
    const { data, sizes } = await view.attach();
    expect(sizes.map(([, ...size]) => size)).toEqual([
      [80, 24],
      [101, 33],
    ]);
    expect(data.slice(sizes[1]?.[0])).toMatch(/33 101\r\n$/);
    expect(data.slice(0, sizes[1]?.[0])).toContain("3000\r\n");
  });

  it("tells programs where the service is, and no more of it", async () => {
    await using view = await create();
    await view.type("env | grep ^SESSION_MANAGER_");
    await view.shows(`SESSION_MANAGER_DATA_DIR=${join(service.home.folder, "data")}\r\n`);
    expect(view.tail).toContain(`SESSION_MANAGER_URL=${service.url}\r\n`);
    expect(view.tail.match(/^SESSION_MANAGER_/gm)).toHaveLength(2);
  });

  it("shows all its clients the same", async () => {
    await using first = await create();
    await first.type("seq 100");
    await using second = await first.another();
    await second.type("seq 101 200; printf 'tw\\303\\266lf\\n'");
    for (const view of [first, second]) await view.shows("twölf\r\n");
    const [one, two] = await Promise.all([first.attach(), second.attach()]);
    expect(two).toEqual(one);
    expect([first.wrong, second.wrong]).toEqual([[], []]);
  });

  it("tells of its end after the last output, and is kept until it is closed", async () => {
    await using view = await create();
    const { id } = view;
    await view.type("seq 20000; exit 3");
    const { payload } = await view.socket.events.first(({ event }) => event === "terminal-exit");
    expect(payload).toEqual({ id, exit_code: 3, signal: null });
    expect([view.lastNumber, view.wrong]).toEqual([20_000, []]);
    const listed = async () => (await service.ask<ListedTerminal[]>("list_terminals")).find((one) => one.id === id);
    expect(await listed()).toMatchObject({ exit: { exit_code: 3, signal: null } });
    expect(await service.call("terminal_write", { id, data: "x" })).toMatchObject({ error: { code: "CONFLICT" } });
    await service.ask("terminal_close", { id });
    expect(await listed()).toBeUndefined();
    expect(await service.call("attach_terminal", { id })).toMatchObject({ error: { code: "NOT_FOUND" } });
  });

  it("lives on without its client, who has missed nothing", async () => {
    const first = await create();
    await first.type("seq 10");
    await first.until(() => first.lastNumber === 10);
    await first[Symbol.asyncDispose]();
    await service.ask("terminal_write", { id: first.id, data: "seq 11 20\r" });
    await using again = await first.another();
    await again.until(() => again.lastNumber === 20);
    const { data } = await service.ask<AttachedTerminal>("attach_terminal", { id: first.id, after_seq: first.seq });
    expect(data).toMatch(/^11\r\n.*20\r\n$/s);
  });
});

describe("a flood", () => {
  it("can be joined in its middle: nothing is missing behind the answer, and nothing comes twice", async () => {
    await using first = await create();
    await first.type("seq 500000");
    for (const place of [1_000, 100_000, 200_000, 300_000]) {
      await first.until(() => first.lastNumber >= place);
      await using joined = await first.another();
      const { seq } = joined;
      await joined.until(() => joined.seq > seq + 10 || joined.lastNumber === 500_000);
      // The first line of a replay may be the rest of one.
      expect(joined.wrong.slice(1)).toEqual([]);
    }
    await first.until(() => first.lastNumber === 500_000);
    expect(first.wrong).toEqual([]);
  });

  it("stops while its only client does not read, and goes on with what comes next", async () => {
    await using view = await create();
    await view.type("seq 100000000");
    await view.until(() => view.lastNumber > 1_000);
    view.socket.socket.pause();
    const before = view.received;
    const last = await untilStill(view);
    view.socket.socket.resume();
    await view.until(() => view.seq >= last);
    expect(view.received - before).toBeLessThan(MAX_IN_FLIGHT);
    await view.until(() => view.seq > last + 100);
    expect(view.wrong).toEqual([]);
    await view.type("\u0003");
  });

  it("stops while its only client does not acknowledge, and goes on when it does", async () => {
    await using view = await create();
    const acknowledge = () => view.socket.ask("acknowledge_output", { id: view.id, seq: view.seq });
    await acknowledge();
    const before = view.received;
    await view.type("seq 100000000");
    const last = await untilStill(view);
    await view.until(() => view.seq === last);
    expect(view.received - before).toBeGreaterThan(128 * 1_024);
    expect(view.received - before).toBeLessThan(MIB);
    await acknowledge();
    await view.until(() => view.seq > last + 2);
    expect(view.wrong).toEqual([]);
    await service.ask("terminal_close", { id: view.id });
  });

  it("goes on for the others when one does not read; that one is told, and attaches again", async () => {
    await using fast = await create();
    await using slow = await fast.another();
    const lost = slow.socket.events.first(({ event }) => event === "events-lost");
    slow.socket.socket.pause();
    await fast.type("seq 100000000");
    const start = fast.received;
    await fast.until(() => fast.received - start > MAX_IN_FLIGHT);
    slow.socket.socket.resume();
    await lost;
    expect(slow.wrong).toEqual([]);
    const { seq } = await slow.attach();
    await slow.until(() => slow.seq > seq + 20);
    expect(slow.wrong.slice(1)).toEqual([]);
    expect(fast.wrong).toEqual([]);
    expect(fast.socket.events.items.map(({ event }) => event)).not.toContain("events-lost");
    await service.ask("terminal_close", { id: fast.id });
  });

  it("runs on when its only client has not read for too long", async () => {
    await using view = await create(impatient);
    const lost = view.socket.events.first(({ event }) => event === "events-lost");
    view.socket.socket.pause();
    await impatient.ask("terminal_write", { id: view.id, data: "seq 100000000\r" });
    // Much more than would have been written for a client that does not read.
    for (let last = 0; last < MAX_IN_FLIGHT / 8; ) {
      await new Promise((resolve) => setTimeout(resolve, 100));
      const { data } = await impatient.ask<AttachedTerminal>("attach_terminal", { id: view.id });
      last = Number(data.slice(-100).split("\r\n").at(-2));
    }
    view.socket.socket.resume();
    await lost;
    const { seq } = await view.attach();
    await view.until(() => view.seq > seq + 10);
    await impatient.ask("terminal_close", { id: view.id });
  });
});

describe("who may drive terminals", () => {
  const commands: [string, object][] = [
    ["create_terminal", { cwd: "/" }],
    ["list_terminals", {}],
    ["get_coding_live_sessions", {}],
  ];

  it.each(commands)(
    "%s: not a token of scope read, nobody without a token, but one of scope full",
    async (command, payload) => {
      const answered = async (scope: "full" | "read" | null) => {
        const { token } = await service.ask<{ token: string }>("create_token", {
          name: "test",
          scope: scope ?? "read",
        });
        const headers = { ...STRANGER, ...(scope === null ? {} : { Authorization: `Bearer ${token}` }) };
        await using socket = await TestSocket.open(service.url, { headers });
        const { error } = await socket.ask(command, {
          ...payload,
          ...(command === "create_terminal" && { cwd: service.home.folder }),
        });
        return error?.code ?? null;
      };
      expect([await answered("read"), await answered(null), await answered("full")]).toEqual([
        "FORBIDDEN",
        "UNAUTHORIZED",
        null,
      ]);
    },
  );

  it("nobody on another machine where nobody is asked for a token", async () => {
    await using open = await startRealService({ config: { auth_enabled: false } });
    await using socket = await TestSocket.open(open.url, { headers: STRANGER });
    expect(await socket.ask("list_sessions")).toMatchObject({ success: true });
    for (const [command, payload] of commands) {
      expect(await socket.ask(command, payload)).toMatchObject({ error: { code: "FORBIDDEN" } });
    }
    for (const topic of ["terminal:t", "live:s"]) {
      expect(await socket.ask("subscribe", { topics: [topic] })).toMatchObject({ error: { code: "FORBIDDEN" } });
      await expect(TestEventStream.open(open.url, STRANGER, `?topics=${topic}`)).rejects.toThrow("FORBIDDEN");
    }
  });

  it("nobody where they are turned off, whatever the payload", async () => {
    await using off = await startRealService({ config: { terminals_enabled: false, agents_enabled: false } });
    for (const [command] of commands) {
      for (const payload of [{}, { wrong: 1 }]) {
        expect(await off.call(command, payload)).toMatchObject({
          error: { code: "FORBIDDEN", message: expect.stringMatching(/terminals_enabled|agents_enabled/) },
        });
      }
    }
  });
});

describe("the event stream of a terminal", () => {
  it("has its output and its end", async () => {
    await using view = await create();
    using stream = await TestEventStream.open(service.url, {}, `?topics=terminal:${view.id}`);
    await stream.events.first(({ event }) => event === "hello");
    const { seq } = view;
    await view.type("seq 3; exit");
    await stream.events.first(({ event }) => event === "terminal-exit");
    const outputs = stream.events.items
      .filter(({ event }) => event === "terminal-output")
      .map(({ payload }) => payload as EventPayloads["terminal-output"]);
    expect(outputs.map(({ data }) => data).join("")).toBe("1\r\n2\r\n3\r\n");
    expect(outputs[0]?.seq).toBe(seq + 1);
  });
});
