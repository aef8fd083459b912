import { getEventListeners } from "node:events";
import { inspect } from "node:util";
import { AppError, ERROR_STATUS, type ErrorCode } from "@sm/core";
import fc from "fast-check";
import { describe, expect, it, vi } from "vitest";
import { AnswerBudget } from "./answer-budget.ts";
import type { Caller } from "./caller.ts";
import { type Command, type CommandContext, command } from "./command.ts";
import { connectionCommands } from "./connection-commands.ts";
import { type AnsweredCommand, clientGone, createDispatcher, type DispatcherOptions } from "./dispatcher.ts";
import { createRegistry, registry } from "./registry.ts";
import { encodeResponse, failure, statusOf } from "./response.ts";
import * as v from "./schema/json.ts";
import type { Services } from "./services.ts";
import { StreamedJson } from "./streamed-json.ts";

const OWNER: Caller = { local: true, scope: "full", tokenId: null };
const READER: Caller = { local: false, scope: "read", tokenId: "1" };
const STRANGER: Caller = { local: false, scope: null, tokenId: null };
const REMOTE: Caller = { local: false, scope: "full", tokenId: "2" };
/** As everybody on other machines where `auth_enabled` is false. */
const UNASKED: Caller = { local: false, scope: "full", tokenId: null };

const echo = command({
  summary: "Gives back its input.",
  access: "read",
  input: v.strictObject({ text: v.nullish(v.string(), "nothing") }),
  output: v.unknown(),
  run: async (input) => input,
});

const change = command({
  summary: "Changes something.",
  access: "write",
  input: v.strictObject({ id: v.string() }),
  output: v.unknown(),
  run: async () => "changed",
});

const drive = command({
  summary: "Drives a program.",
  access: "control",
  controls: "programs",
  input: v.strictObject({ id: v.string() }),
  output: v.strictObject({ id: v.string() }),
  run: async (input) => input,
  topics: ({ id }) => [`terminal:${id}`, `live:${id}`],
});

/** A dispatcher over a few commands; none of them needs a service. */
function setUp(commands: Record<string, Command> = {}, options: Partial<DispatcherOptions> = {}) {
  const logged: { fields: object; message: string }[] = [];
  const dispatcher = createDispatcher({} as Services, {
    log: { error: (fields, message) => logged.push({ fields, message }) },
    timeoutMs: 1_000,
    ...options,
    registry: createRegistry([{ echo, change, drive, ...commands }]),
  });
  return { dispatcher, logged };
}

const failing = (run: Command["run"]) =>
  command({ summary: "Fails.", access: "read", input: v.strictObject({}), output: v.unknown(), run });

describe("dispatch", () => {
  it("answers with all three fields", async () => {
    const { dispatcher } = setUp();
    const response = await dispatcher.dispatch({ command: "echo", payload: { text: "hello" } }, OWNER);
    expect(response).toEqual({ success: true, data: { text: "hello" }, error: null });
    expect(statusOf(response)).toBe(200);
  });

  it.each([[{ command: "echo" }], [{ command: "echo", payload: null }], [{ command: "echo", payload: {} }]])(
    "takes %j as an empty payload and fills in defaults",
    async (request) => {
      const { dispatcher } = setUp();
      expect(await dispatcher.dispatch(request, OWNER)).toMatchObject({ data: { text: "nothing" } });
    },
  );

  it("leaves alone what a transport adds to a request", async () => {
    const { dispatcher } = setUp();
    expect(await dispatcher.dispatch({ command: "echo", id: 7 }, OWNER)).toMatchObject({ success: true });
  });

  it.each([[undefined], [null], ["ping"], [[]], [[{ command: "echo" }]], [{}], [{ command: 1 }], [{ payload: {} }]])(
    "calls %j no request",
    async (request) => {
      const { dispatcher } = setUp();
      const response = await dispatcher.dispatch(request, OWNER);
      expect(response).toMatchObject({ success: false, data: null, error: { code: "INVALID_REQUEST", details: null } });
    },
  );

  it.each(["eco", "__proto__", "constructor", "toString", "hasOwnProperty", ""])(
    "does not know the command %j and names the nearest",
    async (name) => {
      const { dispatcher } = setUp();
      const { error } = await dispatcher.dispatch({ command: name }, OWNER);
      expect(error).toMatchObject({ code: "UNKNOWN_COMMAND", message: expect.stringMatching(/"(echo|change|drive)"/) });
    },
  );

  it("names the nearest of all", async () => {
    const { dispatcher } = setUp();
    const { error } = await dispatcher.dispatch({ command: "chagne" }, OWNER);
    expect(error?.message).toBe('Unknown command "chagne". Did you mean "change"?');
  });

  it.each(Object.keys(connectionCommands))("says where %s belongs", async (name) => {
    const { dispatcher } = setUp();
    const { error } = await dispatcher.dispatch({ command: name }, OWNER);
    expect(error).toMatchObject({ code: "UNKNOWN_COMMAND", message: expect.stringContaining("WebSocket") });
  });

  it("shows a long name in part", async () => {
    const { dispatcher } = setUp();
    const { error } = await dispatcher.dispatch({ command: "x".repeat(1_000_000) }, OWNER);
    expect(error?.message.length).toBeLessThan(200);
  });

  it.each<[string, Caller, string, ErrorCode | null]>([
    ["a stranger reads", STRANGER, "echo", "UNAUTHORIZED"],
    ["a stranger writes", STRANGER, "change", "UNAUTHORIZED"],
    ["a stranger asks for an unknown command", STRANGER, "nothing", "UNKNOWN_COMMAND"],
    ["a reader reads", READER, "echo", null],
    ["a reader writes", READER, "change", "FORBIDDEN"],
    ["an owner writes", OWNER, "change", "INVALID_PAYLOAD"],
    ["somebody unasked writes", UNASKED, "change", "INVALID_PAYLOAD"],
    ["a stranger drives", STRANGER, "drive", "UNAUTHORIZED"],
    ["a reader drives", READER, "drive", "FORBIDDEN"],
    ["somebody unasked drives", UNASKED, "drive", "FORBIDDEN"],
    ["an owner drives", OWNER, "drive", "INVALID_PAYLOAD"],
    ["somebody with a token drives", REMOTE, "drive", "INVALID_PAYLOAD"],
  ])("checks access before the payload: %s", async (_case, caller, name, code) => {
    const { dispatcher } = setUp();
    const { error } = await dispatcher.dispatch({ command: name }, caller);
    expect(error?.code ?? null).toBe(code);
  });

  it("tells a reader why a command is not for them", async () => {
    const { dispatcher } = setUp({ keys: command({ ...change, shows: "API keys" }) });
    const refusal = async (name: string) => (await dispatcher.dispatch({ command: name }, READER)).error?.message;
    expect(await refusal("change")).toBe('"change" makes changes, which a token of scope "read" does not allow.');
    expect(await refusal("keys")).toBe(
      '"keys" may show API keys and requires a token of scope "full"; this one has scope "read".',
    );
  });

  it.each([
    [{ id: "a", extra: 1 }, [{ path: "extra", message: "Unknown field." }]],
    [JSON.parse('{"id": "a", "__proto__": {"x": 1}}'), [{ path: "__proto__", message: "Unknown field." }]],
    [{ id: "a", constructor: 1 }, [{ path: "constructor", message: "Unknown field." }]],
    [{}, [{ path: "id", message: "Required." }]],
    [{ id: 1 }, [{ path: "id", message: "Expected string." }]],
    [[], [{ path: "", message: "Expected an object." }]],
    ["a", [{ path: "", message: "Expected an object." }]],
    [false, [{ path: "", message: "Expected an object." }]],
  ])("rejects the payload %j with details", async (payload, details) => {
    const { dispatcher } = setUp();
    const { error } = await dispatcher.dispatch({ command: "change", payload }, OWNER);
    expect(error).toMatchObject({ code: "INVALID_PAYLOAD", details });
    expect(error?.message).toContain(details[0]?.message);
  });

  it.each<[string, unknown]>([
    ["a right", { id: "a" }],
    ["a wrong", { id: 1 }],
    ["no", undefined],
  ])("asks for what a command needs before it looks at %s payload", async (_case, payload) => {
    let ran = false;
    const lacking = command({
      ...drive,
      async prerequisite() {
        throw new AppError("UNAVAILABLE", "Install it.");
      },
      async run(input) {
        ran = true;
        return input;
      },
    });
    const { dispatcher } = setUp({ lacking });
    const ask = async (caller: Caller) => (await dispatcher.dispatch({ command: "lacking", payload }, caller)).error;
    expect(await ask(OWNER)).toMatchObject({ code: "UNAVAILABLE", message: "Install it." });
    expect(await ask(READER)).toMatchObject({ code: "FORBIDDEN" });
    expect(ran).toBe(false);
  });

  it("gives up what a command needs as it gives up commands", async () => {
    const { dispatcher } = setUp(
      { late: command({ ...drive, prerequisite: () => new Promise(() => {}) }) },
      { timeoutMs: 20 },
    );
    expect((await dispatcher.dispatch({ command: "late" }, OWNER)).error?.code).toBe("TIMEOUT");
  });

  it("turns topics on with the answer, before anything else can happen", async () => {
    const order: unknown[] = [];
    let published: Promise<void> | undefined;
    const opening = command({
      ...drive,
      async run(input) {
        published = new Promise<void>((resolve) => setImmediate(resolve)).then(() => void order.push("event"));
        return input;
      },
    });
    const { dispatcher } = setUp({ opening });
    const listen = (topics: readonly string[]) => void order.push(topics);
    const response = await dispatcher.dispatch({ command: "opening", payload: { id: "a" } }, { ...OWNER, listen });
    await published;
    expect(response).toMatchObject({ success: true, data: { id: "a" } });
    expect(order).toEqual([["terminal:a", "live:a"], "event"]);
  });

  it("turns no topics on where the command fails, or has none, or nobody listens", async () => {
    const listen = vi.fn();
    const { dispatcher } = setUp({
      broken: command({
        ...drive,
        async run() {
          throw new AppError("NOT_FOUND", "No.");
        },
      }),
    });
    await dispatcher.dispatch({ command: "broken", payload: { id: "a" } }, { ...OWNER, listen });
    await dispatcher.dispatch({ command: "drive", payload: {} }, { ...OWNER, listen });
    await dispatcher.dispatch({ command: "drive", payload: { id: "a" } }, { ...READER, listen });
    await dispatcher.dispatch({ command: "echo" }, { ...OWNER, listen });
    expect(listen).not.toHaveBeenCalled();
    expect(await dispatcher.dispatch({ command: "drive", payload: { id: "a" } }, OWNER)).toMatchObject({
      success: true,
    });
  });

  it("bounds what it says about a payload", async () => {
    const list = failing(async () => null);
    const { dispatcher } = setUp({ list: { ...list, input: v.strictObject({ items: v.array(v.string()) }) } });
    const payload = { items: new Array(100_000).fill(1), ["y".repeat(100_000)]: 1 };
    const response = await dispatcher.dispatch({ command: "list", payload }, OWNER);
    expect(response.error?.code).toBe("INVALID_PAYLOAD");
    expect(JSON.stringify(response).length).toBeLessThan(5_000);
  });

  it("hands on what a service says to the caller", async () => {
    const details = { retry_after_ms: 500 };
    const unavailable = failing(async () => {
      throw new AppError("UNAVAILABLE", "The index is still opening.", { details, cause: new Error("secret") });
    });
    const { dispatcher, logged } = setUp({ unavailable });
    const response = await dispatcher.dispatch({ command: "unavailable" }, OWNER);
    expect(response.error).toEqual({ code: "UNAVAILABLE", message: "The index is still opening.", details });
    expect(statusOf(response)).toBe(503);
    expect(logged).toEqual([]);
  });

  it.each<[string, () => Promise<unknown>]>([
    ["a rejection", async () => Promise.reject(new Error("secret path"))],
    [
      "a throw before the first await",
      () => {
        throw new Error("secret path");
      },
    ],
    ["a value that is no error", async () => Promise.reject("secret path")],
  ])("hides the cause of a defect and logs it under the same id: %s", async (_case, run) => {
    const { dispatcher, logged } = setUp({ broken: failing(run) });
    const { error } = await dispatcher.dispatch({ command: "broken" }, OWNER);
    expect(error).toMatchObject({ code: "INTERNAL", details: null });
    expect(error?.message).not.toContain("secret");
    const id = /request_id ([0-9a-f-]{36})\./.exec(error?.message ?? "")?.[1];
    expect(logged).toHaveLength(1);
    expect(logged[0]?.fields).toMatchObject({ request_id: id, command: "broken" });
    expect(inspect(logged[0]?.fields)).toContain("secret path");
  });

  it("gives up a command that takes too long", async () => {
    const { dispatcher } = setUp({ slow: failing(() => new Promise(() => {})) }, { timeoutMs: 20 });
    const response = await dispatcher.dispatch({ command: "slow" }, OWNER);
    expect(response.error).toMatchObject({ code: "TIMEOUT", message: expect.stringContaining("0.02 s") });
    expect(statusOf(response)).toBe(504);
  });

  it("waits for a command that takes as long as there is data, until its client goes", async () => {
    const work = vi.fn();
    const endless = command({
      summary: "Reads everything.",
      access: "read",
      timeLimit: "none",
      input: v.strictObject({}),
      output: v.unknown(),
      run: (_input, _services, { requester: { signal } }) =>
        new Promise((_, reject) => {
          work();
          signal?.addEventListener("abort", () => reject(signal.reason));
        }),
    });
    vi.useFakeTimers();
    try {
      const { dispatcher } = setUp({ endless }, { timeoutMs: 20 });
      const client = new AbortController();
      const response = dispatcher.dispatch({ command: "endless" }, { ...OWNER, signal: client.signal });
      await vi.advanceTimersByTimeAsync(60_000);
      client.abort(clientGone());
      expect((await response).error?.code).toBe("UNAVAILABLE");
      expect(work).toHaveBeenCalledOnce();
    } finally {
      vi.useRealTimers();
    }
  });

  it("gives up each of several commands in its own time", async () => {
    vi.useFakeTimers();
    try {
      const { dispatcher } = setUp({ slow: failing(() => new Promise(() => {})) }, { timeoutMs: 100 });
      const ended: string[] = [];
      const start = (name: string) => dispatcher.dispatch({ command: "slow" }, OWNER).then(() => ended.push(name));
      void start("first");
      await vi.advanceTimersByTimeAsync(60);
      void start("second");
      await vi.advanceTimersByTimeAsync(39);
      expect(ended).toEqual([]);
      await vi.advanceTimersByTimeAsync(1);
      expect(ended).toEqual(["first"]);
      await vi.advanceTimersByTimeAsync(59);
      expect(ended).toEqual(["first"]);
      await vi.advanceTimersByTimeAsync(1);
      expect(ended).toEqual(["first", "second"]);
    } finally {
      vi.useRealTimers();
    }
  });

  it("keeps the process alive while a command runs, and no longer", async () => {
    const timers = () => process.getActiveResourcesInfo().filter((name) => name === "Timeout").length;
    let finish: (value: unknown) => void = () => {};
    const slow = failing(() => new Promise((resolve) => (finish = resolve)));
    const { dispatcher } = setUp({ slow });
    const before = timers();
    const running = dispatcher.dispatch({ command: "slow" }, OWNER);
    expect(timers()).toBe(before + 1);
    finish({});
    await running;
    expect(timers()).toBe(before);
    await dispatcher.dispatch({ command: "echo" }, OWNER);
    expect(timers()).toBe(before);
  });

  it("survives a command that fails after it was given up", async () => {
    let fail: (error: Error) => void = () => {};
    const late = failing(() => new Promise((_, reject) => (fail = reject)));
    const { dispatcher } = setUp({ late }, { timeoutMs: 5 });
    expect((await dispatcher.dispatch({ command: "late" }, OWNER)).error?.code).toBe("TIMEOUT");
    fail(new Error("too late"));
    await new Promise((resolve) => setImmediate(resolve));
  });

  it("never throws, whatever comes", async () => {
    const { dispatcher } = setUp();
    const anything = fc.anything({ withNullPrototype: true, withMap: true, withBigInt: true });
    const request = fc.oneof(
      anything,
      fc.record({ command: fc.oneof(anything, fc.constantFrom("echo", "change")), payload: anything }),
    );
    await fc.assert(
      fc.asyncProperty(request, async (value) => {
        const response = await dispatcher.dispatch(value, OWNER);
        expect(Object.keys(response)).toEqual(["success", "data", "error"]);
        expect(response.error?.code).not.toBe("INTERNAL");
      }),
    );
  });
});

describe("an answer that is read while it is sent", () => {
  const streaming = (items: () => AsyncIterable<unknown>) =>
    command({
      summary: "Lists something.",
      access: "read",
      input: v.strictObject({}),
      output: v.array(v.unknown()),
      run: async () => items(),
    });
  const long = "x".repeat(100_000);

  it("is a streamed array", async () => {
    const list = streaming(async function* () {
      yield 1;
      yield long;
    });
    const { dispatcher } = setUp({ list });
    const response = await dispatcher.dispatch({ command: "list" }, OWNER);
    expect(response).toEqual({ success: true, data: expect.any(StreamedJson), error: null });
    expect(await (response.data as StreamedJson).collect()).toEqual([1, long]);
  });

  it("is an error like any other where the first items cannot be read", async () => {
    const list = streaming(async function* () {
      yield 1;
      throw new AppError("UNAVAILABLE", "No.");
    });
    const { dispatcher } = setUp({ list });
    const response = await dispatcher.dispatch({ command: "list" }, OWNER);
    expect(response).toEqual(failure({ code: "UNAVAILABLE", message: "No.", details: null }));
  });

  it("is given up where an item takes too long, the first or a later one", async () => {
    const list = (before: unknown[]) =>
      streaming(async function* () {
        yield* before;
        await new Promise(() => {});
      });
    const { dispatcher } = setUp({ first: list([]), later: list([long]) }, { timeoutMs: 20 });
    expect((await dispatcher.dispatch({ command: "first" }, OWNER)).error?.code).toBe("TIMEOUT");
    const { data } = await dispatcher.dispatch({ command: "later" }, OWNER);
    await expect((data as StreamedJson).collect()).rejects.toMatchObject({ code: "TIMEOUT" });
  });
});

describe("an answer that takes memory", () => {
  const large = (answer: unknown) =>
    command({
      summary: "Answers at length.",
      access: "read",
      input: v.strictObject({}),
      output: v.unknown(),
      answerBytes: 100,
      run: async () => answer,
    });

  it("has its part of the budget until it is sent", async () => {
    const budget = new AnswerBudget({ bytes: 1_000_000 });
    const { dispatcher } = setUp({ large: large("x".repeat(100_000)) }, { budget });
    const response = await dispatcher.dispatch({ command: "large" }, OWNER);
    expect(budget.reservedBytes).toBe(100_002);
    const pieces = encodeResponse(response) as AsyncGenerator<string>;
    await pieces.next();
    expect(budget.reservedBytes).toBe(100_002);
    await pieces.return(undefined);
    expect(budget.reservedBytes).toBe(0);
  });

  it("gives it back where it is short, fails, or nobody waits for it any more", async () => {
    const budget = new AnswerBudget({ bytes: 1_000_000 });
    const failing = { ...large(null), run: () => Promise.reject(new AppError("NOT_FOUND", "No.")) };
    const { dispatcher } = setUp({ failing, long: large("x".repeat(100_000)), short: large(1) }, { budget });
    expect(encodeResponse(await dispatcher.dispatch({ command: "short" }, OWNER))).toContain('"data":1');
    expect((await dispatcher.dispatch({ command: "failing" }, OWNER)).error?.code).toBe("NOT_FOUND");
    expect(budget.reservedBytes).toBe(0);
    const client = new AbortController();
    await dispatcher.dispatch({ command: "long" }, { ...OWNER, signal: client.signal });
    expect(budget.reservedBytes).toBe(100_002);
    client.abort();
    expect(budget.reservedBytes).toBe(0);
  });

  it("is not made while there is no room for it", async () => {
    const budget = new AnswerBudget({ bytes: 400, waitMs: 1 });
    await budget.take(400, { client: "other" });
    let runs = 0;
    const counted = { ...large(null), run: async () => ++runs };
    const { dispatcher } = setUp({ large: counted }, { budget });
    const { error } = await dispatcher.dispatch({ command: "large" }, OWNER);
    expect(error).toMatchObject({ code: "UNAVAILABLE", details: { retry_after_ms: 1_000 } });
    expect(runs).toBe(0);
  });
});

describe("the signal of a command", () => {
  /** A command that never ends by itself, and the signals that its runs got. */
  function waiting() {
    const signals: AbortSignal[] = [];
    const wait = failing((_input, _services, { requester: { signal } }: CommandContext) => {
      if (signal !== undefined) signals.push(signal);
      return new Promise((_, reject) => signal?.addEventListener("abort", () => reject(signal.reason)));
    });
    return { wait, signals };
  }

  it("is aborted when the client has gone, which counts as cancelled and is no defect", async () => {
    const { wait, signals } = waiting();
    const done: AnsweredCommand[] = [];
    const { dispatcher, logged } = setUp({ wait }, { onCommand: (answered) => done.push(answered) });
    const connection = new AbortController();
    const answer = dispatcher.dispatch({ command: "wait" }, { ...OWNER, signal: connection.signal });
    await expect.poll(() => signals).toHaveLength(1);
    connection.abort(clientGone());
    expect((await answer).error?.code).toBe("UNAVAILABLE");
    expect(signals[0]?.reason).toBe(connection.signal.reason);
    expect(done).toMatchObject([{ command: "wait", code: "CANCELLED" }]);
    expect(logged).toEqual([]);
  });

  it("is aborted from the start where the client had gone before", async () => {
    const { wait, signals } = waiting();
    const { dispatcher } = setUp({ wait }, { timeoutMs: 20 });
    void dispatcher.dispatch({ command: "wait" }, { ...OWNER, signal: AbortSignal.abort(clientGone()) });
    expect(signals.map(({ aborted }) => aborted)).toEqual([true]);
  });

  it("is aborted when the command is given up", async () => {
    const { wait, signals } = waiting();
    const { dispatcher } = setUp({ wait }, { timeoutMs: 20 });
    expect((await dispatcher.dispatch({ command: "wait" }, OWNER)).error?.code).toBe("TIMEOUT");
    expect(signals[0]?.reason).toMatchObject({ code: "TIMEOUT" });
  });

  it("leaves nothing on the connection when the answer is complete", async () => {
    const look = (run: (signal: AbortSignal | undefined) => Promise<unknown>) =>
      failing((_input, _services, { requester }: CommandContext) => run(requester.signal));
    const long = ["x".repeat(100_000), 1];
    const { dispatcher } = setUp({
      succeeding: look(async () => "done"),
      failing: look(() => Promise.reject(new AppError("NOT_FOUND", "No."))),
      streaming: look(async () =>
        (async function* () {
          yield* long;
        })(),
      ),
    });
    const { signal } = new AbortController();
    const listeners = () => getEventListeners(signal, "abort").length;
    const send = (command: string) => dispatcher.dispatch({ command }, { ...OWNER, signal });
    await send("succeeding");
    expect(listeners()).toBe(0);
    await send("failing");
    expect(listeners()).toBe(0);
    const { data } = await send("streaming");
    expect(listeners()).toBe(1);
    expect(await (data as StreamedJson).collect()).toEqual(long);
    expect(listeners()).toBe(0);
  });
});

describe("onCommand", () => {
  it.each<[string, unknown, Caller, string, string]>([
    ["a command that succeeds", { command: "echo" }, OWNER, "echo", "OK"],
    ["a command that fails", { command: "change" }, OWNER, "change", "INVALID_PAYLOAD"],
    ["a command that is refused", { command: "change" }, STRANGER, "change", "UNAUTHORIZED"],
    ["an unknown command", { command: "/etc/passwd" }, OWNER, "unknown", "UNKNOWN_COMMAND"],
    ["a name of Object.prototype", { command: "constructor" }, OWNER, "unknown", "UNKNOWN_COMMAND"],
    ["no request", null, OWNER, "unknown", "INVALID_REQUEST"],
  ])("is told of %s", async (_case, request, caller, command, code) => {
    const done: AnsweredCommand[] = [];
    const { dispatcher } = setUp({}, { onCommand: (answered) => done.push(answered) });
    await dispatcher.dispatch(request, caller);
    expect(done).toEqual([{ command, code, seconds: expect.any(Number) }]);
    expect(done[0]?.seconds).toBeGreaterThanOrEqual(0);
  });

  it("is told of a command that was given up, with the time that it took", async () => {
    const done: AnsweredCommand[] = [];
    const slow = failing(() => new Promise(() => {}));
    const { dispatcher } = setUp({ slow }, { timeoutMs: 20, onCommand: (answered) => done.push(answered) });
    await dispatcher.dispatch({ command: "slow" }, OWNER);
    expect(done).toMatchObject([{ command: "slow", code: "TIMEOUT" }]);
    // Timers fire up to a millisecond early.
    expect(done[0]?.seconds).toBeGreaterThanOrEqual(0.019);
  });
});

describe("statusOf", () => {
  it.each(Object.entries(ERROR_STATUS) as [ErrorCode, number][])("gives %s the status %d", (code, status) => {
    expect(statusOf(failure({ code, message: "", details: null }))).toBe(status);
  });
});

describe("who may not control this machine", () => {
  const controlling = [...registry].filter(([, { access }]) => access === "control").map(([name]) => name);
  const dispatcher = createDispatcher({} as Services, { log: { error: () => undefined }, timeoutMs: 1_000 });

  /** What a command is about, by its name. */
  function subjectOf(name: string): string {
    if (name.includes("terminal")) return "terminals";
    if (name.includes("coding")) return "live agents";
    if (name.includes("token")) return "API tokens";
    if (name.includes("share")) return "public links";
    if (name.includes("push")) return "notifications to other devices";
    if (name.includes("hub")) return "what is sent to other machines";
    return name.includes("model_config") ? "the model configuration" : "the configuration";
  }

  it.each(controlling)("is told what %s is about, and what to do", async (name) => {
    const messageFor = async (caller: Caller) => (await dispatcher.dispatch({ command: name }, caller)).error?.message;
    const refusal = `"${name}" controls ${subjectOf(name)}`;
    expect(await messageFor(UNASKED)).toBe(
      `${refusal}. A client on another machine needs an API token of scope "full" for this; set "auth_enabled" to true.`,
    );
    expect(await messageFor(READER)).toBe(
      `${refusal}, which requires a token of scope "full"; this one has scope "read".`,
    );
  });
});
