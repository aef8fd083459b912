import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { StatusTracker } from "./program-status.ts";
import { QUERY_REPLY } from "./status-reader.ts";

beforeEach(() => {
  vi.useFakeTimers({ now: new Date("2026-01-02T03:04:05Z") });
});
afterEach(() => {
  vi.useRealTimers();
});

const report = (body: string) => `\x1b]7501;${body}\x1b\\`;

function open() {
  const onChange = vi.fn();
  const replies: string[] = [];
  const alive = new Set<number>();
  let foreground: number | null = null;
  const tracker = new StatusTracker({
    onChange,
    reply: (text) => replies.push(text),
    foregroundGroup: async () => foreground,
    isGroupAlive: (group) => alive.has(group),
  });
  return {
    tracker,
    onChange,
    replies,
    alive,
    /** The program in the foreground. */
    run(group: number) {
      foreground = group;
      alive.add(group);
    },
    state: () => tracker.status?.state ?? null,
  };
}

it("keeps the newest status, and since when the program is in it", async () => {
  const { tracker } = open();
  expect(tracker.status).toBeNull();
  tracker.read(report("state=working:app=pi:progress=1"));
  await vi.advanceTimersByTimeAsync(60_000);
  tracker.read(report("state=working:app=pi:progress=2"));
  expect(tracker.status).toEqual({
    ...{ state: "working", app: "pi", kind: null, title: null, message: null, progress: 2 },
    since: "2026-01-02T03:04:05.000Z",
    process_group: null,
  });
  tracker.read(report("state=done:app=pi"));
  expect(tracker.status).toMatchObject({ state: "done", since: "2026-01-02T03:05:05.000Z", progress: null });
  tracker.read(report("state=clear"));
  expect(tracker.status).toBeNull();
});

it("tells of many changes once, and of none that is no change", async () => {
  const { tracker, onChange } = open();
  for (let progress = 0; progress <= 100; progress++) tracker.read(report(`state=working:progress=${progress}`));
  expect(onChange).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(1_000);
  expect(onChange).toHaveBeenCalledTimes(1);
  tracker.read(report("state=working:progress=100"));
  await vi.advanceTimersByTimeAsync(1_000);
  expect(onChange).toHaveBeenCalledTimes(1);
});

it.each([
  ["working", null],
  ["blocked", null],
  ["done", "done"],
  ["error", "error"],
  ["idle", "idle"],
])("%s becomes %s when the program is gone, a shell shows its prompt, or the terminal ends", async (before, after) => {
  const killed = open();
  killed.run(7);
  killed.tracker.read(report(`state=${before}`));
  await vi.advanceTimersByTimeAsync(0);
  expect(killed.tracker.status?.process_group).toBe(7);
  killed.tracker.read("more");
  expect(killed.state()).toBe(before);
  killed.alive.delete(7);
  expect(killed.state()).toBe(after);

  const prompted = open();
  prompted.tracker.read(report(`state=${before}`));
  prompted.tracker.read("\x1b]133;A\x07$ ");
  expect(prompted.state()).toBe(after);

  const ended = open();
  ended.tracker.read(report(`state=${before}`));
  ended.tracker.end();
  expect(ended.state()).toBe(after);
});

it("knows the next program by its own process group", async () => {
  const { tracker, run, alive } = open();
  run(7);
  tracker.read(report("state=done"));
  await vi.advanceTimersByTimeAsync(1_000);
  alive.delete(7);
  run(8);
  tracker.read(report("state=working"));
  await vi.advanceTimersByTimeAsync(0);
  expect(tracker.status).toMatchObject({ state: "working", process_group: 8 });
});

it("answers queries, once for each piece of output", () => {
  const { tracker, replies } = open();
  tracker.read(`${report("?")}${report("?")}`);
  expect(replies).toEqual([QUERY_REPLY]);
});

it("knows the program also of a report that follows another at once", async () => {
  const { tracker, run, alive, state } = open();
  run(5);
  tracker.read(report("state=working"));
  await vi.advanceTimersByTimeAsync(10);
  tracker.read(report("state=clear") + report("state=working"));
  await vi.advanceTimersByTimeAsync(1_000);
  expect(tracker.status?.process_group).toBe(5);
  alive.delete(5);
  run(6);
  tracker.read(report("state=working"));
  await vi.advanceTimersByTimeAsync(10);
  // A second one takes over from the first.
  alive.delete(6);
  run(7);
  tracker.read(report("state=blocked"));
  await vi.advanceTimersByTimeAsync(1_000);
  expect(tracker.status).toMatchObject({ state: "blocked", process_group: 7 });
  alive.delete(7);
  expect(state()).toBeNull();
});
