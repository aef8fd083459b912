import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { anyLine } from "../../session/any-line.fixture.ts";
import { SessionFold } from "../../session/session-fold.ts";
import { recordOf } from "../../session/summary.ts";
import { checksumOf, encodeSummary, type StoredSession, storedRecord, summaryOf } from "./stored-session.ts";

const FILE = { path: "/sessions/2026-01-01T00-00-00-000Z_a.jsonl", size: 10, modifiedAt: 1_000.5 };

function foldOf(lines: readonly object[]): SessionFold {
  const fold = new SessionFold();
  // As they come from a file.
  for (const [at, line] of lines.entries()) fold.add(JSON.parse(JSON.stringify(line)), at * 10, 9);
  return fold;
}

function stored(fold: SessionFold): StoredSession {
  const { id, format, cwd } = fold.record(FILE);
  const columns = { key: 7, path: FILE.path, size: FILE.size, mtime: FILE.modifiedAt, fromVault: false };
  const session = { ...columns, sessionId: id, format, project: cwd, summary: encodeSummary(fold.summary()) };
  return { ...session, checksum: checksumOf(session) };
}

const HEADER = { type: "session", version: 3, id: "a", timestamp: "2026-01-01T00:00:00.000Z", cwd: "/code" };
const said = (role: string, id: string, text: string) => ({
  type: "message",
  id,
  parentId: null,
  message: { role, content: [{ type: "text", text }], model: "m", provider: "p" },
});

describe("a stored session", () => {
  it("gives back the fold and the record, whatever lines it is of", () => {
    fc.assert(
      fc.property(fc.array(anyLine, { maxLength: 20 }), (lines) => {
        const fold = foldOf([{ type: "message", id: "first", message: { role: "user" } }, ...lines]);
        const session = stored(fold);
        const summary = summaryOf(session);
        expect(JSON.stringify(summary.state)).toBe(JSON.stringify(fold.state));
        expect(storedRecord(session)).toEqual(recordOf(fold.summary(), FILE));
        expect(encodeSummary(summary)).toBe(session.summary);
      }),
    );
  });

  it("has each text once", () => {
    const session = stored(foldOf([HEADER, said("user", "1", "capercaillie"), said("assistant", "2", "grouse")]));
    const row = Object.values(session).join("\n");
    for (const text of ["capercaillie", "grouse", "/code"]) expect(row.split(text)).toHaveLength(2);
    expect(session.summary.length).toBeLessThan(200);
  });

  it("has the limits of its account", () => {
    const limits = { primary: { used_percent: 52.5, window_minutes: 300, resets_at: 1_777_906_800 } };
    const told = (rate_limits: object) => ({ type: "event_msg", payload: { type: "token_count", rate_limits } });
    const meta = { type: "session_meta", payload: { id: "a", timestamp: HEADER.timestamp } };
    const recordOfLines = (...lines: object[]) => storedRecord(stored(foldOf([meta, ...lines]))).rate_limits;
    const expected = [{ used_percent: 52.5, window_minutes: 300, resets_at: "2026-05-04T15:00:00.000Z" }];
    expect(recordOfLines(told(limits))).toEqual(expected);
    expect(recordOfLines()).toBeNull();
  });

  it("has how its last run has ended", () => {
    const failed = said("assistant", "2", "oh");
    Object.assign(failed, { parentId: "1", message: { ...failed.message, stopReason: "error", errorMessage: "529" } });
    const aside = { ...said("user", "3", "again"), type: "custom" };
    const lines = [HEADER, said("user", "1", "do"), failed];
    const known = { outcome: "failed", outcome_message: "529" };
    expect(storedRecord(stored(foldOf(lines)))).toMatchObject(known);
    // On another branch, and from there back.
    const session = stored(foldOf([...lines, aside]));
    expect(storedRecord(session)).toMatchObject({ outcome: null, outcome_message: null });
    const resumed = new SessionFold({ ...foldOf([...lines, aside]), state: summaryOf(session).state });
    resumed.add({ ...aside, id: "4", parentId: "2" }, 100, 9);
    expect(resumed.record(FILE)).toMatchObject(known);
  });

  it.each([
    ["path", "/sessions/b.jsonl"],
    ["size", 11],
    ["mtime", 1_000],
    ["sessionId", "b"],
    ["project", "/home"],
    ["summary", "[]"],
  ])("is damaged where its %s is another one", (column, value) => {
    const session = stored(foldOf([HEADER]));
    expect(() => storedRecord({ ...session, [column]: value })).toThrow("wrong checksum");
  });
});
