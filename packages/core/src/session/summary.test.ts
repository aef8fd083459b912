import { describe, expect, it } from "vitest";
import { emptyState, type FoldState } from "./fold-state.ts";
import type { SessionRecord } from "./record.ts";
import { recordOf, type SessionSummary } from "./summary.ts";

const FILE = { path: "/sessions/2026-11-21T03-07-38-373Z_abc.jsonl", size: 10, modifiedAt: 1_000 };
const HEADER: NonNullable<FoldState["header"]> = {
  id: "s1",
  timestamp: 2_000,
  cwd: "/code",
  parentSessionPath: null,
  parentSessionId: null,
  relation: null,
  title: null,
  rateLimits: null,
  hasTree: true,
};
const LATEST = { ordinal: 3, role: "assistant", text: "Done." } as const;
const FAILED = { ordinal: 3, outcome: "failed", message: "no credit" } as const;

function record(state: Partial<FoldState>, summary: Partial<SessionSummary> = {}): SessionRecord {
  const made = { branch_count: 1, first_time: null, has_last_text: false, has_ending: false, ...summary };
  return recordOf({ ...made, state: { ...emptyState(), ...state } }, FILE);
}

describe("recordOf", () => {
  it.each<[string, SessionRecord, Partial<SessionRecord>]>([
    ["the header", record({ header: HEADER }), { id: "s1", cwd: "/code", malformed_lines: 0 }],
    ["the file name, without a header", record({}), { id: "abc", cwd: null, malformed_lines: 1 }],
    ["the file name, without an ID", record({ header: { ...HEADER, id: null } }), { id: "abc", malformed_lines: 0 }],
    [
      "an unreadable header, which is a malformed line already",
      record({ malformed_lines: 2 }),
      { malformed_lines: 2, format: "pi" },
    ],
    [
      "the header's time",
      record({ header: HEADER }, { first_time: 3_000 }),
      { created_at: "1970-01-01T00:00:02.000Z", modified_at: "1970-01-01T00:00:02.000Z" },
    ],
    [
      "the time of the first entry, and of the newest message",
      record({ newest_message_time: 4_000 }, { first_time: 3_000 }),
      { created_at: "1970-01-01T00:00:03.000Z", modified_at: "1970-01-01T00:00:04.000Z" },
    ],
    [
      "the file's time",
      record({}),
      { created_at: "1970-01-01T00:00:01.000Z", modified_at: "1970-01-01T00:00:01.000Z" },
    ],
    ["a time out of range", record({ newest_message_time: 1e300 }), { modified_at: "1970-01-01T00:00:00.000Z" }],
    [
      "the latest text of the branch",
      record({ latest_text: LATEST }, { has_last_text: true }),
      { last_message: "Done.", last_role: "assistant" },
    ],
    ["the latest text of another branch", record({ latest_text: LATEST }), { last_message: null, last_role: null }],
    [
      "the ending of the branch",
      record({ ending: FAILED }, { has_ending: true }),
      { outcome: "failed", outcome_message: "no credit" },
    ],
    ["the ending of another branch", record({ ending: FAILED }), { outcome: null, outcome_message: null }],
  ])("makes a record from %s", (_, made, expected) => {
    expect(made).toMatchObject(expected);
  });

  it("tells where the bytes are", () => {
    const summary = { state: emptyState(), branch_count: 0, first_time: null, has_last_text: false, has_ending: false };
    expect(recordOf(summary, FILE)).toMatchObject({ path: FILE.path, size_bytes: 10, source: "file" });
    expect(recordOf(summary, { ...FILE, source: "vault" }).source).toBe("vault");
  });
});
