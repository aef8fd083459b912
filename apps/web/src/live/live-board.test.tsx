import { CommandError } from "@sm/router/client";
import { screen, waitFor, within } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import type { LiveSession } from "../agents/use-live-sessions.ts";
import type { ListedTerminal } from "../client/terminals.ts";
import { sessionRecord } from "../list/record.fixture.ts";
import { openPage } from "../page.fixture.tsx";

const ago = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString();

function session(name: string, change: Partial<LiveSession> = {}): LiveSession {
  return {
    ...{ session_id: name, session_path: null, cwd: "/home/me/tides", pid: 1, state: "idle", model: "fake/fake-1" },
    ...{ thinking_level: "off", started_at: ago(60), last_event_at: ago(3), pending_messages: 0, name },
    ...{ context_window: null, question: null, activity: null, outcome: null, controllable: true },
    ...change,
  };
}

function terminal(id: string, change: Partial<ListedTerminal> = {}): ListedTerminal {
  return {
    ...{ id, cwd: "/home/me/clock", shell: "/bin/bash", pid: 2, cols: 80, rows: 24, started_at: ago(90) },
    ...{ status: null, exit: null, ended_at: null },
    ...change,
  };
}

const STATUS = { app: "pi", kind: null, title: null, message: null, progress: null, process_group: null } as const;
const outcome = { result: "finished", error: null, exit_code: null, ended_at: ago(4) } as const;

const group = (name: string) => screen.findByRole("region", { name: new RegExp(`^${name}`) });

const SESSIONS = [
  session("Asks", { state: "waiting", question: { kind: "confirm", title: "Delete the table?", asked_at: ago(3) } }),
  session("Works", { state: "streaming", activity: { tool: "bash", text: "npm test", started_at: ago(1) } }),
  session("Prompted", { state: "streaming", activity: { tool: null, text: "Fix it", started_at: ago(2) } }),
  session("Ready"),
  session("Elsewhere", { controllable: false, pid: 9 }),
  session("Done", { outcome }),
  session("Broken", { outcome: { ...outcome, result: "failed", error: "429 Too many requests" } }),
  session("Crashed", { state: "exited", outcome: { ...outcome, result: "exited", exit_code: 3 } }),
];
const TERMINALS = [
  terminal("plain"),
  terminal("asks", { status: { ...STATUS, state: "blocked", kind: "auth", message: "Log in", since: ago(5) } }),
  terminal("builds", { status: { ...STATUS, app: "make", state: "working", progress: 40, since: ago(5) } }),
  terminal("ended", { exit: { exit_code: 0, signal: null }, ended_at: ago(6), cwd: "/home/me/over" }),
];
const CLAUDE = sessionRecord("Of another agent", {
  format: "claude-code",
  capabilities: { rename: true, fork: false, delete: true, start: false, resume_command: null },
  modified_at: ago(2),
});

const openBoard = () =>
  openPage("/live", {
    sessions: [CLAUDE, sessionRecord("Of pi", { modified_at: ago(1) })],
    answers: { get_coding_live_sessions: SESSIONS, list_terminals: TERMINALS },
  });

describe("the board", () => {
  it("has what waits, what runs and what has ended, each with the reason", async () => {
    await openBoard();
    const rows = async (name: string) =>
      within(await group(name))
        .getAllByRole("link")
        .map((link) => link.textContent?.replaceAll(/\s+/g, " "));
    const waiting = await rows("Waiting for you");
    expect(waiting).toEqual([
      expect.stringMatching(/^clock.*pi.*Terminal.*5m ago.*asks you to log in.*Log in/),
      expect.stringMatching(/^Asks.*pi.*3m ago.*asks for confirmation.*Delete the table\?.*tides.*fake-1$/),
    ]);
    expect(await rows("Running")).toEqual([
      expect.stringMatching(/^Works.*bash.*npm test/),
      expect.stringMatching(/^Of another agent.*Claude Code.*written 2m ago/),
      expect.stringMatching(/^Prompted.*working.*Prompt: Fix it/),
      expect.stringMatching(/^clock.*make.*Terminal.*working · 40%/),
      expect.stringMatching(/^(Ready.*idle|Elsewhere.*elsewhere)/),
      expect.stringMatching(/^(Ready.*idle|Elsewhere.*elsewhere)/),
    ]);
    const ended = await rows("Ended");
    expect(ended).toContainEqual(expect.stringMatching(/^Done.*finished/));
    expect(ended).toContainEqual(expect.stringMatching(/^Broken.*failed.*429 Too many requests/));
    expect(ended).toContainEqual(expect.stringMatching(/^Crashed.*exited with code 3/));
    expect(ended).toContainEqual(expect.stringMatching(/^over.*bash.*exited with code 0/));
    expect(ended).toHaveLength(4);
  });

  it("tells projects apart that end alike, also beside a session", async () => {
    const sessions = [session("One", { cwd: "/home/me/tides/app" }), session("Two", { cwd: "/home/me/clock/app" })];
    const page = await openPage("/live", {
      sessions: sessions.map(({ name, cwd }) => sessionRecord(name ?? "", { cwd })),
      answers: { get_coding_live_sessions: sessions, list_terminals: [] },
    });
    const first = await screen.findByRole("link", { name: /^One.*tides\/app/ });
    screen.getByRole("link", { name: /^Two.*clock\/app/ });
    await page.user.click(first);
    const beside = within(await screen.findByRole("list", { name: "Live sessions" }));
    beside.getByRole("link", { name: /^One.*tides\/app/ });
    beside.getByRole("link", { name: /^Two.*clock\/app/ });
  });

  it("opens what a row is about", async () => {
    await openBoard();
    const targetOf = async (name: RegExp) => (await screen.findByRole("link", { name })).getAttribute("href");
    expect(await targetOf(/^Works/)).toBe("/live?session=Works");
    expect(await targetOf(/^over/)).toBe("/terminals?id=ended");
    expect(await targetOf(/^Of another agent/)).toContain("/session?path=");
  });

  it("is walked with the keyboard, across its groups", async () => {
    const page = await openBoard();
    const links = within(await screen.findByRole("region", { name: "Live sessions" })).getAllByRole("link");
    links[0]?.focus();
    await page.user.keyboard("{ArrowDown}{ArrowDown}");
    expect(document.activeElement).toBe(links[2]);
    await page.user.keyboard("k");
    expect(document.activeElement).toBe(links[1]);
    await page.user.keyboard("{End}");
    expect(document.activeElement).toBe(links.at(-1));
    await page.user.keyboard("{Home}{ArrowUp}");
    expect(document.activeElement).toBe(links[0]);
    await page.user.keyboard("{ArrowDown}{Enter}");
    await waitFor(() => expect(page.address()).toBe("/live?session=Asks"));
  });

  it("changes with events of agents and terminals", async () => {
    const page = await openPage("/live", {
      answers: { get_coding_live_sessions: [session("One", { state: "streaming" })], list_terminals: [] },
    });
    await group("Running");
    const question = { kind: "input", title: null, asked_at: ago(1) } as const;
    page.answer({ get_coding_live_sessions: [session("One", { state: "waiting", question })] });
    page.tell("live-session", { session_id: "One", state: "waiting" });
    within(await group("Waiting for you")).getByText("asks for an answer");
    page.answer({
      get_coding_live_sessions: [session("One", { state: "waiting", question: { ...question, title: "Name?" } })],
    });
    page.tell("live-session-changed", { session_id: "One" });
    await screen.findByText("Name?");
    page.answer({
      list_terminals: [terminal("t", { status: { ...STATUS, state: "done", message: "Tide clock", since: ago(0) } })],
    });
    page.tell("terminal-changed", { id: "t" });
    within(await group("Ended")).getByText("Tide clock");
  });

  it("says how to start where nothing runs", async () => {
    const page = await openPage("/live", { answers: { get_coding_live_sessions: [], list_terminals: [] } });
    await screen.findByText("No running agents");
    await page.user.click(screen.getByRole("button", { name: "New live session" }));
    await screen.findByRole("dialog");
  });

  it("shows terminals where there are no agents, and says why not where there is nothing", async () => {
    const get_coding_live_sessions = new CommandError("FORBIDDEN", "Agents are turned off.");
    const first = await openPage("/live", { answers: { get_coding_live_sessions, list_terminals: TERMINALS } });
    await group("Waiting for you");
    first.answer({ list_terminals: [] });
    first.tell("terminal-changed", { id: "asks" });
    await screen.findByText("You cannot use agents from here");
  });
});

describe("the navigation", () => {
  const live = sessionRecord("Tides", { is_live: true });

  it("counts what waits", async () => {
    await openPage("/", {
      sessions: [live],
      answers: { get_coding_live_sessions: SESSIONS, list_terminals: TERMINALS },
    });
    const link = await screen.findByRole("link", { name: /^Live/ });
    await within(link).findByRole("img", { name: "2 waiting for you" });
  });

  it("asks the service once agents or terminals are known to be in use", async () => {
    const page = await openPage("/", { answers: { get_coding_live_sessions: SESSIONS, list_terminals: [] } });
    expect([page.asked("get_coding_live_sessions"), page.asked("list_terminals")]).toEqual([[], []]);
    page.tell("live-session", { session_id: "Asks", state: "waiting" });
    await screen.findByRole("img", { name: "1 waiting for you" });
  });

  it("counts what is live where nothing waits", async () => {
    await openPage("/", {
      sessions: [live],
      answers: { get_coding_live_sessions: [session("Works")], list_terminals: [] },
    });
    const link = await screen.findByRole("link", { name: /^Live/ });
    await waitFor(() => expect(link.textContent).toBe("Live1"));
    expect(within(link).queryByRole("img")).toBeNull();
  });
});
