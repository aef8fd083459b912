import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { type LiveEvent, SessionLog } from "./session-log.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

it("subscribers are told that a session has got its file, also while nothing else happens", () => {
  const events: LiveEvent[] = [];
  const log = new SessionLog(
    {
      ...{ session_id: "", session_path: null, cwd: "/project", pid: 1, state: "idle", model: null, name: null },
      ...{ context_window: null, thinking_level: null, started_at: "2026-01-01T00:00:00.000Z", pending_messages: 0 },
    },
    { publish: (event) => events.push(event), pathChanged() {} },
  );
  log.announce("s", null);
  vi.runAllTimers();
  events.length = 0;
  log.update({ session_path: "/sessions/s.jsonl" });
  vi.runAllTimers();
  expect(events).toEqual([{ type: "changed", session_id: "s" }]);
  log.update({ session_path: "/sessions/s.jsonl" });
  vi.runAllTimers();
  expect(events).toHaveLength(1);
});
