import { describe, expect, it, vi } from "vitest";
import type { AgentRecord } from "./agent-record.ts";
import { Dialogs } from "./dialogs.ts";

function open() {
  const closed: [string, boolean, boolean][] = [];
  const dialogs = new Dialogs(({ id, cancelled }, isForAgent) =>
    closed.push([String(id), cancelled === true, isForAgent]),
  );
  const ask = (id: string, more: Partial<AgentRecord> = {}) =>
    dialogs.observe({ type: "extension_ui_request", id, method: "confirm", ...more });
  return { dialogs, ask, closed };
}

describe("Dialogs", () => {
  it("are opened by questions only", () => {
    const { dialogs, ask } = open();
    for (const method of ["notify", "setStatus", "constructor"]) ask("1", { method });
    dialogs.observe({ type: "message_start", id: "1", method: "confirm" });
    dialogs.observe({ type: "extension_ui_request", method: "confirm" });
    expect(dialogs.isOpen).toBe(false);
    ask("1");
    expect(dialogs.isOpen).toBe(true);
  });

  it("are closed once, each with its answer", () => {
    const { dialogs, ask, closed } = open();
    for (const id of ["1", "2", "3"]) ask(id);
    dialogs.answer({ session_id: "s", request_id: "2", confirmed: true });
    expect(() => dialogs.answer({ session_id: "s", request_id: "2", confirmed: true })).toThrow("no question 2");
    dialogs.cancelAll();
    expect(closed).toEqual([
      ["2", false, true],
      ["1", true, true],
      ["3", true, true],
    ]);
    expect(dialogs.isOpen).toBe(false);
  });

  it("are at most a hundred", () => {
    const { dialogs, ask, closed } = open();
    for (let id = 0; id < 101; id += 1) ask(String(id));
    expect(closed).toEqual([["100", true, true]]);
    dialogs.forget();
    expect([dialogs.isOpen, closed.length]).toEqual([false, 1]);
  });

  it("that run out of time are closed without the agent, which has closed them itself", () => {
    vi.useFakeTimers();
    try {
      const { dialogs, ask, closed } = open();
      ask("1", { timeout: 1_000 });
      ask("2", { timeout: 2_000 });
      ask("3", { timeout: 2 ** 40 });
      ask("4", { timeout: 1_000 });
      dialogs.answer({ session_id: "s", request_id: "4", cancelled: true });
      vi.advanceTimersByTime(1_000);
      expect(closed).toEqual([
        ["4", true, true],
        ["1", true, false],
      ]);
      dialogs.forget();
      expect(vi.getTimerCount()).toBe(0);
    } finally {
      vi.useRealTimers();
    }
  });

  it("of the same id are one, with the time of the last", () => {
    vi.useFakeTimers();
    try {
      const { dialogs, ask } = open();
      ask("1", { timeout: 1_000 });
      ask("1");
      expect(vi.getTimerCount()).toBe(0);
      expect(dialogs.isOpen).toBe(true);
    } finally {
      vi.useRealTimers();
    }
  });
});
