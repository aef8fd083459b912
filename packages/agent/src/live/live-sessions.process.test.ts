import { readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { JsonObject, LiveEntries, LiveSession } from "@sm/core";
import { describe, expect, it } from "vitest";
import { FAKE_AGENT, type LiveSetup, setUpLive } from "./live-sessions.fixture.ts";

/** For machines that are slow. */
const PATIENT = { timeout: 30_000 };

/** Sends a prompt and waits until the agent rests. */
async function run(setup: LiveSetup, session: LiveSession, prompt: string): Promise<void> {
  const from = setup.events.length;
  await setup.live.prompt({ session_id: session.session_id, prompt, mode: "prompt" });
  await setup.state(session, "idle", from);
}

/** A process that has ended stays listed until somebody asks how. */
async function isRunning(pid: number): Promise<boolean> {
  const status = await readFile(`/proc/${pid}/status`, "utf8").catch(() => "State:\tX");
  return !/^State:\t[ZX]/m.test(status);
}

const eventsOf = ({ events }: LiveSetup, { session_id }: LiveSession) =>
  events.flatMap((event) => (event.session_id === session_id && event.type === "event" ? [event.event] : []));

/** Agents of other tests, which run beside this one, are listed too. */
const listed = async ({ live }: LiveSetup, { session_id }: Pick<LiveSession, "session_id">) =>
  (await live.list()).find((one) => one.session_id === session_id);

const entryTypes = async ({ live }: LiveSetup, { session_id }: LiveSession, after: number | null = null) =>
  (await live.entries(session_id, after)).entries.map(({ seq, event }) => `${seq} ${String(event.type)}`);

describe.each(["0.74", "0.87"])("a session that the service has started (agent %s)", (version) => {
  const setUp = () => setUpLive({}, { FAKE_AGENT_VERSION: version });

  it("answers a prompt, tells everything in order, and can be read after its end", async () => {
    await using setup = await setUp();
    const { live, cwd, events } = setup;
    const started = await live.start({ cwd, name: " My \n session " });
    expect(started).toMatchObject({ state: "idle", cwd, session_path: null, name: "My session", controllable: true });
    expect(started).toMatchObject({ model: "fake/fake-1", thinking_level: "medium", pending_messages: 0 });
    expect(await live.list()).toContainEqual(started);
    await run(setup, started, "stream 2");
    const updates = eventsOf(setup, started).filter(({ type }) => type === "message_update");
    expect(updates.map(({ assistantMessageEvent }) => assistantMessageEvent)).toEqual([
      { type: "text_start", contentIndex: 0 },
      { type: "text_delta", contentIndex: 0, delta: "w0 " },
      { type: "text_delta", contentIndex: 0, delta: "w1 " },
      { type: "text_end", contentIndex: 0, content: "w0 w1 " },
    ]);
    const stopped = await live.stop(started.session_id);
    expect(stopped).toMatchObject({ session_id: started.session_id, state: "exited" });
    expect(events.flatMap((event) => (event.type === "state" ? [event.state] : []))).toEqual([
      "idle",
      "streaming",
      "idle",
      "exited",
    ]);
    const settled = version === "0.87" ? ["14 agent_settled", "15 service_exit"] : ["14 service_exit"];
    expect(await entryTypes(setup, started)).toEqual([
      "1 session_info_changed",
      "2 agent_start",
      "3 turn_start",
      "4 message_start",
      "5 message_end",
      "6 message_start",
      "11 message_end",
      "12 turn_end",
      "13 agent_end",
      ...settled,
    ]);
    // Its input ends, and the signal comes: whichever it takes first.
    const exit = {
      type: "service_exit",
      exit_code: expect.toBeOneOf([0, 143]),
      signal: null,
      stderr: "",
      stopped: true,
    };
    expect(eventsOf(setup, started).at(-1)).toEqual(exit);
    expect(await live.list()).toContainEqual(stopped);
    expect(live.count).toBe(0);
  });

  it("queues what comes while the agent works", async () => {
    await using setup = await setUp();
    const { live, cwd } = setup;
    const session = await live.start({ cwd });
    const { session_id } = session;
    await live.prompt({ session_id, prompt: "hang", mode: "prompt" });
    await setup.state(session, "streaming");
    const queued = { accepted: true, disposition: "queued" };
    expect(await live.prompt({ session_id, prompt: "one", mode: "prompt" })).toEqual(queued);
    expect(await live.prompt({ session_id, prompt: "two", mode: "follow_up" })).toEqual(queued);
    expect(await live.prompt({ session_id, prompt: "three", mode: "steer" })).toEqual(queued);
    expect(await listed(setup, session)).toMatchObject({ state: "streaming", pending_messages: 3 });
    // The one that hangs ends alone: what waits has its turn.
    const from = setup.events.length;
    await live.prompt({ session_id, prompt: "release", mode: "prompt" });
    await setup.state(session, "idle", from);
    const prompts = eventsOf(setup, session).flatMap(({ type, message }) =>
      type === "message_end" ? [(message as { content: { text: string }[] }).content[0]?.text] : [],
    );
    expect(prompts.filter((text) => ["hang", "one", "two", "three"].includes(text ?? ""))).toEqual([
      "hang",
      "three",
      "one",
      "two",
    ]);
    expect(await listed(setup, session)).toMatchObject({ pending_messages: 0 });
  });

  it("tells which of two prompts at once was first", async () => {
    await using setup = await setUp();
    const { session_id } = await setup.live.start({ cwd: setup.cwd });
    const prompt = { session_id, prompt: "hang", mode: "prompt" } as const;
    const accepted = await Promise.all([setup.live.prompt(prompt), setup.live.prompt(prompt)]);
    expect(accepted.map(({ disposition }) => disposition)).toEqual(["started", "queued"]);
  });

  it.each([
    ["select", { options: ["a", "b"] }, { value: "b" }, { value: "b" }],
    ["confirm", { message: "Sure?" }, { confirmed: false }, { confirmed: false }],
    ["input", {}, { value: "secret" }, { value: "secret" }],
    ["editor", { prefill: "x" }, { cancelled: true }, { cancelled: true }],
  ])("waits for the answer to a question: %s", async (method, extra, answer, received) => {
    await using setup = await setUp();
    const { live, cwd } = setup;
    const session = await live.start({ cwd });
    const { session_id } = session;
    const prompt = `ask ${method} ${JSON.stringify(extra)}`;
    await live.prompt({ session_id, prompt, mode: "prompt" });
    await setup.state(session, "waiting");
    const request = await setup.record(session, "extension_ui_request");
    const request_id = String(request.id);
    const from = setup.events.length;
    expect((await live.answer({ session_id, request_id, ...answer })).state).toBe("streaming");
    await setup.state(session, "idle", from);
    const said = eventsOf(setup, session)
      .filter(({ type }) => type === "message_end")
      .at(-1);
    expect(said).toMatchObject({ message: { content: [{ text: JSON.stringify(received) }] } });
    const closed = await setup.record(session, "extension_ui_response");
    expect(closed).toEqual({ type: "extension_ui_response", id: request_id, cancelled: "cancelled" in answer });
    await expect(live.answer({ session_id, request_id, ...answer })).rejects.toMatchObject({ code: "NOT_FOUND" });
  });

  it("is crashed by its agent, whose last words are told", async () => {
    await using setup = await setUp();
    const { live, cwd } = setup;
    const session = await live.start({ cwd });
    await live.prompt({ session_id: session.session_id, prompt: "crash 7", mode: "prompt" });
    await setup.state(session, "exited");
    const stderr = "Error: something broke";
    expect(eventsOf(setup, session).at(-1)).toEqual({
      type: "service_exit",
      exit_code: 7,
      signal: null,
      stderr,
      stopped: false,
    });
    const again = { session_id: session.session_id, prompt: "hello", mode: "prompt" } as const;
    await expect(live.prompt(again)).rejects.toMatchObject({ code: "CONFLICT" });
    await expect(live.stop(session.session_id)).rejects.toMatchObject({ code: "CONFLICT" });
  });
});

describe("an agent's queue", () => {
  /** A session that hangs, with two prompts in its queue. */
  async function queued(setup: LiveSetup): Promise<LiveSession> {
    const session = await setup.live.start({ cwd: setup.cwd });
    const { session_id } = session;
    await setup.live.prompt({ session_id, prompt: "hang", mode: "prompt" });
    await setup.state(session, "streaming");
    await setup.live.prompt({ session_id, prompt: "later", mode: "follow_up" });
    await setup.live.prompt({ session_id, prompt: "now", mode: "steer" });
    return session;
  }
  const REMOVED = { steering: ["now"], follow_up: ["later"] };
  const saidBy = (setup: LiveSetup, session: LiveSession) =>
    eventsOf(setup, session).flatMap(({ type, message }) =>
      type === "message_end" ? ((message as { content: { text: string }[] }).content[0]?.text ?? []) : [],
    );

  it("is cleared, and what was in it is told", async () => {
    await using setup = await setUpLive({}, { FAKE_AGENT_VERSION: "0.87" });
    const session = await queued(setup);
    expect(await setup.live.clearQueue(session.session_id)).toEqual(REMOVED);
    expect(await setup.record(session, "service_queue_cleared")).toEqual({ type: "service_queue_cleared", ...REMOVED });
    expect(await listed(setup, session)).toMatchObject({ state: "streaming", pending_messages: 0 });
    expect(await setup.live.clearQueue(session.session_id)).toEqual({ steering: [], follow_up: [] });
    expect(eventsOf(setup, session).filter(({ type }) => type === "service_queue_cleared")).toHaveLength(1);
  });

  it("is cleared before the agent is aborted, which would go on with it", async () => {
    await using setup = await setUpLive({}, { FAKE_AGENT_VERSION: "0.87" });
    const session = await queued(setup);
    expect(await setup.live.abort(session.session_id)).toMatchObject({ state: "idle", pending_messages: 0 });
    expect(await setup.record(session, "service_queue_cleared")).toMatchObject(REMOVED);
    expect(saidBy(setup, session)).toEqual(["hang"]);
  });

  it("stays in releases that cannot clear it", async () => {
    await using setup = await setUpLive({}, { FAKE_AGENT_VERSION: "0.74" });
    const session = await queued(setup);
    await expect(setup.live.clearQueue(session.session_id)).rejects.toMatchObject({
      code: "CONFLICT",
      message: "This version of the agent does not know clear_queue; update it.",
    });
    const from = setup.events.length;
    await setup.live.abort(session.session_id);
    await setup.state(session, "idle", from);
    expect(saidBy(setup, session)).toEqual(expect.arrayContaining(["hang", "now", "later"]));
  });
});

describe("entries whose records are lost", () => {
  /** All that the agent said, as one who reads the log has it. */
  const texts = (entries: LiveEntries): string[] =>
    entries.entries.flatMap(({ event }) => {
      const { message } = event.type === "service_entry" ? (event.entry as JsonObject) : event;
      const isTold = event.type === "service_entry" || event.type === "message_end";
      const { role, content } = (isTold && message ? message : {}) as { role?: string; content?: { text: string }[] };
      return role === "assistant" ? (content?.map(({ text }) => text) ?? []) : [];
    });
  const storedIn = async (path: string): Promise<string[]> =>
    (await readFile(path, "utf8"))
      .split("\n")
      .slice(1, -1)
      .map((line) => JSON.parse(line).message)
      .filter(({ role }) => role === "assistant")
      .map(({ content }) => content[0].text);

  it("are asked for when the agent rests, once", async () => {
    await using setup = await setUpLive({}, { FAKE_AGENT_VERSION: "1.5" });
    const session = await setup.live.start({ cwd: setup.cwd });
    for (const prompt of ["stream 1", "lose 5", "stream 2", "lose 6"]) {
      const from = setup.events.length;
      await run(setup, session, prompt);
      if (prompt.startsWith("lose")) await setup.record(session, "service_entry", from);
    }
    const { session_path } = (await listed(setup, session)) ?? session;
    const told = texts(await setup.live.entries(session.session_id, null));
    expect(told).toEqual(["w0 ", "zzzzz", "w0 w1 ", "zzzzzz"]);
    expect(await storedIn(session_path ?? "")).toEqual(told);
  });

  it.each(["known", "written anew"])("are those that others wrote meanwhile, in a file that is %s", async (how) => {
    await using setup = await setUpLive({}, { FAKE_AGENT_VERSION: "1.5" });
    const { live, cwd } = setup;
    const first = await live.start({ cwd });
    await run(setup, first, "stream 1");
    await expect.poll(async () => (await listed(setup, first))?.session_path).toBeTruthy();
    const path = (await listed(setup, first))?.session_path ?? "";
    await live.stop(first.session_id);
    // After the end of the first agent, by the clock of any process.
    const timestamp = new Date(Date.now() + 10_000).toISOString();
    const message = { role: "assistant", content: [{ type: "text", text: "by another" }], timestamp: 1 };
    const other = JSON.stringify({ type: "message", id: "other", parentId: null, timestamp, message });
    const text = await readFile(path, "utf8");
    const before = how === "known" ? text : text.replace(/"id":"[0-9a-f]{8}"/, '"id":"replaced"');
    await writeFile(path, `${before}${other}\n`);
    const from = setup.events.length;
    const second = await live.start({ session_path: path });
    await setup.record(second, "service_entry", from);
    expect(texts(await live.entries(second.session_id, null))).toEqual(["w0 ", "by another"]);
  });
});

describe("thinking levels", () => {
  it("are asked for, and others are refused", async () => {
    await using setup = await setUpLive({}, { FAKE_AGENT_VERSION: "1.5" });
    const { session_id } = await setup.live.start({ cwd: setup.cwd });
    expect(await setup.live.thinkingLevels(session_id)).toEqual(["off", "low", "high", "max"]);
    const set = (model: string | null, thinking_level: string) =>
      setup.live.setModel(session_id, { model, thinking_level });
    expect(await set(null, "max")).toMatchObject({ thinking_level: "max" });
    await expect(set(null, "xhigh")).rejects.toMatchObject({
      code: "INVALID_PAYLOAD",
      message: "fake/fake-1 has no thinking level xhigh: choose one of off, low, high, max.",
      details: [{ path: "thinking_level" }],
    });
    await expect(set("fake/fake-2", "max")).rejects.toMatchObject({ code: "INVALID_PAYLOAD" });
  });

  it("are those that old releases have where they cannot be asked for", async () => {
    await using setup = await setUpLive({}, { FAKE_AGENT_VERSION: "0.74" });
    const { session_id } = await setup.live.start({ cwd: setup.cwd });
    const levels = ["off", "minimal", "low", "medium", "high", "xhigh"];
    for (const _ of [1, 2]) expect(await setup.live.thinkingLevels(session_id)).toEqual(levels);
    const change = { model: null, thinking_level: "max" };
    await expect(setup.live.setModel(session_id, change)).rejects.toMatchObject({ code: "INVALID_PAYLOAD" });
  });
});

describe("a command of an extension", () => {
  it("that starts no run is told as handled, and the session stays idle", async () => {
    await using setup = await setUpLive({}, { FAKE_AGENT_VERSION: "1.5" });
    const session = await setup.live.start({ cwd: setup.cwd });
    const { session_id } = session;
    const prompt = (text: string) => setup.live.prompt({ session_id, prompt: text, mode: "prompt" });
    expect(await prompt("/quiet")).toEqual({ accepted: true, disposition: "handled" });
    expect(await listed(setup, session)).toMatchObject({ state: "idle", pending_messages: 0 });
    expect(await prompt("hang")).toEqual({ accepted: true, disposition: "started" });
    expect(await prompt("/quiet")).toEqual({ accepted: true, disposition: "handled" });
    expect(await prompt("next")).toEqual({ accepted: true, disposition: "queued" });
  });

  it("is accepted when it asks, and its failure is told", async () => {
    await using setup = await setUpLive();
    const { live, cwd } = setup;
    const session = await live.start({ cwd });
    const { session_id } = session;
    const accepted = await live.prompt({ session_id, prompt: "/deploy", mode: "prompt" });
    expect(accepted).toEqual({ accepted: true, disposition: "started" });
    expect(await listed(setup, session)).toMatchObject({ state: "waiting" });
    const request_id = String((await setup.record(session, "extension_ui_request")).id);
    await live.answer({ session_id, request_id, confirmed: false });
    expect(await setup.record(session, "service_prompt_failed")).toEqual({
      type: "service_prompt_failed",
      error: "The agent refused: The user does not want it.",
    });
    expect(await listed(setup, session)).toMatchObject({ state: "idle" });
  });
});

describe("a question", () => {
  it("is refused an answer of another kind, and stays open", async () => {
    await using setup = await setUpLive();
    const { live, cwd } = setup;
    const session = await live.start({ cwd });
    const { session_id } = session;
    await live.prompt({ session_id, prompt: 'ask select {"options":["a"]}', mode: "prompt" });
    const request_id = String((await setup.record(session, "extension_ui_request")).id);
    for (const answer of [{}, { confirmed: true }, { value: "z" }]) {
      await expect(live.answer({ session_id, request_id, ...answer })).rejects.toMatchObject({
        code: "INVALID_PAYLOAD",
        details: [{ path: "value" }],
      });
    }
    expect(await listed(setup, session)).toMatchObject({ state: "waiting" });
  });

  it("that runs out of time is answered by the agent", async () => {
    await using setup = await setUpLive();
    const session = await setup.live.start({ cwd: setup.cwd });
    await run(setup, session, 'ask confirm {"timeout":20}');
    expect(await setup.record(session, "extension_ui_response")).toMatchObject({ cancelled: true });
  });

  it.each(["abort", "stop"] as const)("is cancelled by %s", async (how) => {
    await using setup = await setUpLive();
    const { live, cwd } = setup;
    const session = await live.start({ cwd });
    const { session_id } = session;
    await live.prompt({ session_id, prompt: "ask input", mode: "prompt" });
    await setup.state(session, "waiting");
    await live[how](session_id);
    expect(await setup.record(session, "extension_ui_response")).toMatchObject({ cancelled: true });
  });
});

describe("a stored session", () => {
  it("is resumed with its id, and by one agent at a time", async () => {
    await using setup = await setUpLive();
    const { live, cwd } = setup;
    const path = await setup.store("stored-1");
    const both = await Promise.allSettled([live.start({ session_path: path }), live.start({ session_path: path })]);
    const conflict = { code: "CONFLICT", details: { session_id: "stored-1" } };
    expect(both).toContainEqual({ status: "rejected", reason: expect.objectContaining(conflict) });
    const started = expect.objectContaining({ session_id: "stored-1", session_path: path, cwd });
    expect(both).toContainEqual({ status: "fulfilled", value: started });
    await expect(live.start({ session_path: path })).rejects.toMatchObject(conflict);
    expect(live.byPath(path)).toEqual({ session_id: "stored-1", controllable: true });
    await live.stop("stored-1");
    expect(live.byPath(path)).toBeNull();
    expect(setup.paths).toEqual([[path], []]);
  });

  it("goes on with its history when it is resumed again", async () => {
    await using setup = await setUpLive();
    const { live } = setup;
    const session_path = await setup.store("stored-1");
    await live.start({ session_path });
    const stopped = await live.stop("stored-1");
    const { next_seq } = await live.entries("stored-1", null);
    const again = await live.start({ session_path });
    await run(setup, again, "hello");
    expect((await entryTypes(setup, stopped, next_seq))[0]).toBe(`${next_seq + 1} agent_start`);
    expect(await entryTypes(setup, stopped)).toContain("1 service_exit");
  });

  it("whose copy is live too gets an id of its own", async () => {
    await using setup = await setUpLive();
    const path = await setup.store("stored-1");
    const copy = join(setup.agentDir, "copy.jsonl");
    await writeFile(copy, await readFile(path));
    const started = await Promise.all([path, copy].map((session_path) => setup.live.start({ session_path })));
    expect(started.map(({ session_id }) => session_id).sort()).toEqual(["stored-1", "stored-1-2"]);
  });

  it("of an agent whose files are only read is not started, and its file stays as it is", async () => {
    await using setup = await setUpLive();
    const session_path = await setup.store("foreign-1");
    const before = await readFile(session_path);
    await expect(setup.live.start({ session_path })).rejects.toMatchObject({
      code: "CONFLICT",
      message: expect.stringMatching(/cannot be started.*run: other --resume 1$/),
    });
    expect(await readFile(session_path)).toEqual(before);
    expect(setup.live.count).toBe(0);
  });

  it.each([
    ["whose folder is gone", "/nowhere/at/all", "The folder /nowhere/at/all no longer exists."],
    ["whose folder is none", FAKE_AGENT, `${FAKE_AGENT} is not a directory.`],
  ])("%s is not started", async (_, cwd, message) => {
    await using setup = await setUpLive();
    const session_path = await setup.store("stored-1", cwd);
    await expect(setup.live.start({ session_path })).rejects.toMatchObject({
      code: "INVALID_PAYLOAD",
      details: [{ path: "session_path", message }],
    });
  });
});

describe("a new session", () => {
  it("has a path when the agent has written its file", async () => {
    await using setup = await setUpLive();
    const { live, cwd } = setup;
    const session = await live.start({ cwd });
    expect(setup.paths).toEqual([]);
    await run(setup, session, "hello");
    const path = join(setup.agentDir, "sessions", "fake", `now_${session.session_id}.jsonl`);
    await expect.poll(async () => (await listed(setup, session))?.session_path, PATIENT).toBe(path);
    expect(setup.paths).toEqual([[path]]);
    await expect(live.start({ session_path: path })).rejects.toMatchObject({ code: "CONFLICT" });
  });

  it.each([
    [undefined, "session"],
    ["relative", "relative is not an absolute path."],
    ["/nowhere/at/all", "The folder /nowhere/at/all does not exist."],
    [FAKE_AGENT, `${FAKE_AGENT} is not a directory.`],
  ])("is not started in %s", async (cwd, message) => {
    await using setup = await setUpLive();
    await expect(setup.live.start({ cwd })).rejects.toMatchObject({
      code: "INVALID_PAYLOAD",
      details: [{ path: "cwd", message: expect.stringContaining(message) }],
    });
  });

  it("is not one too many", async () => {
    await using setup = await setUpLive({ most: 2 });
    const { live, cwd } = setup;
    const started = await Promise.allSettled([live.start({ cwd }), live.start({ cwd }), live.start({ cwd })]);
    const refused = started.filter(({ status }) => status === "rejected");
    expect(refused).toMatchObject([{ reason: { code: "CONFLICT" } }]);
    expect(live.count).toBe(2);
  });
});

describe("what a prompt may name", () => {
  it("is a command of the agent, and a file of its project", async () => {
    await using setup = await setUpLive();
    const { live, cwd } = setup;
    await writeFile(join(cwd, "tides.md"), "");
    const { session_id } = await live.start({ cwd });
    expect(await live.commands(session_id)).toEqual([
      { name: "quiet", description: "Does nothing", source: "extension" },
      { name: "review", description: "Review a change", source: "prompt" },
      { name: "skill:tides", description: null, source: "skill" },
    ]);
    expect(await live.findFiles(session_id, "TIDE")).toEqual({ files: ["tides.md"], is_complete: true });
  });

  it("is no command where the agent cannot list them", async () => {
    await using setup = await setUpLive({}, { FAKE_AGENT_VERSION: "0.74" });
    const { session_id } = await setup.live.start({ cwd: setup.cwd });
    expect(await setup.live.commands(session_id)).toEqual([]);
    // It is not asked again.
    expect(await setup.live.commands(session_id)).toEqual([]);
  });
});

describe("the model", () => {
  it("is set by its name, with the thinking level", async () => {
    await using setup = await setUpLive();
    const { live, cwd } = setup;
    const { session_id } = await live.start({ cwd, model: "other/fake-2" });
    expect(await listed(setup, { session_id })).toMatchObject({ model: "other/fake-2" });
    const both = await live.setModel(session_id, { model: "fake/fake-1", thinking_level: "high" });
    expect(both).toMatchObject({ model: "fake/fake-1", thinking_level: "high" });
    expect(await live.models(session_id)).toContainEqual({
      model: "fake/fake-1",
      name: "fake-1 of fake",
      reasoning: true,
    });
    await expect(live.setModel(session_id, { model: "fake/fake-22", thinking_level: null })).rejects.toMatchObject({
      code: "INVALID_PAYLOAD",
      message: expect.stringContaining("fake/fake-2"),
    });
  });

  it("is none that the agent takes for another", async () => {
    await using setup = await setUpLive();
    await expect(setup.live.start({ cwd: setup.cwd, model: "fake/fake-9" })).rejects.toMatchObject({
      code: "INVALID_PAYLOAD",
      message: expect.stringContaining("fake/fake-1"),
    });
    expect(setup.live.count).toBe(0);
  });
});

describe("an agent that misbehaves", () => {
  it("leaves nothing behind", async () => {
    await using setup = await setUpLive();
    const session = await setup.live.start({ cwd: setup.cwd });
    await run(setup, session, "leave");
    const { pid } = await setup.record(session, "custom_event");
    expect(process.kill(Number(pid), 0)).toBe(true);
    await setup.live.stop(session.session_id);
    await expect.poll(() => isRunning(Number(pid)), PATIENT).toBe(false);
  });

  it.each([
    ["exit", "UNAVAILABLE", "The agent exited with code 3 before it was ready: Error: this folder is cursed"],
    ["hang", "TIMEOUT", "Still waiting for the network."],
    ["old", "UNAVAILABLE", "This version of the agent does not know get_state; update it."],
  ])("is not started: %s", async (how, code, message) => {
    await using setup = await setUpLive(
      { times: { start: how === "hang" ? 4_000 : 20_000 } },
      { FAKE_AGENT_START: how },
    );
    await expect(setup.live.start({ cwd: setup.cwd })).rejects.toMatchObject({
      code,
      message: expect.stringContaining(message),
    });
    expect([setup.live.count, setup.events]).toEqual([0, []]);
  });

  it("is told the model's name where it does not know it", async () => {
    await using setup = await setUpLive({}, { FAKE_AGENT_START: "no-model" });
    await expect(setup.live.start({ cwd: setup.cwd, model: "x/y" })).rejects.toMatchObject({
      code: "INVALID_PAYLOAD",
      details: [{ path: "model" }],
    });
  });

  it("is heard before it is ready", async () => {
    await using setup = await setUpLive({}, { FAKE_AGENT_START: "chatty" });
    const session = await setup.live.start({ cwd: setup.cwd });
    expect(eventsOf(setup, session).map(({ type }) => type)).toEqual(["service_garbage", "extension_ui_request"]);
  });

  it("may write what is no record, and a record of 20 MB", async () => {
    await using setup = await setUpLive();
    const session = await setup.live.start({ cwd: setup.cwd });
    await run(setup, session, "garbage");
    expect(eventsOf(setup, session).filter(({ type }) => type === "service_garbage")).toHaveLength(6);
    await run(setup, session, `long ${20 * 1024 * 1024}`);
    const truncated = eventsOf(setup, session).filter((event) => event.truncated === true);
    expect(truncated.map(({ type }) => type)).toEqual(["custom_event", "agent_end"]);
  });

  it("may refuse", async () => {
    await using setup = await setUpLive();
    const { session_id } = await setup.live.start({ cwd: setup.cwd });
    await expect(setup.live.prompt({ session_id, prompt: "refuse", mode: "prompt" })).rejects.toMatchObject({
      code: "CONFLICT",
      message: "The agent refused: No API key found for fake.",
    });
  });

  it("may be deaf: requests run out of time, and it is killed", async () => {
    await using setup = await setUpLive({ times: { request: 4_000, abort: 10, end: 10, terminate: 10 } });
    const { live, cwd } = setup;
    const session = await live.start({ cwd });
    await live.prompt({ session_id: session.session_id, prompt: "deaf", mode: "prompt" });
    await expect(live.abort(session.session_id)).rejects.toMatchObject({ code: "TIMEOUT" });
    await live.stop(session.session_id);
    expect(await setup.record(session, "service_exit")).toMatchObject({ exit_code: null, signal: "SIGKILL" });
  });
});

describe("the agent's program", () => {
  it("is missed, and found when it is installed", async () => {
    await using setup = await setUpLive({ command: "pi" }, { PATH: "/nowhere" });
    const { live, cwd } = setup;
    await expect(live.checkAvailable()).rejects.toMatchObject({
      code: "UNAVAILABLE",
      message: expect.stringContaining("npm install -g @earendil-works/pi-coding-agent"),
    });
    await expect(live.start({ cwd })).rejects.toMatchObject({ code: "UNAVAILABLE" });
  });

  it("is not used where agents are turned off", async () => {
    await using setup = await setUpLive({ enabled: false });
    const off = { code: "FORBIDDEN", message: expect.stringContaining("agents_enabled") };
    await expect(setup.live.checkAvailable()).rejects.toMatchObject(off);
    await expect(setup.live.start({ cwd: setup.cwd })).rejects.toMatchObject(off);
  });

  it("gets the served folder, and none of the service's own settings", async () => {
    const environment = {
      SESSION_MANAGER_TOKEN: "secret",
      MY_TOKEN: `sm_${"a".repeat(43)}`,
      MALLOC_TRIM_THRESHOLD_: "131072",
      PI_CODING_AGENT_DIR: "/elsewhere",
      FAKE_AGENT_START: "serve",
    };
    await using setup = await setUpLive({}, environment);
    const session = await setup.live.start({ cwd: setup.cwd });
    const own = "SESSION_MANAGER_TOKEN MY_TOKEN MALLOC_TRIM_THRESHOLD_";
    await run(setup, session, `environment ${own} PI_CODING_AGENT_DIR FAKE_AGENT_START`);
    const said = eventsOf(setup, session)
      .filter(({ type }) => type === "message_end")
      .at(-1);
    const text = JSON.stringify([null, null, null, setup.agentDir, "serve"]);
    expect(said).toMatchObject({ message: { content: [{ text }] } });
  });
});

describe("the end of the service", () => {
  it("ends all agents, those that start too", async () => {
    await using setup = await setUpLive();
    const { live, cwd } = setup;
    const { pid } = await live.start({ cwd });
    const starting = live.start({ cwd });
    const failed = expect(starting).rejects.toBeInstanceOf(Error);
    await live.close();
    await failed;
    expect(() => process.kill(pid, 0)).toThrow("ESRCH");
    expect(live.count).toBe(0);
  });
});

describe("a session that is not there", () => {
  it("is not found", async () => {
    await using setup = await setUpLive();
    const { live } = setup;
    const missing = { code: "NOT_FOUND" };
    await expect(live.entries("x", null)).rejects.toMatchObject(missing);
    await expect(live.stop("x")).rejects.toMatchObject(missing);
    await expect(live.prompt({ session_id: "x", prompt: "", mode: "prompt" })).rejects.toMatchObject(missing);
    await rm(setup.cwd, { recursive: true });
  });
});
