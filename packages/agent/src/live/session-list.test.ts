import { afterEach, beforeEach, expect, it, vi } from "vitest";
import type { ControlledSession } from "./controlled-session.ts";
import { SessionList } from "./session-list.ts";
import { type LiveEvent, SessionLog } from "./session-log.ts";

const MINUTE = 60_000;

beforeEach(() => {
  vi.useFakeTimers({ now: new Date("2026-01-02T03:04:05Z") });
});
afterEach(() => {
  vi.useRealTimers();
});

function open() {
  const events: LiveEvent[] = [];
  const list = new SessionList({ publish: (event) => events.push(event), onPathsChanged: () => {} });
  const add = (id: string) => {
    const log = new SessionLog(
      {
        ...{ session_id: id, session_path: null, cwd: "/", pid: 1, state: "idle", model: null, thinking_level: null },
        ...{ context_window: null, started_at: new Date().toISOString(), pending_messages: 0, name: null },
      },
      list,
    );
    list.add(id, { log } as ControlledSession);
    return log;
  };
  const idsOf = (sessions: { session_id: string }[]) => sessions.map(({ session_id }) => session_id);
  return { list, add, events, ended: () => idsOf(list.ended()) };
}

it("lists a session that has exited for a day, and keeps what its agent said for ten minutes", () => {
  const { list, add, ended } = open();
  add("one").end("lost");
  vi.advanceTimersByTime(9 * MINUTE);
  expect([list.get("one")?.log.isOver, ended()]).toEqual([true, []]);
  vi.advanceTimersByTime(2 * MINUTE);
  expect([list.get("one"), ended()]).toEqual([undefined, ["one"]]);
  expect(list.ended()).toMatchObject([{ state: "exited", outcome: { result: "lost" } }]);
  vi.advanceTimersByTime(23 * 60 * MINUTE);
  expect(ended()).toEqual(["one"]);
  vi.advanceTimersByTime(60 * MINUTE);
  expect(ended()).toEqual([]);
});

it("lists a bounded number of them, the newest, and none that has begun again", () => {
  const { add, ended } = open();
  for (let number = 1; number <= 80; number++) add(`s${number}`).end("exited");
  vi.advanceTimersByTime(11 * MINUTE);
  expect(ended()).toHaveLength(50);
  expect(ended().at(-1)).toBe("s80");
  add("s80");
  expect(ended()).not.toContain("s80");
});

it("tells of many tool calls once, and of none that comes with a new state", () => {
  const { add, events } = open();
  const log = add("one");
  const call = { record: { type: "tool_execution_start", toolName: "bash", args: {} }, bytes: 1 };
  for (let count = 0; count < 50; count++) log.add(call);
  const told = () => events.flatMap(({ type }) => (type === "event" ? [] : [type]));
  vi.advanceTimersByTime(2_000);
  expect(told()).toEqual(["state", "changed"]);
  log.add(call);
  log.update({ state: "streaming" });
  vi.advanceTimersByTime(2_000);
  expect(told()).toEqual(["state", "changed", "state"]);
});
