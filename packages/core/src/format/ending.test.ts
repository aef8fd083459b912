import { describe, expect, it } from "vitest";
import type { JsonObject } from "../json.ts";
import { SessionFold } from "../session/session-fold.ts";

const AT = "2026-03-01T12:00:00.000Z";
const FILE = { path: "/s/a.jsonl", size: 10, modifiedAt: 1_000 };

/** A line, and the end of the last run behind it: `null` for one that went well. */
type Step = [line: JsonObject, outcome: string | null];

let last: string | null = null;
let count = 0;
function linked(): { id: string; parent: string | null } {
  const parent = last;
  last = `e${++count}`;
  return { id: last, parent };
}

const pi = {
  header: { type: "session", version: 3, id: "s", timestamp: AT, cwd: "/w" },
  said(role: string, message: JsonObject = {}): JsonObject {
    const { id, parent } = linked();
    const content = [{ type: "text", text: role }];
    return { type: "message", id, parentId: parent, timestamp: AT, message: { role, content, ...message } };
  },
  other(type: string): JsonObject {
    const { id, parent } = linked();
    return { type, id, parentId: parent, timestamp: AT, name: "x" };
  },
};

const claude = {
  user(content: string | JsonObject[], more: JsonObject = {}): JsonObject {
    const { id, parent } = linked();
    const record = { type: "user", uuid: id, parentUuid: parent, timestamp: AT, cwd: "/w", sessionId: "s" };
    return { ...record, message: { role: "user", content }, ...more };
  },
  assistant(text: string, more: JsonObject = {}): JsonObject {
    const { id, parent } = linked();
    const { model = "claude-opus-4-5", ...rest } = more;
    const message = { id: `m-${id}`, role: "assistant", model, content: [{ type: "text", text }] };
    return { type: "assistant", uuid: id, parentUuid: parent, timestamp: AT, message, ...rest };
  },
};
const text = (said: string): JsonObject => ({ type: "text", text: said });

const codex = {
  header: {
    type: "session_meta",
    timestamp: AT,
    payload: { id: "t", timestamp: AT, cwd: "/w", originator: "codex_cli_rs" },
  },
  event: (type: string, more: JsonObject = {}): JsonObject => ({
    type: "event_msg",
    timestamp: AT,
    payload: { type, ...more },
  }),
  said: (role: string, said: string): JsonObject => ({
    type: "response_item",
    timestamp: AT,
    payload: { type: "message", role, content: [{ type: role === "user" ? "input_text" : "output_text", text: said }] },
  }),
};

const API_ERROR = { isApiErrorMessage: true, model: "<synthetic>" };

const CASES: [what: string, steps: () => Step[]][] = [
  [
    "an error of pi, a prompt and an answer",
    () => [
      [pi.header, null],
      [pi.said("user"), null],
      [pi.said("assistant", { stopReason: "error", errorMessage: " 529\n overloaded " }), "failed: 529 overloaded"],
      [pi.other("session_info"), "failed: 529 overloaded"],
      [pi.said("user"), null],
      [pi.said("assistant", { stopReason: "stop" }), null],
    ],
  ],
  [
    "runs of pi that were aborted, and a retry",
    () => [
      [pi.header, null],
      [pi.said("user"), null],
      [pi.said("assistant", { stopReason: "aborted", errorMessage: "Request was aborted" }), "aborted"],
      [pi.said("toolResult", { toolCallId: "c", isError: true }), "aborted"],
      [pi.said("assistant", { stopReason: "error" }), "failed"],
      [pi.said("assistant", { stopReason: "toolUse" }), null],
      [pi.said("assistant", { stopReason: "length" }), null],
    ],
  ],
  [
    "a branch of pi that is left, and taken up again",
    () => {
      const asked = pi.said("user");
      const failed = pi.said("assistant", { stopReason: "error", errorMessage: "no" });
      const summary = { ...pi.other("branch_summary"), parentId: asked.id as string, summary: "x" };
      const back = { ...pi.other("custom"), parentId: failed.id as string };
      return [
        [pi.header, null],
        [asked, null],
        [failed, "failed: no"],
        [summary, null],
        [back, "failed: no"],
      ];
    },
  ],
  [
    "an error of the API in Claude Code",
    () => [
      [claude.user("Do it"), null],
      [claude.assistant("API Error: 529", API_ERROR), "failed: API Error: 529"],
      [claude.user("<command-name>/model</command-name>"), "failed: API Error: 529"],
      [claude.user("again"), null],
      [claude.assistant("Done"), null],
      [claude.assistant("No response requested.", { model: "<synthetic>" }), null],
    ],
  ],
  [
    "interruptions in Claude Code, one by an agent of its own",
    () => [
      [claude.user("Do it"), null],
      [claude.user([text("[Request interrupted by user for tool use]")], { isSidechain: true }), null],
      [claude.assistant("Wait"), null],
      [claude.user([text("[Request interrupted by user]")]), "aborted"],
      [claude.assistant("Done"), null],
      [claude.user("<local-command-stdout>[Request interrupted by user]</local-command-stdout>"), null],
    ],
  ],
  [
    "turns of Codex that were aborted, failed, or taken back",
    () => [
      [codex.header, null],
      [codex.event("user_message", { message: "Do it" }), null],
      [codex.said("assistant", "Well"), null],
      [codex.said("user", "<turn_aborted>\nThe user interrupted\n</turn_aborted>"), null],
      [codex.event("turn_aborted", { reason: "interrupted" }), "aborted"],
      [codex.event("token_count", { info: null }), "aborted"],
      [codex.event("user_message", { message: "again" }), null],
      [codex.event("stream_error", { message: "Reconnecting" }), null],
      [codex.event("error", { message: "usage limit" }), "failed: usage limit"],
      [codex.event("task_complete"), "failed: usage limit"],
      [codex.event("thread_rolled_back", { num_turns: 1 }), null],
      [codex.event("turn_aborted", { reason: "review_ended" }), null],
    ],
  ],
];

describe("the end of the last run", () => {
  it.each(CASES)("of %s", (_what, stepsOf) => {
    last = null;
    const fold = new SessionFold();
    const ends = stepsOf().map(([line, wanted], place) => {
      fold.add(line, place * 100, 99);
      const { outcome, outcome_message } = fold.record(FILE);
      return [outcome_message === null ? outcome : `${outcome}: ${outcome_message}`, wanted];
    });
    expect(ends.map(([end]) => end)).toEqual(ends.map(([, wanted]) => wanted));
  });

  it("is told in one line of 200 characters", () => {
    last = null;
    const fold = new SessionFold();
    fold.add(pi.header, 0, 9);
    fold.add(pi.said("assistant", { stopReason: "error", errorMessage: `a\n${"b".repeat(1_000)}` }), 10, 9);
    expect(fold.record(FILE).outcome_message).toBe(`a ${"b".repeat(198)}`);
  });
});
