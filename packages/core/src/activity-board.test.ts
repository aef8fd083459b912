import { describe, expect, it } from "vitest";
import { activityBoard, type BoardSources, outcomeOf, type WrittenSession } from "./activity-board.ts";
import type { LiveSession } from "./live-sessions.ts";
import type { ListedTerminal, ProgramStatus } from "./terminals.ts";

const NOW = new Date("2026-01-02T12:00:00.000Z");
/** So many minutes ago. */
const ago = (minutes: number) => new Date(NOW.getTime() - minutes * 60_000).toISOString();

const session = (change: Partial<LiveSession>): LiveSession => ({
  ...{ session_id: "s", session_path: null, cwd: "/project", pid: 1, state: "idle", model: null, thinking_level: null },
  ...{ started_at: ago(60), last_event_at: ago(1), pending_messages: 0, name: null, controllable: true },
  ...{ context_window: null, question: null, activity: null, outcome: null },
  ...change,
});

const status = (change: Partial<ProgramStatus>): ProgramStatus => ({
  ...{ state: "working", app: "pi", kind: null, title: null, message: null, progress: null, since: ago(5) },
  process_group: null,
  ...change,
});

const terminal = (change: Partial<ListedTerminal>): ListedTerminal => ({
  ...{ id: "t", cwd: "/project", shell: "/bin/bash", pid: 2, cols: 80, rows: 24, started_at: ago(90) },
  ...{ status: null, exit: null, ended_at: null },
  ...change,
});

const written = (minutes: number, start = false) =>
  ({ path: "/c.jsonl", capabilities: { start }, modified_at: ago(minutes) }) as WrittenSession;

function rowsOf(sources: Partial<BoardSources>) {
  return activityBoard({ sessions: [], terminals: [], records: [], now: NOW, ...sources });
}

const outcome = (minutes: number, change: Partial<NonNullable<LiveSession["outcome"]>> = {}) => ({
  ...{ result: "finished" as const, error: null, exit_code: null, ended_at: ago(minutes) },
  ...change,
});

describe("activityBoard", () => {
  it.each<[string, Partial<LiveSession>, [string, string]]>([
    ["waits", { state: "waiting" }, ["waiting", ago(1)]],
    ["asks", { state: "waiting", question: { kind: "input", title: null, asked_at: ago(9) } }, ["waiting", ago(9)]],
    ["works", { state: "streaming", activity: { tool: "bash", text: "", started_at: ago(2) } }, ["running", ago(2)]],
    ["has begun to work", { state: "streaming" }, ["running", ago(60)]],
    ["stands ready", {}, ["running", ago(60)]],
    ["has done its work", { outcome: outcome(3) }, ["ended", ago(3)]],
    ["has done its work long ago", { outcome: outcome(2_000) }, ["running", ago(60)]],
    ["has exited", { state: "exited", outcome: outcome(4) }, ["ended", ago(4)]],
    ["has exited before it did anything", { state: "exited" }, ["ended", ago(1)]],
  ])("shows an agent that %s", (_, change, place) => {
    expect(rowsOf({ sessions: [session(change)] }).map(({ group, since }) => [group, since])).toEqual([place]);
  });

  it.each<[string, Partial<ListedTerminal>, [string, string] | null]>([
    ["says nothing", {}, null],
    ["is idle", { status: status({ state: "idle" }) }, null],
    ["works", { status: status({}) }, ["running", ago(5)]],
    ["waits", { status: status({ state: "blocked" }) }, ["waiting", ago(5)]],
    ["is done", { status: status({ state: "done" }) }, ["ended", ago(5)]],
    ["was done long ago", { status: status({ state: "done", since: ago(2_000) }) }, null],
    ["has exited", { exit: { exit_code: 1, signal: null }, ended_at: ago(7) }, ["ended", ago(7)]],
    ["has exited long ago", { exit: { exit_code: 1, signal: null }, ended_at: ago(2_000) }, null],
  ])("shows a terminal whose program %s", (_, change, place) => {
    const shown = rowsOf({ terminals: [terminal(change)] }).map(({ group, since }) => [group, since]);
    expect(shown).toEqual(place === null ? [] : [place]);
  });

  it.each([
    ["was written just now", written(2), 1],
    ["was written a while ago", written(11), 0],
    ["is of an agent that the service can ask", written(2, true), 0],
  ])("shows a session that %s", (_, record, count) => {
    expect(rowsOf({ records: [record] })).toHaveLength(count);
  });

  it("puts first what waits, the longest first, then what is newest", () => {
    const sessions = [
      session({ session_id: "done", outcome: outcome(1) }),
      session({ session_id: "asked later", state: "waiting", last_event_at: ago(2) }),
      session({ session_id: "runs long", state: "streaming", started_at: ago(50) }),
      session({ session_id: "runs", state: "streaming", started_at: ago(10) }),
      session({ session_id: "failed", outcome: outcome(30) }),
    ];
    const terminals = [terminal({ id: "asked first", status: status({ state: "blocked" }) })];
    expect(rowsOf({ sessions, terminals }).map(({ id }) => id)).toEqual([
      "asked first",
      "asked later",
      "runs",
      "runs long",
      "done",
      "failed",
    ]);
  });

  it.each([
    ["as the session that can be controlled", true, "session"],
    ["as the terminal otherwise", false, "terminal"],
  ])("shows an agent in a terminal once: %s", (_, controllable, type) => {
    const sessions = [session({ pid: 42, state: "streaming", controllable })];
    const terminals = [terminal({ status: status({ process_group: 42 }) })];
    expect(rowsOf({ sessions, terminals }).map((row) => row.type)).toEqual([type]);
  });
});

describe("outcomeOf", () => {
  it.each<[string, Partial<BoardSources>, object | null]>([
    [
      "a run",
      { sessions: [session({ outcome: outcome(1, { result: "failed", error: "429" }) })] },
      { result: "failed" },
    ],
    ["an agent", { sessions: [session({ state: "exited" })] }, { result: "exited", exit_code: null }],
    ["nothing", { sessions: [session({ state: "streaming" })] }, null],
    [
      "a terminal",
      { terminals: [terminal({ exit: { exit_code: 2, signal: null }, ended_at: ago(1) })] },
      { result: "exited", error: null, exit_code: 2 },
    ],
    [
      "a terminal that was killed",
      { terminals: [terminal({ exit: { exit_code: null, signal: "SIGKILL" }, ended_at: ago(1) })] },
      { result: "exited", error: "SIGKILL", exit_code: null },
    ],
    [
      "a program that failed",
      { terminals: [terminal({ status: status({ state: "error", message: "No disk" }) })] },
      { result: "failed", error: "No disk" },
    ],
    [
      "a program that is done",
      { terminals: [terminal({ status: status({ state: "done", message: "Tides" }) })] },
      { result: "finished", error: null },
    ],
  ])("tells how %s has ended", (_, sources, expected) => {
    const [row] = rowsOf(sources);
    if (row === undefined) throw new Error("There is no row.");
    if (expected === null) expect(outcomeOf(row)).toBeNull();
    else expect(outcomeOf(row)).toMatchObject(expected);
  });
});
