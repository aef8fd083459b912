import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import type {
  AcceptedPrompt,
  JsonObject,
  LiveEntries,
  LiveModel,
  LiveSession,
  SessionPage,
  SessionRecord,
} from "@sm/core";
import type { EventPayloads } from "@sm/router/events";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { AGENT_VERSIONS, installAgent } from "./agents/real-agent.ts";
import { type LiveService, startLiveService } from "./live-service.ts";
import { PATIENT } from "./patient.ts";
import type { PushEvent } from "./push-event.ts";
import { linesOf } from "./sample-home.ts";
import { lineAbout, said, Watcher } from "./session-watcher.ts";
import { TestEventStream } from "./test-event-stream.ts";

/** Of one pixel. */
const PICTURE =
  "iVBORw0KGgoAAAANSUhEUgAAAAgAAAAIAQMAAAD+wSzIAAAABlBMVEX///+/v7+jQ3Y5AAAADklEQVQI12P4AIX8EAgALgAD/aNpbtEAAAAASUVORK5CYII=";
const DOCUMENTATION = new URL("../../../docs/terminals-and-agents.md", import.meta.url);

describe.each(AGENT_VERSIONS)("with agent %s", (version) => {
  const isOldest = version === "0.74.2";
  let live: LiveService;
  /** Starts sessions, and watches all of them. */
  let watcher: Watcher;
  let session: LiveSession;

  beforeAll(async () => {
    live = await startLiveService({}, version);
    [watcher, session] = await Watcher.start(live.service.url, { cwd: live.project, name: "Live" });
  });

  afterAll(async () => {
    await watcher?.[Symbol.asyncDispose]();
    await live[Symbol.asyncDispose]();
  });

  const current = async (): Promise<LiveSession> => {
    const sessions = await live.service.ask<LiveSession[]>("get_coding_live_sessions");
    const found = sessions.find(({ session_id }) => session_id === session.session_id);
    if (found === undefined) throw new Error("The session is not listed.");
    return found;
  };

  /** Its file, which is there after the first answer. */
  async function fileOf(): Promise<string> {
    await expect.poll(async () => (await current()).session_path, PATIENT).not.toBeNull();
    return (await current()).session_path ?? "";
  }

  async function recordOf(path: string): Promise<SessionRecord | undefined> {
    const sessions = await live.service.ask<SessionRecord[]>("scan_sessions");
    return sessions.find((record) => record.path === path);
  }

  describe("a session that is started", () => {
    it("is idle, and says what it is", async () => {
      expect(session).toEqual({
        session_id: expect.any(String),
        session_path: null,
        cwd: live.project,
        pid: expect.any(Number),
        state: "idle",
        model: "fake/fake-1",
        context_window: expect.any(Number),
        thinking_level: "medium",
        started_at: expect.any(String),
        last_event_at: expect.any(String),
        pending_messages: 0,
        name: "Live",
        question: null,
        activity: null,
        outcome: null,
        controllable: true,
      });
      expect(await current()).toEqual({ ...session, last_event_at: expect.any(String) });
    });

    it("answers a prompt with a tool that really runs, as the documentation shows", async () => {
      const place = watcher.socket.events.items.length;
      await watcher.run("run echo hello | tee greeting.txt");
      expect(await readFile(join(live.project, "greeting.txt"), "utf8")).toBe("hello\n");
      const lines = watcher.socket.events.items.slice(place).flatMap((event) => lineAbout(event) ?? []);
      const [, transcript] =
        /<!-- transcript -->\n\n```text\n(.*?)\n```/s.exec(await readFile(DOCUMENTATION, "utf8")) ?? [];
      // Later releases tell of the system message, and when nothing more follows; a message begins with what it has by
      // then, which its deltas repeat.
      const shown = lines
        .filter((line) => !/^message_(?:start|end) system |^agent_settled$/.test(line))
        .map((line) => line.replace(/^(message_start assistant ).*/, '$1""'));
      expect(isOldest ? lines : shown).toEqual(transcript?.split("\n"));
      expect(lines.includes("agent_settled")).toBe(!isOldest);
      expect(await current()).toMatchObject({
        activity: { tool: "bash", text: "echo hello | tee greeting.txt" },
        outcome: { result: "finished", error: null, exit_code: null },
      });
    });

    it("has a file then, whose record is live", async () => {
      const path = await fileOf();
      expect(await recordOf(path)).toMatchObject({
        id: session.session_id,
        is_live: true,
        name: "Live",
        cwd: live.project,
      });
      const { sessions } = await live.service.ask<SessionPage>("list_sessions", { query: "is:live" });
      expect(sessions.map((record) => record.path)).toEqual([path]);
    });

    it("is no second time started", async () => {
      const { error } = await live.service.call("start_coding_session", { session_path: await fileOf() });
      expect(error).toMatchObject({ code: "CONFLICT", details: { session_id: session.session_id } });
    });

    it("is not deleted", async () => {
      const { error } = await live.service.call("delete_session", { path: await fileOf() });
      expect(error).toMatchObject({ code: "CONFLICT" });
      expect((await stat(await fileOf())).isFile()).toBe(true);
    });
  });

  describe("the agent", () => {
    it("takes a prompt that steers it and one that follows, in this order", async () => {
      const place = watcher.socket.events.items.length;
      const before = watcher.told.length;
      await watcher.ask("send_coding_agent_rpc", { prompt: "hold" });
      const after = watcher.told[before - 1]?.seq ?? 0;
      await watcher.until(({ type }) => type === "message_update", after);
      const send = (prompt: string, mode: string) => watcher.ask("send_coding_agent_rpc", { prompt, mode });
      expect(await send("then this", "follow_up")).toEqual({ accepted: true, disposition: "queued" });
      expect(await send("and that", "prompt")).toEqual({ accepted: true, disposition: "queued" });
      expect(await send("no, this", "steer")).toEqual({ accepted: true, disposition: "queued" });
      expect(await current()).toMatchObject({ state: "streaming", pending_messages: 3 });
      live.model.release();
      await watcher.rests(place);
      const events = watcher.told.slice(before).map(({ event }) => event);
      expect(said(events, "user")).toEqual(["hold", "no, this", "then this", "and that"]);
      expect(said(events, "assistant")).toEqual([
        "Waiting no more.",
        "You said: no, this",
        "You said: then this",
        "You said: and that",
      ]);
      expect(await current()).toMatchObject({ state: "idle", pending_messages: 0 });
    });

    it("stops in the middle when it is told so", async () => {
      const place = watcher.socket.events.items.length;
      const after = watcher.told.at(-1)?.seq ?? 0;
      await watcher.ask("send_coding_agent_rpc", { prompt: "hold" });
      await watcher.until(({ type }) => type === "message_update", after);
      expect(await watcher.ask("abort_coding_session")).toMatchObject({ state: "idle" });
      await watcher.rests(place);
      const aborted = await watcher.until(
        ({ type, message }) => isOf(message, "assistant") && type === "message_end",
        after,
      );
      expect(aborted.event.message).toMatchObject({ stopReason: "aborted", content: [{ text: "Waiting " }] });
    });

    it("gives back what waits in its queue, and goes on with nothing of it when it is stopped", async () => {
      const place = watcher.socket.events.items.length;
      const after = watcher.told.at(-1)?.seq ?? 0;
      await watcher.ask("send_coding_agent_rpc", { prompt: "hold" });
      await watcher.until(({ type }) => type === "message_update", after);
      await watcher.ask("send_coding_agent_rpc", { prompt: "First.", mode: "follow_up" });
      const clearing = live.service.call("clear_coding_session_queue", { session_id: session.session_id });
      if (isOldest) {
        const message = expect.stringContaining("clear_queue");
        expect((await clearing).error).toMatchObject({ code: "CONFLICT", message });
        live.model.release();
      } else {
        expect((await clearing).data).toEqual({ steering: [], follow_up: ["First."] });
        await watcher.ask("send_coding_agent_rpc", { prompt: "Second.", mode: "follow_up" });
        await watcher.ask("abort_coding_session");
      }
      await watcher.rests(place);
      const events = watcher.told.filter(({ seq }) => seq > after).map(({ event }) => event);
      expect(said(events, "user")).toEqual(isOldest ? ["hold", "First."] : ["hold"]);
      const cleared = events.filter(({ type }) => type === "service_queue_cleared").map(({ follow_up }) => follow_up);
      expect(cleared).toEqual(isOldest ? [] : [["First."], ["Second."]]);
      expect(await current()).toMatchObject({ state: "idle", pending_messages: 0 });
      if (version === "1.5.2") expect(events).toContainEqual({ type: "agent_settled", aborted: true });
    });

    it("runs a command of an extension, which begins no run", async () => {
      const { disposition } = await watcher.ask<AcceptedPrompt>("send_coding_agent_rpc", { prompt: "/nothing" });
      // Only later releases tell.
      expect(disposition).toBe(version === "1.5.2" ? "handled" : "started");
      expect(await current()).toMatchObject({ state: "idle", pending_messages: 0 });
      expect(said(await watcher.run("And now?"), "assistant")).toEqual(["You said: And now?"]);
    });

    it("tells its thinking levels", async () => {
      const levels = await watcher.ask<string[]>("get_coding_session_thinking_levels");
      expect(levels).toEqual(expect.arrayContaining(["off", "low", "medium", "high"]));
      const set = (thinking_level: string) =>
        live.service.call("set_coding_session_model", { session_id: session.session_id, thinking_level });
      for (const level of levels) expect((await set(level)).error).toBeNull();
      expect((await set("hihg")).error).toMatchObject({
        code: "INVALID_PAYLOAD",
        details: [{ path: "thinking_level" }],
      });
    });

    it("tells how long a tool took", async () => {
      const ended = (await watcher.run("run true")).find(({ type }) => type === "tool_execution_end");
      expect(ended?.durationMs).toEqual(version === "1.5.2" ? expect.any(Number) : undefined);
    });

    it("changes its model and its thinking level", async () => {
      const models = await watcher.ask<LiveModel[]>("get_coding_session_models");
      expect(models).toEqual([
        { model: "fake/fake-1", name: "Fake One", reasoning: true },
        { model: "fake/fake-2", name: "Fake Two", reasoning: false },
      ]);
      const change = (payload: object) => watcher.ask("set_coding_session_model", payload);
      expect(await change({ model: "fake/fake-2" })).toMatchObject({ model: "fake/fake-2", thinking_level: "off" });
      await watcher.run("Which model?");
      expect(live.model.requests.items.at(-1)).toMatchObject({ model: "fake-2", prompt: "Which model?" });
      expect(await change({ model: "fake-1", thinking_level: "high" })).toMatchObject({
        model: "fake/fake-1",
        thinking_level: "high",
      });
    });

    it("writes the name itself that its session is given", async () => {
      const path = await fileOf();
      const record = await live.service.ask<SessionRecord>("rename_session", { path, name: "Given" });
      expect(record).toMatchObject({ path, name: "Given" });
      expect(await current()).toMatchObject({ name: "Given" });
      await watcher.until(({ type, name }) => type === "session_info_changed" && name === "Given");
      const lines = await linesOf(path);
      expect(lines.at(-1)).toMatchObject({ type: "session_info", name: "Given", parentId: lines.at(-2)?.id });
      expect(await watcher.ask("name_coding_session", { name: "Given again" })).toMatchObject({ name: "Given again" });
    });

    it("asks, and waits for the answer of whoever watches", async () => {
      await using other = await Watcher.open(live.service.url, session.session_id);
      const place = watcher.socket.events.items.length;
      await watcher.ask("send_coding_agent_rpc", { prompt: "ask Delete everything?" });
      const { event } = await other.until(({ type }) => type === "extension_ui_request");
      expect(event).toMatchObject({ method: "confirm", title: "Delete everything?", message: "Are you sure?" });
      expect(await current()).toMatchObject({ state: "waiting" });
      await other.ask("answer_coding_agent_request", { request_id: event.id, confirmed: true });
      await watcher.rests(place);
      const events = watcher.told.map(({ event }) => event);
      expect(said(events, "assistant").at(-1)).toBe("It said: yes");
      const { error } = await live.service.call("answer_coding_agent_request", {
        session_id: session.session_id,
        request_id: event.id as string,
        confirmed: true,
      });
      expect(error).toMatchObject({ code: "NOT_FOUND" });
    });

    it("tells of a model that fails, and goes on", async () => {
      const failed = (await watcher.run("fail")).find(
        ({ type, message }) => isOf(message, "assistant") && type === "message_end",
      );
      expect(failed?.message).toMatchObject({
        stopReason: "error",
        errorMessage: expect.stringContaining("told to fail"),
      });
      expect(said(await watcher.run("Still there?"), "assistant")).toEqual(["You said: Still there?"]);
    });

    it("sees a picture", async () => {
      const place = watcher.socket.events.items.length;
      const images = [{ data: PICTURE, mime_type: "image/png" }];
      await watcher.ask("send_coding_agent_rpc", { prompt: "Look.", images });
      await watcher.rests(place);
      const entry = (await linesOf(await fileOf())).findLast(({ message }) => isOf(message, "user"));
      expect(entry?.message).toMatchObject({ content: [{ text: "Look." }, { type: "image", mimeType: "image/png" }] });
    });
  });

  describe("who watches", () => {
    it("is told the same as all others, over whatever transport", async () => {
      await using other = await Watcher.open(live.service.url, session.session_id);
      using stream = await TestEventStream.open(live.service.url, {}, `?topics=live:${session.session_id}`);
      await stream.events.first(({ event }) => event === "hello");
      const events = await watcher.run("count 20");
      const last = watcher.told.at(-1)?.seq ?? 0;
      await other.until(() => other.told.some(({ seq }) => seq === last));
      await stream.events.first(({ payload }) => (payload as { seq: number }).seq === last);
      const streamed = stream.events.items
        .filter(({ event }) => event === "live-session-event")
        .map(({ payload }) => (payload as EventPayloads["live-session-event"]).event);
      expect(events.length).toBeGreaterThan(20);
      expect(other.told.map(({ event }) => event)).toEqual(events);
      expect(streamed).toEqual(events);
    });

    it("misses nothing when the connection is lost", async () => {
      const before = await Watcher.open(live.service.url, session.session_id);
      await watcher.run("Before.");
      const { seq } = await before.until(({ type }) => type === "agent_end");
      await before[Symbol.asyncDispose]();
      await watcher.run("run echo meanwhile");
      const { entries, next_seq } = await watcher.ask<LiveEntries>("get_coding_agent_entries", { after_seq: seq });
      const missed = watcher.told.filter((event) => event.seq > seq);
      expect(next_seq).toBe(missed.at(-1)?.seq);
      // Of messages that have ended, the deltas are gone; of a tool that has, what it said meanwhile.
      const lasting = missed.filter(
        ({ event }) => !["message_update", "tool_execution_update", "queue_update"].includes(event.type),
      );
      expect(entries.map(({ seq, event }) => ({ seq, event }))).toEqual(expect.arrayContaining(lasting));
      expect(missed).toEqual(expect.arrayContaining(entries.map(({ seq, event }) => ({ seq, event }))));
      const none = await watcher.ask<LiveEntries>("get_coding_agent_entries", { after_seq: next_seq });
      expect(none).toEqual({ entries: [], next_seq, has_gap: false });
    });
  });

  describe("a session whose agent dies", () => {
    it("is told of with the signal, and live no more", async () => {
      const path = await fileOf();
      const place = watcher.socket.events.items.length;
      process.kill(session.pid, "SIGKILL");
      const { event } = await watcher.until(({ type }) => type === "service_exit");
      expect(event).toMatchObject({ exit_code: null, signal: "SIGKILL" });
      await expect.poll(async () => (await current()).state, PATIENT).toBe("exited");
      const isToldDead = ({ event, payload }: PushEvent) =>
        event === "sessions-diff" &&
        (payload as EventPayloads["sessions-diff"]).updated.some((record) => record.path === path && !record.is_live);
      await watcher.socket.events.until((items) => items.slice(place).find(isToldDead));
      expect((await recordOf(path))?.is_live).toBe(false);
      const { error } = await live.service.call("send_coding_agent_rpc", {
        session_id: session.session_id,
        prompt: "Hm?",
      });
      expect(error).toMatchObject({ code: "CONFLICT" });
      const { entries } = await watcher.ask<LiveEntries>("get_coding_agent_entries");
      expect(entries.at(-1)?.event).toEqual(event);
    });

    it("goes on where it was, in the same file", async () => {
      const path = await fileOf();
      const lines = await linesOf(path);
      const [next, resumed] = await Watcher.start(live.service.url, { session_path: path });
      await watcher[Symbol.asyncDispose]();
      watcher = next;
      expect(resumed).toMatchObject({
        session_id: session.session_id,
        session_path: path,
        state: "idle",
        name: "Given again",
      });
      expect(resumed.pid).not.toBe(session.pid);
      session = resumed;
      expect(said(await watcher.run("Back again."), "assistant")).toEqual(["You said: Back again."]);
      const after = await linesOf(path);
      expect(after.slice(0, lines.length)).toEqual(lines);
      expect((await recordOf(path))?.is_live).toBe(true);
    });
  });

  describe("a session that is stopped", () => {
    it("ends in order", async () => {
      expect(await watcher.ask("stop_coding_session")).toMatchObject({ state: "exited" });
      const { event } = await watcher.until(({ type }) => type === "service_exit");
      expect(event).toMatchObject({ exit_code: expect.toBeOneOf([0, 143]), signal: null, stopped: true });
      expect(() => process.kill(session.pid, 0)).toThrow("ESRCH");
    });

    it("is stopped also to be deleted, where that is insisted on", async () => {
      const path = await fileOf();
      const [other, resumed] = await Watcher.start(live.service.url, { session_path: path });
      await using _ = other;
      await live.service.ask("delete_session", { path, force: true });
      expect(() => process.kill(resumed.pid, 0)).toThrow("ESRCH");
      expect(await recordOf(path)).toBeUndefined();
    });
  });

  describe("an agent that somebody else has started", () => {
    it("is listed, and cannot be controlled", async () => {
      const { programs } = await installAgent(version);
      const env = { ...process.env, PI_CODING_AGENT_DIR: join(live.project, "other-agent") };
      const child = spawn(join(programs, "pi"), ["--mode", "rpc"], {
        cwd: live.project,
        env,
        stdio: ["pipe", "pipe", "ignore"],
      });
      try {
        await expect
          .poll(() => live.service.ask<LiveSession[]>("get_coding_live_sessions"), PATIENT)
          .toContainEqual(
            expect.objectContaining({ pid: child.pid, cwd: live.project, controllable: false, session_path: null }),
          );
        // Also when it has given its process a title.
        child.stdin.write('{"type":"get_state"}\n');
        await once(child.stdout, "data");
        await new Promise((resolve) => setTimeout(resolve, 1_100));
        const sessions = await live.service.ask<LiveSession[]>("get_coding_live_sessions");
        expect(sessions.map(({ pid }) => pid)).toContain(child.pid);
      } finally {
        child.kill("SIGKILL");
      }
    });
  });

  describe("nothing is started", () => {
    it("in a folder that is gone", async () => {
      const cwd = join(live.project, "gone");
      const { error } = await live.service.call("start_coding_session", { cwd });
      expect(error).toMatchObject({ code: "INVALID_PAYLOAD", message: expect.stringContaining(cwd) });
    });

    it("for a stored session whose folder is gone", async () => {
      const cwd = join(live.project, "gone");
      const header = { type: "session", version: 3, id: "homeless", timestamp: new Date().toISOString(), cwd };
      const path = await live.service.home.add("homeless", [header]);
      await live.service.settled();
      const { error } = await live.service.call("start_coding_session", { session_path: path });
      expect(error).toMatchObject({ message: expect.stringContaining(cwd) });
      expect(error?.code).not.toBe("INTERNAL");
    });

    it("with a model that the agent does not know", async () => {
      const { error } = await live.service.call("start_coding_session", { cwd: live.project, model: "fake/nope" });
      expect(error).toMatchObject({ code: "INVALID_PAYLOAD", message: expect.stringContaining("nope") });
    });
  });
});

function isOf(message: unknown, role: string): boolean {
  return (message as JsonObject | undefined)?.role === role;
}
