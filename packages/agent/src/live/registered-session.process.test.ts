import { symlink } from "node:fs/promises";
import { join } from "node:path";
import type { LiveRegistration, LiveReport, LiveRequest } from "@sm/core";
import { describe, expect, it } from "vitest";
import { type LiveSetup, setUpLive } from "./live-sessions.fixture.ts";

const registration = (change: Partial<LiveRegistration> = {}): LiveRegistration => ({
  session_id: "r1",
  session_path: null,
  cwd: "/project",
  pid: 999_999,
  state: "idle",
  model: "fake/fake-1",
  thinking_level: "off",
  started_at: "2026-01-02T03:04:05.006Z",
  name: null,
  models: [{ model: "fake/fake-1", name: "Fake One", reasoning: true }],
  ...change,
});

const report = (change: Partial<LiveReport>): LiveReport => ({
  session_id: "r1",
  events: [],
  changes: {},
  done: [],
  ...change,
});

/** Asks for requests until there are as many, of which none is said to be received. */
async function take({ live }: LiveSetup, count: number): Promise<LiveRequest[]> {
  for (;;) {
    const requests = await live.takeRequests("r1", [], 1);
    if (requests.length >= count) return requests;
  }
}

const listed = async ({ live }: LiveSetup) => (await live.list()).find(({ session_id }) => session_id === "r1");

describe("a session in somebody's own terminal", () => {
  it("is live once it has registered", async () => {
    await using setup = await setUpLive();
    const session = await setup.live.register(registration());
    expect(session).toMatchObject({ session_id: "r1", state: "idle", controllable: true, pending_messages: 0 });
    expect(await listed(setup)).toEqual(session);
    expect(session).not.toHaveProperty("models");
    expect(setup.events).toEqual([{ type: "state", session_id: "r1", state: "idle" }]);
  });

  it("has the thinking levels that it tells of its model", async () => {
    await using setup = await setUpLive();
    const { live } = setup;
    const fake = { model: "fake/fake-1", name: null, reasoning: true };
    await live.register(registration({ models: [{ ...fake, thinking_levels: ["off", "max"] }] }));
    expect(await live.thinkingLevels("r1")).toEqual(["off", "max"]);
    expect(await live.models("r1")).toEqual([fake]);
    await live.report(report({ changes: { model: "fake/unlisted" } }));
    expect(await live.thinkingLevels("r1")).toContain("xhigh");
  });

  it("tells what happens in it, in the words of the RPC mode", async () => {
    await using setup = await setUpLive();
    const { live } = setup;
    await live.register(registration());
    const assistantMessageEvent = { type: "text_delta", contentIndex: 0, delta: "He" };
    const update = { type: "message_update", assistantMessageEvent, message: { role: "assistant" } };
    const events = [{ type: "agent_start" }, update, { no: "type" }];
    const changed = await live.report(report({ events, changes: { state: "streaming", name: "Mine" } }));
    expect(changed).toMatchObject({ state: "streaming", name: "Mine" });
    expect((await live.entries("r1", null)).entries.map(({ event }) => event)).toEqual([
      { type: "agent_start" },
      { type: "message_update", assistantMessageEvent },
    ]);
    expect(
      setup.events.map((event) => (event.type === "state" ? event.state : event.type === "event" && event.seq)),
    ).toEqual(["idle", 1, "streaming", 2]);
  });

  it("is told to have worked where that began and ended within one report", async () => {
    await using setup = await setUpLive();
    await setup.live.register(registration());
    const events = [{ type: "agent_start" }, { type: "agent_end", messages: [] }];
    await setup.live.report(report({ events }));
    const states = setup.events.flatMap((event) => (event.type === "state" ? event.state : []));
    expect(states).toEqual(["idle", "streaming", "idle"]);
  });

  it("waits for its user until it says that it does no more, whatever its run does", async () => {
    await using setup = await setUpLive();
    const { live } = setup;
    await live.register(registration());
    const end = { type: "agent_end", messages: [] };
    await live.report(report({ events: [{ type: "agent_start" }], changes: { state: "waiting" } }));
    expect((await live.report(report({ events: [end, { type: "agent_start" }] }))).state).toBe("waiting");
    const prompting = live.prompt({ session_id: "r1", prompt: "more", mode: "prompt" });
    const [request] = await live.takeRequests("r1", [], 20_000);
    await live.report(report({ done: [{ id: request?.id ?? "", error: null }], changes: { state: "streaming" } }));
    expect(await prompting).toMatchObject({ disposition: "queued" });
    expect((await live.report(report({ events: [end] }))).state).toBe("idle");
    const states = setup.events.flatMap((event) => (event.type === "state" ? event.state : []));
    expect(states).toEqual(["idle", "waiting", "streaming", "idle"]);
  });

  it("has no path of a session of another agent, which nobody could then rename through it", async () => {
    await using setup = await setUpLive();
    const { live } = setup;
    const path = await setup.store("foreign-1");
    expect(await live.register(registration({ session_path: path }))).toMatchObject({ session_path: null });
    await live.report(report({ changes: { session_path: path } }));
    expect(await listed(setup)).toMatchObject({ session_path: null });
    expect(live.byPath(path)).toBeNull();
  });

  it("does not take the place of another file of its id", async () => {
    await using setup = await setUpLive();
    const { live } = setup;
    const [path, twin] = [await setup.store("s"), await setup.store("s-1")];
    const first = await live.register(registration({ session_path: path }));
    const second = registration({ session_path: twin, pid: 999_998 });
    await expect(live.register(second)).rejects.toMatchObject({
      code: "CONFLICT",
      message: expect.stringContaining(path),
    });
    expect(await listed(setup)).toEqual(first);
    await live.report(report({ changes: { state: "exited" } }));
    expect(await live.register(second)).toMatchObject({ session_path: twin, state: "idle" });
  });

  it("is asked, and answers when it has done it", async () => {
    await using setup = await setUpLive();
    const { live } = setup;
    await live.register(registration());
    const taking = live.takeRequests("r1", [], 20_000);
    const prompting = live.prompt({ session_id: "r1", prompt: "hello", mode: "prompt" });
    const [request] = await taking;
    expect(request).toEqual({ id: request?.id, type: "prompt", prompt: "hello", mode: "prompt", images: [] });
    await live.report(report({ done: [{ id: request?.id ?? "", error: null }] }));
    expect(await prompting).toEqual({ accepted: true, disposition: "started" });

    const aborting = live.abort("r1");
    const changing = live.setModel("r1", { model: "x", thinking_level: null }).catch((error: unknown) => error);
    const requests = await take(setup, 2);
    expect(requests.map(({ type }) => type)).toEqual(["abort", "set_model"]);
    const done = requests.map(({ id, type }) => ({ id, error: type === "abort" ? null : "no such model" }));
    await live.report(report({ done, changes: { state: "streaming" } }));
    expect(await aborting).toMatchObject({ session_id: "r1" });
    expect(await changing).toMatchObject({ code: "CONFLICT", message: "The agent refused: no such model" });
    const queued = live.prompt({ session_id: "r1", prompt: "more", mode: "steer" });
    const [steer] = await live.takeRequests("r1", [], 20_000);
    await live.report(report({ done: [{ id: steer?.id ?? "", error: null }] }));
    expect(await queued).toMatchObject({ disposition: "queued" });
  });

  it("gets nothing when nothing is asked, and one who waits at a time", async () => {
    await using setup = await setUpLive();
    const { live } = setup;
    await live.register(registration());
    expect(await live.takeRequests("r1", [], 1)).toEqual([]);
    const first = live.takeRequests("r1", [], 20_000);
    const second = live.takeRequests("r1", [], 20_000);
    expect(await first).toEqual([]);
    const naming = live.setName("r1", "Name");
    const [request] = await second;
    await live.report(report({ done: [{ id: request?.id ?? "", error: null }] }));
    expect(await naming).toMatchObject({ name: "Name" });
  });

  it("that does not do what it is asked does not do it later", async () => {
    await using setup = await setUpLive({ times: { request: 20 } });
    const { live } = setup;
    await live.register(registration());
    await expect(live.abort("r1")).rejects.toMatchObject({ code: "TIMEOUT" });
    expect(await live.takeRequests("r1", [], 1)).toEqual([]);
  });

  it("has ended when it says nothing any more", async () => {
    await using setup = await setUpLive({ times: { silence: 20 } });
    const { live } = setup;
    const session = await live.register(registration());
    await setup.state(session, "exited");
    await expect(live.report(report({}))).rejects.toMatchObject({ code: "NOT_FOUND" });
    await expect(live.abort("r1")).rejects.toMatchObject({ code: "CONFLICT" });
  });

  it("has ended when it says so, or is stopped", async () => {
    await using setup = await setUpLive();
    const { live } = setup;
    await live.register(registration());
    expect(await live.report(report({ changes: { state: "exited" } }))).toMatchObject({ state: "exited" });

    await live.register(registration());
    const stopping = live.stop("r1");
    const [request] = await live.takeRequests("r1", [], 20_000);
    expect(request?.type).toBe("stop");
    await live.report(report({ done: [{ id: request?.id ?? "", error: null }] }));
    expect(await stopping).toMatchObject({ state: "exited" });
  });

  it("is asked again for what it is not known to have got", async () => {
    await using setup = await setUpLive();
    const { live } = setup;
    await live.register(registration());
    const lost = live.takeRequests("r1", [], 20_000);
    const aborting = live.abort("r1");
    const [abort] = await lost;
    const naming = live.setName("r1", "Name");
    const [again, name] = await take(setup, 2);
    expect([again, name]).toEqual([abort, { id: name?.id, type: "set_name", name: "Name" }]);
    const received = [abort?.id ?? "", name?.id ?? ""];
    expect(await live.takeRequests("r1", received, 1)).toEqual([]);
    expect(await live.takeRequests("r1", ["unknown"], 1)).toEqual([]);
    await live.report(report({ done: received.map((id) => ({ id, error: null })) }));
    expect(await Promise.all([aborting, naming])).toMatchObject([{ session_id: "r1" }, { name: "Name" }]);
  });

  it("may register again, and goes on with its history and with what it is asked", async () => {
    await using setup = await setUpLive();
    const { live } = setup;
    await live.register(registration());
    await live.report(report({ events: [{ type: "agent_start" }] }));
    const asking = live.abort("r1");
    const [abort] = await live.takeRequests("r1", [], 20_000);
    const models = [{ model: "fake/fake-2", name: null, reasoning: false }];
    await live.register(registration({ name: "Again", models }));
    expect(await live.takeRequests("r1", [], 20_000)).toEqual([abort]);
    await live.report(report({ events: [{ type: "agent_end" }], done: [{ id: abort?.id ?? "", error: null }] }));
    await asking;
    expect((await live.entries("r1", null)).entries.map(({ seq, event }) => [seq, event.type])).toEqual([
      [1, "agent_start"],
      [2, "agent_end"],
    ]);
    expect(await listed(setup)).toMatchObject({ name: "Again", state: "idle" });
    expect(await live.models("r1")).toEqual(models);
  });

  it("may have ended when it registers again", async () => {
    await using setup = await setUpLive();
    const { live } = setup;
    await live.register(registration());
    const asking = live.abort("r1").catch((error: unknown) => error);
    await take(setup, 1);
    expect(await live.register(registration({ state: "exited" }))).toMatchObject({ state: "exited" });
    expect(await asking).toMatchObject({ code: "CONFLICT" });
    await expect(live.takeRequests("r1", [], 1)).rejects.toMatchObject({ code: "NOT_FOUND" });
  });

  it("has ended where another process goes on with it", async () => {
    await using setup = await setUpLive();
    const { live } = setup;
    await live.register(registration());
    const asking = live.abort("r1").catch((error: unknown) => error);
    const waiting = live.takeRequests("r1", [], 20_000);
    await live.report(report({ events: [{ type: "agent_start" }] }));
    await waiting;
    await live.register(registration({ pid: 999_998 }));
    expect(await asking).toMatchObject({ code: "CONFLICT" });
    expect(await live.takeRequests("r1", [], 1)).toEqual([]);
    expect(await listed(setup)).toMatchObject({ pid: 999_998, state: "idle" });
    expect((await live.entries("r1", null)).next_seq).toBe(1);
  });

  it("has the file that the library has, however its path is told", async () => {
    await using setup = await setUpLive();
    const { live } = setup;
    const path = await setup.store("r1");
    const link = join(setup.folder, "link");
    await symlink(join(setup.agentDir, "sessions"), link);
    const told = join(link, "stored", "r1.jsonl");
    expect(await live.register(registration({ session_path: told }))).toMatchObject({ session_path: path });
    expect(live.byPath(path)).toEqual({ session_id: "r1", controllable: true });
    expect(await live.report(report({ changes: { session_path: null } }))).toMatchObject({ session_path: null });
    expect(await live.report(report({ changes: { session_path: told } }))).toMatchObject({ session_path: path });
    expect(await live.report(report({ changes: { name: "Mine" } }))).toMatchObject({ session_path: path });
    expect(setup.paths).toEqual([[path], [], [path]]);
  });

  it("has none that the library does not have", async () => {
    await using setup = await setUpLive();
    const session_path = join(setup.folder, "none.jsonl");
    expect(await setup.live.register(registration({ session_path }))).toMatchObject({ session_path: null });
    expect(await setup.live.report(report({ changes: { session_path } }))).toMatchObject({ session_path: null });
    expect(setup.paths).toEqual([]);
  });

  it("needs no program of the agent, and neither do the clients that drive it", async () => {
    await using setup = await setUpLive({ command: "/nowhere/pi" });
    const { live } = setup;
    await live.checkEnabled();
    await expect(live.checkAvailable()).rejects.toMatchObject({ code: "UNAVAILABLE" });
    await live.register(registration());
    await live.checkAvailable();
    await expect(live.start({ cwd: setup.cwd })).rejects.toMatchObject({ code: "UNAVAILABLE" });
    await live.report(report({ changes: { state: "exited" } }));
    await expect(live.checkAvailable()).rejects.toMatchObject({ code: "UNAVAILABLE" });
  });

  it("is none that the service has started itself", async () => {
    await using setup = await setUpLive();
    const { pid, session_id } = await setup.live.start({ cwd: setup.cwd });
    const conflict = { code: "CONFLICT", details: { session_id } };
    await expect(setup.live.register(registration({ pid }))).rejects.toMatchObject(conflict);
    await expect(setup.live.register(registration({ session_id }))).rejects.toMatchObject(conflict);
  });

  it("goes on when the service ends", async () => {
    const setup = await setUpLive();
    await setup.live.register(registration());
    const waiting = setup.live.takeRequests("r1", [], 20_000);
    await setup[Symbol.asyncDispose]();
    expect(await waiting).toEqual([]);
  });

  it("answers its questions itself, and lists the models that it has told", async () => {
    await using setup = await setUpLive();
    await setup.live.register(registration());
    const answer = { session_id: "r1", request_id: "1", cancelled: true };
    await expect(setup.live.answer(answer)).rejects.toMatchObject({ code: "NOT_FOUND" });
    expect(await setup.live.models("r1")).toEqual(registration().models);
    await expect(setup.live.setName("r1", " \n ")).rejects.toMatchObject({ code: "INVALID_PAYLOAD" });
  });
});
