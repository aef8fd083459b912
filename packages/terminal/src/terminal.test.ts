import { afterEach, beforeEach, expect, it, vi } from "vitest";
import type { Pty, PtyListener, PtyProgram } from "./pty.ts";
import { OpenTerminal } from "./terminal.ts";
import { Listeners } from "./terminals.fixture.ts";

const IDLE_MS = 60_000;
const program: PtyProgram = { file: "/bin/sh", args: [], env: {}, cwd: "/", cols: 80, rows: 24 };

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

function openFake(options: { idleMs?: number; device?: string | null } = {}) {
  const { idleMs = IDLE_MS, device = "/dev/pts/0" } = options;
  const calls: string[] = [];
  const listeners = new Listeners();
  const onIdle = vi.fn();
  let told: PtyListener | undefined;
  const pty: Pty = {
    ...{ pid: 1, device, isRunning: true, waiting: 0 },
    write: (data) => calls.push(`write ${data}`),
    resize: (cols, rows) => calls.push(`resize ${cols} ${rows}`),
    pause: () => calls.push("pause"),
    resume: () => calls.push("resume"),
    close: () => calls.push("close"),
  };
  const start = (_: PtyProgram, listener: PtyListener) => {
    told = listener;
    return pty;
  };
  const terminal = new OpenTerminal({ id: "t", program, start, output: listeners, idleMs, onIdle });
  if (told === undefined) throw new Error("The program was not started.");
  const watcher = listeners.watchers.get("t");
  if (watcher === undefined) throw new Error("The terminal does not watch its audience.");
  calls.length = 0;
  return { terminal, program: told, watcher, listeners, calls, onIdle };
}

it("is idle when nobody has watched, attached or written for long enough", () => {
  const { terminal, watcher, onIdle } = openFake();
  const uses = [
    () => terminal.write("x"),
    () => terminal.attach(null),
    () => watcher.onAudience(2),
    () => watcher.onAudience(0),
  ];
  for (const use of uses) {
    vi.advanceTimersByTime(IDLE_MS - 1);
    use();
  }
  vi.advanceTimersByTime(IDLE_MS - 1);
  expect(onIdle).not.toHaveBeenCalled();
  vi.advanceTimersByTime(1);
  expect(onIdle).toHaveBeenCalledTimes(1);
});

it("is not idle while somebody watches, whatever happens", () => {
  const { terminal, watcher, onIdle } = openFake();
  watcher.onAudience(1);
  vi.advanceTimersByTime(10 * IDLE_MS);
  terminal.write("x");
  vi.advanceTimersByTime(10 * IDLE_MS);
  watcher.onAudience(0);
  vi.advanceTimersByTime(IDLE_MS - 1);
  expect(onIdle).not.toHaveBeenCalled();
  vi.advanceTimersByTime(1);
  expect(onIdle).toHaveBeenCalledTimes(1);
});

it("becomes idle after its program has ended too", () => {
  const { program, onIdle } = openFake();
  program.onExit({ exit_code: 0, signal: null });
  vi.advanceTimersByTime(IDLE_MS);
  expect(onIdle).toHaveBeenCalledTimes(1);
});

it("waits for years where it is told to", () => {
  const { onIdle } = openFake({ idleMs: Number.POSITIVE_INFINITY });
  vi.advanceTimersByTime(86_400_000);
  expect(onIdle).not.toHaveBeenCalled();
});

it("reads at the pace of its audience, and freely without one", () => {
  const { watcher, calls } = openFake();
  watcher.onAudience(1);
  watcher.onBehind(true);
  watcher.onBehind(false);
  watcher.onBehind(true);
  watcher.onAudience(0);
  expect(calls).toEqual(["pause", "resume", "pause", "resume"]);
});

it("tells what is left of the output, a sequence that is not complete too, before the exit", () => {
  const { program, listeners } = openFake();
  program.onData("text\x1b[3");
  program.onExit({ exit_code: 0, signal: null });
  program.onData("more");
  expect(listeners.events).toEqual([
    { type: "output", id: "t", seq: 1, data: "text\x1b[3" },
    { type: "exit", id: "t", exit_code: 0, signal: null },
    { type: "changed", id: "t" },
  ]);
});

it("attaches between two events: what is not told yet is told after", () => {
  const { terminal, program, listeners } = openFake();
  program.onData("one");
  vi.advanceTimersByTime(10);
  program.onData("two");
  expect(terminal.attach(null)).toMatchObject({ seq: 1, data: "one" });
  vi.advanceTimersByTime(10);
  expect(listeners.outputs("t").at(-1)).toMatchObject({ seq: 2, data: "two" });
  expect(terminal.attach(1)).toMatchObject({ seq: 2, data: "two" });
});

it("knows what was written before it had another size", () => {
  const { terminal, program, calls } = openFake();
  program.onData("before");
  terminal.resize(100, 30);
  program.onData("after");
  vi.advanceTimersByTime(10);
  const sizes = [
    [0, 80, 24],
    [6, 100, 30],
  ];
  expect(terminal.attach(null)).toEqual({ id: "t", cols: 100, rows: 30, seq: 2, data: "beforeafter", sizes });
  expect(calls).toEqual(["resize 100 30"]);
});

it("tells the exit of a program that cannot be ended when it is closed", async () => {
  const { terminal, watcher, listeners, calls } = openFake();
  watcher.onAudience(1);
  watcher.onBehind(true);
  terminal.beginToClose();
  watcher.onBehind(true);
  const closed = terminal.close();
  await vi.advanceTimersByTimeAsync(1_000);
  await closed;
  expect(calls).toEqual(["pause", "resume", "close"]);
  expect(listeners.exit("t")).toEqual({ exit_code: null, signal: "SIGKILL" });
  expect(listeners.watchers.size).toBe(0);
});

it("is closed first where that ends its processes", () => {
  const { terminal, calls } = openFake({ device: null });
  terminal.beginToClose();
  expect(terminal.session).toBeNull();
  expect(calls).toEqual(["resume", "close"]);
});
