import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { TestAgent } from "./agent.fixture.ts";
import { TestService } from "./service.fixture.ts";

const user = { role: "user", content: "Hello", timestamp: 1 };

let service: TestService;
let agents: TestAgent[];

beforeEach(async () => {
  service = await TestService.start();
  agents = [];
});

afterEach(async () => {
  for (const agent of agents) await agent.emit("session_shutdown", { reason: "quit" });
  await service[Symbol.asyncDispose]();
});

/** Starts a session whose agent finds the service, and waits until it is known there. */
async function startSession(env: NodeJS.ProcessEnv = {}): Promise<TestAgent> {
  const agent = openAgent({ env: { SESSION_MANAGER_URL: service.url, ...env } });
  await agent.emit("session_start", { reason: "startup" });
  await registered();
  return agent;
}

function openAgent(options: Partial<ConstructorParameters<typeof TestAgent>[0]>): TestAgent {
  const agent = new TestAgent({ env: { SESSION_MANAGER_URL: service.url }, isTerminal: true, ...options });
  agents.push(agent);
  return agent;
}

/** Waits until the agent's footer says so. */
const shows = (agent: TestAgent, status: string | undefined) =>
  expect.poll(() => agent.status, { timeout: 30_000 }).toBe(status);

const registered = () => service.until((calls) => calls.find(({ command }) => command === "register_coding_session"));

const reports = () => service.calls.filter(({ command }) => command === "report_coding_session");

/** The records of all reports. */
const told = (): { type: string }[] => reports().flatMap(({ payload }) => payload.events);

const untilTold = (type: string) => service.until(() => told().find((record) => record.type === type));

/** What came of a request. */
const outcome = (id: string) =>
  service.until(() =>
    reports()
      .flatMap(({ payload }) => payload.done)
      .find((done) => done.id === id),
  );

it("registers the session, and shows so", async () => {
  const agent = await startSession();
  expect((await registered()).payload).toEqual({
    session_id: "session-1",
    session_path: null,
    cwd: "/project",
    pid: process.pid,
    state: "idle",
    model: "fake/fake-1",
    thinking_level: "medium",
    started_at: expect.stringMatching(/^\d{4}-.*Z$/),
    name: null,
    models: [
      {
        model: "fake/fake-1",
        name: "Fake One",
        reasoning: true,
        thinking_levels: ["off", "low", "medium", "high", "max"],
      },
      { model: "fake/fake-2", name: null, reasoning: false, thinking_levels: ["off"] },
      { model: "fake/locked", name: "Locked", reasoning: false, thinking_levels: ["off"] },
    ],
  });
  await shows(agent, "Session Manager");
});

it("shows the service a token", async () => {
  await startSession({ SESSION_MANAGER_TOKEN: "sm_token" });
  expect((await registered()).headers.authorization).toBe("Bearer sm_token");
});

it.each([
  ["a program drives the agent", { isTerminal: false }],
  ["the agent only prints", { hasUI: false }],
])("does nothing where %s", async (_, options) => {
  const other = openAgent({ ...options, id: "other" });
  await other.emit("session_start", { reason: "startup" });
  await other.emit("agent_start");
  await startSession();
  expect(service.calls.map(({ payload }) => payload.session_id)).not.toContain("other");
});

describe("tells", () => {
  it("what happens, as the agent's RPC mode would write it", async () => {
    const agent = await startSession();
    const message = { role: "assistant", content: [{ type: "text", text: "Hi" }] };
    const delta = { type: "text_delta", contentIndex: 0, delta: "Hi" };
    const tool = { toolCallId: "call-1", toolName: "bash" };
    await agent.emit("agent_start");
    await agent.emit("turn_start", { turnIndex: 0, timestamp: 1 });
    await agent.emit("message_start", { message: user });
    await agent.emit("message_update", { message, assistantMessageEvent: { ...delta, partial: message } });
    await agent.emit("message_end", { message });
    await agent.emit("tool_execution_start", { ...tool, args: {} });
    await agent.emit("tool_execution_end", { ...tool, result: {}, isError: false });
    await agent.emit("turn_end", { turnIndex: 0, message, toolResults: [] });
    await agent.emit("agent_end", { messages: [user, message] });
    await agent.emit("thinking_level_select", { level: "high", previousLevel: "off" });
    const compactionEntry = { id: "c", summary: "Short.", firstKeptEntryId: "e", tokensBefore: 9, details: null };
    await agent.emit("session_compact", { compactionEntry, fromExtension: false });
    await untilTold("compaction_end");
    expect(told()).toEqual([
      { type: "agent_start" },
      { type: "turn_start" },
      { type: "message_start", message: user },
      { type: "message_update", assistantMessageEvent: delta },
      { type: "message_end", message },
      { type: "tool_execution_start", ...tool, args: {} },
      { type: "tool_execution_end", ...tool, result: {}, isError: false },
      { type: "turn_end", message, toolResults: [] },
      { type: "agent_end", messages: [user, message] },
      { type: "thinking_level_changed", level: "high" },
      {
        type: "compaction_end",
        result: { summary: "Short.", firstKeptEntryId: "e", tokensBefore: 9, details: null },
        aborted: false,
        willRetry: false,
      },
    ]);
  });

  it("what a message was when it was told, not what it has become", async () => {
    const agent = await startSession();
    const message = { role: "assistant", content: "" };
    await agent.emit("message_start", { message });
    message.content = "More";
    await untilTold("message_start");
    expect(told()).toEqual([{ type: "message_start", message: { role: "assistant", content: "" } }]);
  });

  it("the newest of a tool's output, which holds all before", async () => {
    const agent = await startSession();
    for (const text of ["1", "12", "123"]) {
      await agent.emit("tool_execution_update", { toolCallId: "call-1", partialResult: { text } });
    }
    await agent.emit("tool_execution_end", { toolCallId: "call-1" });
    await untilTold("tool_execution_end");
    expect(told()).toEqual([
      { type: "tool_execution_update", toolCallId: "call-1", partialResult: { text: "123" } },
      { type: "tool_execution_end", toolCallId: "call-1" },
    ]);
  });

  it("what has changed, and only that", async () => {
    const agent = await startSession();
    await agent.emit("agent_start");
    await untilTold("agent_start");
    agent.model = { provider: "fake", id: "fake-2" };
    await agent.emit("model_select");
    agent.name = "Named";
    await agent.emit("agent_end", { messages: [] });
    await untilTold("session_info_changed");
    expect(Object.assign({}, ...reports().map(({ payload }) => payload.changes))).toEqual({
      state: "idle",
      model: "fake/fake-2",
      name: "Named",
    });
    expect(told()).toContainEqual({ type: "session_info_changed", name: "Named" });
  });

  it("that it waits for its user, in whatever state it is, and when it does no more", async () => {
    const agent = await startSession();
    const states = () => reports().flatMap(({ payload }) => payload.changes.state ?? []);
    const untilStates = (expected: string[]) => expect.poll(states, { timeout: 30_000 }).toEqual(expected);
    await agent.emit("agent_start");
    await untilStates(["streaming"]);
    await agent.emit("ui_prompt_start", { reason: "ui_prompt", kind: "confirm", title: "Sure?" });
    await untilStates(["streaming", "waiting"]);
    await agent.emit("ui_prompt_end", { reason: "ui_prompt", kind: "confirm" });
    await untilStates(["streaming", "waiting", "streaming"]);
    await agent.emit("ui_prompt_start", { reason: "ui_prompt", kind: "custom" });
    await untilStates(["streaming", "waiting", "streaming", "waiting"]);
    await agent.emit("session_shutdown", { reason: "quit" });
    await untilStates(["streaming", "waiting", "streaming", "waiting", "exited"]);
    expect(told().filter(({ type }) => type.startsWith("ui_prompt"))).toEqual([
      { type: "ui_prompt_start", kind: "confirm", title: "Sure?" },
      { type: "ui_prompt_end" },
      { type: "ui_prompt_start", kind: "custom" },
    ]);
  });

  it("a name at once where the agent has an event for it", async () => {
    const agent = await startSession();
    agent.name = "Named";
    await agent.emit("session_info_changed", { name: "Named" });
    await untilTold("session_info_changed");
    expect(told()).toEqual([{ type: "session_info_changed", name: "Named" }]);
  });

  it("a name with the next answer of the service where the agent has no event for it", async () => {
    const agent = openAgent({ tellsNames: false });
    await agent.emit("session_start", { reason: "startup" });
    await registered();
    agent.name = "Named";
    service.want({ id: "1", type: "abort" });
    await untilTold("session_info_changed");
    expect(told()).toEqual([{ type: "session_info_changed", name: "Named" }]);
  });

  it("that the session ends, with all that was not told yet", async () => {
    const agent = await startSession();
    await agent.emit("message_end", { message: user });
    await agent.emit("session_shutdown", { reason: "new" });
    expect(told()).toEqual([{ type: "message_end", message: user }]);
    expect(reports().at(-1)?.payload.changes).toEqual({ state: "exited" });
  });

  it("nothing of a reload, after which the session registers again", async () => {
    const agent = await startSession();
    await agent.emit("session_shutdown", { reason: "reload" });
    const calls = service.calls.length;
    const again = openAgent({});
    await again.emit("session_start", { reason: "reload" });
    await service.until((all) => all[calls]);
    expect(service.calls[calls]).toMatchObject({ command: "register_coding_session", payload: { state: "idle" } });
    expect(reports()).toEqual([]);
  });

  it("nothing of what is no JSON, and goes on", async () => {
    const agent = await startSession();
    await agent.emit("tool_execution_end", { toolCallId: "call-1", result: { count: 1n } });
    await agent.emit("agent_end", { messages: [] });
    await untilTold("agent_end");
    expect(told()).toEqual([{ type: "agent_end", messages: [] }]);
  });
});

describe("carries out", () => {
  const image = { data: "AAAA", mime_type: "image/png" };
  const prompt = (mode: string, images: object[] = []) => ({ type: "prompt", prompt: "Do it.", mode, images });
  const text = { type: "text", text: "Do it." };

  it.each([
    [prompt("prompt"), [{ content: [text], options: { deliverAs: "followUp" } }]],
    [prompt("follow_up"), [{ content: [text], options: { deliverAs: "followUp" } }]],
    [prompt("steer"), [{ content: [text], options: { deliverAs: "steer" } }]],
    [
      prompt("prompt", [image]),
      [
        {
          content: [text, { type: "image", data: "AAAA", mimeType: "image/png" }],
          options: { deliverAs: "followUp" },
        },
      ],
    ],
    [{ type: "abort" }, ["abort"]],
    [{ type: "stop" }, ["abort", "shutdown"]],
  ])("%j", async (request, calls) => {
    const agent = await startSession();
    service.want({ id: "1", ...request });
    expect(await outcome("1")).toEqual({ id: "1", error: null });
    expect(agent.calls).toEqual(calls);
  });

  it.each([
    [{ type: "set_model", model: "fake/fake-2", thinking_level: null }, { model: "fake/fake-2" }],
    [
      { type: "set_model", model: "fake-2", thinking_level: "off" },
      { model: "fake/fake-2", thinking_level: "off" },
    ],
    [{ type: "set_model", model: "fake-1", thinking_level: "max" }, { thinking_level: "max" }],
    [{ type: "set_model", model: null, thinking_level: "off" }, { thinking_level: "off" }],
    [{ type: "set_name", name: "Named" }, { name: "Named" }],
  ])("%j", async (request, changes) => {
    await startSession();
    service.want({ id: "1", ...request });
    expect(await outcome("1")).toEqual({ id: "1", error: null });
    expect(reports().at(-1)?.payload.changes).toEqual(changes);
  });

  it.each([
    [{ type: "set_model", model: "fake/locked", thinking_level: null }, "The model fake/locked is not available."],
    [{ type: "set_model", model: "nope", thinking_level: null }, "The model nope is not available."],
    [{ type: "set_model", model: null, thinking_level: "most" }, 'fake/fake-1 has no thinking level "most".'],
    [{ type: "set_model", model: null, thinking_level: "minimal" }, 'fake/fake-1 has no thinking level "minimal".'],
    [{ type: "set_model", model: "fake-2", thinking_level: "low" }, 'fake/fake-2 has no thinking level "low".'],
    [{ type: "dance" }, 'This version of the extension does not support "dance".'],
  ])("%j not, and says why", async (request, error) => {
    await startSession();
    service.want({ id: "1", ...request });
    expect(await outcome("1")).toEqual({ id: "1", error });
  });

  it.each([
    [undefined, "The session has no model selected."],
    [{ provider: "fake", id: "locked" }, "There is no API key for fake."],
  ])("no prompt for model %j", async (model, error) => {
    const agent = await startSession();
    agent.model = model;
    service.want({ id: "1", ...prompt("prompt") });
    expect(await outcome("1")).toEqual({ id: "1", error });
    expect(agent.calls).toEqual([]);
  });

  it("one after the other", async () => {
    const agent = await startSession();
    for (const id of ["1", "2", "3"]) service.want({ id, type: "prompt", prompt: id, mode: "prompt", images: [] });
    await outcome("3");
    expect(agent.calls).toMatchObject(["1", "2", "3"].map((text) => ({ content: [{ text }] })));
  });
});

describe("when the service is away", () => {
  it("carries out once what it has asked for over connections that broke", async () => {
    const agent = await startSession();
    const prompt = (id: string) => ({ id, type: "prompt", prompt: id, mode: "prompt", images: [] });
    service.answersLost = 1;
    service.want(prompt("1"));
    expect(await outcome("1")).toEqual({ id: "1", error: null });
    service.reportsLost = 1;
    service.want(prompt("2"));
    expect(await outcome("2")).toEqual({ id: "2", error: null });
    expect(agent.calls).toMatchObject(["1", "2"].map((text) => ({ content: [{ text }] })));
  });

  it("waits for it, keeps what happens, and tells it", async () => {
    const agent = await startSession();
    await shows(agent, "Session Manager");
    const { port } = service;
    await service[Symbol.asyncDispose]();
    await shows(agent, undefined);
    await agent.emit("agent_start");
    await agent.emit("message_end", { message: user });
    service = await TestService.start(port);
    await untilTold("message_end");
    expect(service.calls[0]).toMatchObject({ command: "register_coding_session", payload: { state: "streaming" } });
    expect(told()).toEqual([{ type: "agent_start" }, { type: "message_end", message: user }]);
    await shows(agent, "Session Manager");
  });

  it("ends without it", async () => {
    const agent = await startSession();
    await shows(agent, "Session Manager");
    await service[Symbol.asyncDispose]();
    await shows(agent, undefined);
    await agent.emit("session_shutdown", { reason: "quit" });
    service = await TestService.start();
  });

  it("does not tell again what the service refuses", async () => {
    const agent = await startSession();
    await shows(agent, "Session Manager");
    service.refusal = { code: "INVALID_PAYLOAD", message: "Not that." };
    await agent.emit("agent_start");
    await untilTold("agent_start");
    await shows(agent, undefined);
    service.refusal = null;
    await agent.emit("agent_end", { messages: [] });
    await untilTold("agent_end");
    expect(told().map(({ type }) => type)).toEqual(["agent_start", "agent_end"]);
  });

  it("asks again where it is refused", async () => {
    service.refusal = { code: "CONFLICT", message: "It is live already." };
    const agent = await startSession();
    service.refusal = null;
    await service.until((calls) => calls[1]);
    await shows(agent, "Session Manager");
  });
});
