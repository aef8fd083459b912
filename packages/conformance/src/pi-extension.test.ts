import { chmod, writeFile } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { LiveSession } from "@sm/core";
import { openTerminals, type TerminalEvent } from "@sm/terminal";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { AGENT_VERSIONS } from "./agents/real-agent.ts";
import { Inbox } from "./inbox.ts";
import { type LiveService, startLiveService } from "./live-service.ts";
import { PATIENT } from "./patient.ts";
import { linesOf } from "./sample-home.ts";
import { said, Watcher } from "./session-watcher.ts";
import { TestSocket } from "./test-socket.ts";

const EXTENSION = fileURLToPath(new URL("../../pi-extension/src/index.ts", import.meta.url));

describe.each(AGENT_VERSIONS)("pi %s", (version) => {
  /** The terminal of somebody who has started the agent in it, and not of the service. */
  const screen = new Inbox<TerminalEvent>();
  const terminals = openTerminals({
    enabled: true,
    idleMs: 3_600_000,
    env: process.env,
    home: homedir(),
    serviceUrl: "http://127.0.0.1:1",
    dataDir: homedir(),
    output: { publish: (event) => screen.push(event), watch: () => () => {} },
    log: { info: () => {}, warn: () => {} },
  });

  let live: LiveService;
  let terminal: string;
  let watcher: Watcher;
  let session: LiveSession;

  beforeAll(async () => {
    live = await startLiveService({}, version);
    const { home } = live.service;
    const start = join(home.folder, "start-agent.sh");
    const env = `PI_CODING_AGENT_DIR="${home.folder}/agent" SESSION_MANAGER_DATA_DIR="${home.folder}/data"`;
    await writeFile(start, `#!/bin/sh\nexec env -u SESSION_MANAGER_URL ${env} pi -e "${EXTENSION}"\n`);
    await chmod(start, 0o755);
    terminal = (await terminals.create({ cwd: live.project, cols: 100, rows: 40, shell: start })).id;
    session = await registered();
    watcher = await Watcher.open(live.service.url, session.session_id);
  });

  afterAll(async () => {
    await watcher?.[Symbol.asyncDispose]();
    await terminals.closeAll();
    await live?.[Symbol.asyncDispose]();
  });

  /** Waits until the service knows a session that it has not started, other than `known`. */
  async function registered(known?: string): Promise<LiveSession> {
    await using socket = await TestSocket.open(live.service.url);
    for (let place = 0; ; place = socket.events.items.length) {
      const sessions = await live.service.ask<LiveSession[]>("get_coding_live_sessions");
      const found = sessions.find(
        ({ controllable, session_id, state }) => controllable && session_id !== known && state !== "exited",
      );
      if (found !== undefined) return found;
      await socket.events.until((events) => events.slice(place).find(({ event }) => event === "live-session"));
    }
  }

  /** Waits until the screen shows a text. */
  async function shows(text: string): Promise<void> {
    await screen.until((events) => {
      const output = events.map((event) => (event.type === "output" ? event.data : "")).join("");
      return output.includes(text) || undefined;
    });
  }

  const current = async () =>
    (await live.service.ask<LiveSession[]>("get_coding_live_sessions")).find(
      ({ session_id }) => session_id === session.session_id,
    );

  describe("a session in somebody's own terminal", () => {
    it("is listed, with what is known of it", () => {
      expect(session).toMatchObject({
        session_path: null,
        cwd: live.project,
        state: "idle",
        model: "fake/fake-1",
        thinking_level: "medium",
        name: null,
        controllable: true,
      });
    });

    it("is shown to be connected, in one line", () => shows("Session Manager"));

    it("answers a prompt of the service, on its own screen too", async () => {
      const events = await watcher.run("run echo from the service");
      expect(said(events, "user")).toEqual(["run echo from the service"]);
      expect(said(events, "assistant").at(-1)).toBe("It said: from the service");
      expect(events.map(({ type }) => type)).toEqual(
        expect.arrayContaining(["agent_start", "turn_start", "tool_execution_end", "turn_end", "agent_end"]),
      );
      const updates = events.filter(({ type }) => type === "message_update");
      expect(updates.length).toBeGreaterThan(5);
      for (const update of updates) expect(JSON.stringify(update)).not.toContain('"partial"');
      await shows("from the service");
    });

    it("has a live record then", async () => {
      await expect.poll(async () => (await current())?.session_path, PATIENT).not.toBeNull();
      const path = (await current())?.session_path;
      await live.service.ask("scan_sessions");
      await expect
        .poll(
          async () => (await live.service.ask<{ sessions: object[] }>("list_sessions", { query: "is:live" })).sessions,
          PATIENT,
        )
        .toMatchObject([{ path, id: session.session_id, is_live: true }]);
    });

    it("tells what is typed into it", async () => {
      const after = watcher.told.at(-1)?.seq ?? 0;
      const place = watcher.socket.events.items.length;
      await terminals.write(terminal, "typed at home");
      await terminals.write(terminal, "\r");
      // The last record of a run comes before the session is idle: who asks earlier takes its rest for another's.
      await watcher.rests(place);
      const events = watcher.told.filter(({ seq }) => seq > after).map(({ event }) => event);
      expect(said(events, "user")).toEqual(["typed at home"]);
      expect(said(events, "assistant")).toEqual(["You said: typed at home"]);
    });

    it("is steered and aborted", async () => {
      const after = watcher.told.at(-1)?.seq ?? 0;
      const place = watcher.socket.events.items.length;
      await watcher.ask("send_coding_agent_rpc", { prompt: "hold" });
      await watcher.until(({ type }) => type === "message_update", after);
      const steer = { prompt: "turn left", mode: "steer" };
      expect(await watcher.ask("send_coding_agent_rpc", steer)).toEqual({ accepted: true, disposition: "queued" });
      live.model.release();
      await watcher.rests(place);
      const steered = watcher.told.filter(({ seq }) => seq > after).map(({ event }) => event);
      expect(said(steered, "assistant")).toEqual(["Waiting no more.", "You said: turn left"]);

      const last = watcher.told.at(-1)?.seq ?? 0;
      await watcher.ask("send_coding_agent_rpc", { prompt: "hold" });
      await watcher.until(({ type }) => type === "message_update", last);
      await watcher.ask("abort_coding_session");
      const { event } = await watcher.until(({ type }) => type === "turn_end", last);
      expect(event.message).toMatchObject({ stopReason: "aborted" });
    });

    it("changes its model and its thinking level, or says why not", async () => {
      await expect.poll(async () => (await current())?.state, PATIENT).toBe("idle");
      const change = { model: "fake/fake-2" };
      expect(await watcher.ask("set_coding_session_model", change)).toMatchObject({ ...change, thinking_level: "off" });
      const none = { session_id: session.session_id, model: "fake/nope" };
      const { error } = await live.service.call("set_coding_session_model", none);
      expect(error).toMatchObject({ code: "CONFLICT", message: expect.stringContaining("fake/nope") });
    });

    it("says which models it can use", async () => {
      expect(await watcher.ask("get_coding_session_models")).toEqual([
        { model: "fake/fake-1", name: "Fake One", reasoning: true },
        { model: "fake/fake-2", name: "Fake Two", reasoning: false },
      ]);
    });

    // 0.74.2 has no event for it.
    it.skipIf(version === "0.74.2")("waits for its user while it asks in the terminal", async () => {
      const place = watcher.socket.events.items.length;
      await watcher.ask("send_coding_agent_rpc", { prompt: "ask Go on?" });
      await watcher.socket.events.until((events) =>
        events.slice(place).find(({ payload }) => (payload as { state?: string }).state === "waiting"),
      );
      expect(await current()).toMatchObject({ state: "waiting", question: { kind: "confirm", title: "Go on?" } });
      await shows("Go on?");
      await terminals.write(terminal, "\r");
      const end = await watcher.rests(place);
      const asked = watcher.socket.events.items.slice(place, end + 1);
      const states = asked.filter(({ event }) => event === "live-session").map(({ payload }) => payload);
      const named = states.map((state) => (state as { state: string }).state);
      // What follows each other within 50 ms is told as one.
      expect(named.filter((state) => state !== "streaming")).toEqual(["waiting", "idle"]);
      await shows("It said: yes");
      expect(await current()).toMatchObject({ question: null, outcome: { result: "finished" } });
    });

    it.skipIf(version === "0.74.2")("tells a name that is typed into it", async () => {
      const after = watcher.told.at(-1)?.seq ?? 0;
      await terminals.write(terminal, "/name Typed at home");
      await terminals.write(terminal, "\r");
      const { event } = await watcher.until(({ type }) => type === "session_info_changed", after);
      expect(event).toMatchObject({ name: "Typed at home" });
      expect(await current()).toMatchObject({ name: "Typed at home" });
    });

    it("takes the name that it is given, and writes it itself", async () => {
      const path = (await current())?.session_path ?? "";
      await live.service.ask("rename_session", { path, name: "Named from afar" });
      expect(await current()).toMatchObject({ name: "Named from afar" });
      const names = (await linesOf(path)).filter(({ type }) => type === "session_info");
      expect(names.at(-1)).toMatchObject({ name: "Named from afar" });
      expect(names.filter(({ name }) => name === "Named from afar")).toHaveLength(1);
      await shows("Named from afar");
    });

    it("is known again after the service was started anew", async () => {
      await watcher[Symbol.asyncDispose]();
      await live.service.restart();
      session = await registered();
      watcher = await Watcher.open(live.service.url, session.session_id);
      const events = await watcher.run("Still there?");
      expect(said(events, "assistant")).toEqual(["You said: Still there?"]);
    });

    it("is followed to another session", async () => {
      const before = session.session_id;
      await terminals.write(terminal, "/new");
      await terminals.write(terminal, "\r");
      session = await registered(before);
      const sessions = await live.service.ask<LiveSession[]>("get_coding_live_sessions");
      expect(sessions.find(({ session_id }) => session_id === before)).toMatchObject({ state: "exited" });
      expect(session).toMatchObject({
        pid: sessions.find(({ session_id }) => session_id === before)?.pid,
        state: "idle",
      });
    });

    it("is stopped", async () => {
      const stopped = await live.service.ask<LiveSession>("stop_coding_session", { session_id: session.session_id });
      expect(stopped.state).toBe("exited");
      expect(await screen.first(({ type }) => type === "exit")).toMatchObject({ exit_code: 0, signal: null });
    });
  });

  it("does nothing in an agent that the service has started", async () => {
    const settings = join(live.service.home.folder, "agent", "settings.json");
    await writeFile(settings, JSON.stringify({ extensions: [EXTENSION] }));
    const [other, started] = await Watcher.start(live.service.url, { cwd: live.project });
    await using _ = other;
    await other.run("Hello");
    const sessions = await live.service.ask<LiveSession[]>("get_coding_live_sessions");
    expect(sessions.filter(({ state }) => state !== "exited").map(({ session_id }) => session_id)).toEqual([
      started.session_id,
    ]);
    await other.ask("stop_coding_session");
  });
});
