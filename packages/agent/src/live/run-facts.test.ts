import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { AgentRecord } from "./agent-record.ts";
import { RunFacts } from "./run-facts.ts";

const NOW = "2026-01-02T03:04:05.000Z";

beforeEach(() => {
  vi.useFakeTimers({ now: new Date(NOW) });
});
afterEach(() => {
  vi.useRealTimers();
});

function after(...records: AgentRecord[]): RunFacts {
  const facts = new RunFacts();
  for (const record of records) facts.observe(record);
  return facts;
}

const said = (message: object): AgentRecord => ({ type: "message_end", message: { role: "assistant", ...message } });
const begin = { type: "agent_start" };
const end = { type: "agent_end", messages: [] };
const exit = (fields: object): AgentRecord => ({ type: "service_exit", signal: null, stderr: "", ...fields });

describe("what an agent does", () => {
  it.each<[string, AgentRecord, object | null]>([
    [
      "a prompt",
      { type: "message_end", message: { role: "user", content: "Fix\nit" } },
      { tool: null, text: "Fix it" },
    ],
    [
      "a prompt in blocks",
      { type: "message_end", message: { role: "user", content: [{ type: "image" }, { type: "text", text: "Look" }] } },
      { tool: null, text: "Look" },
    ],
    [
      "a command",
      { type: "tool_execution_start", toolName: "bash", args: { timeout: 5, command: "npm test" } },
      { tool: "bash", text: "npm test" },
    ],
    [
      "a file",
      { type: "tool_execution_start", toolName: "read", args: { path: "/a", offset: 5 } },
      { tool: "read", text: "/a" },
    ],
    ["a call without arguments", { type: "tool_execution_start", toolName: "list" }, { tool: "list", text: "" }],
    ["an answer", said({ content: [] }), null],
    ["nothing", { type: "message_end" }, null],
  ])("is %s", (_, record, activity) => {
    expect(after(record).facts.activity).toEqual(activity === null ? null : { ...activity, started_at: NOW });
  });

  it("is told in one short line, whatever it is", () => {
    const args = { command: `echo \n${"x".repeat(100_000)}` };
    const { activity } = after({ type: "tool_execution_start", toolName: `a\n${"b".repeat(500)}`, args }).facts;
    expect([activity?.tool?.length, activity?.text.length]).toEqual([80, 200]);
    expect(activity?.text).not.toContain("\n");
  });
});

describe("how a run ends", () => {
  it.each<[string, AgentRecord[], object | null]>([
    ["nothing has run", [], null],
    ["it runs", [begin, said({ stopReason: "stop" })], null],
    ["it is done", [begin, said({ stopReason: "stop" }), end], { result: "finished" }],
    ["it is settled later", [begin, said({}), end, { type: "agent_settled" }], { result: "finished" }],
    [
      "the model fails",
      [begin, said({ stopReason: "error", errorMessage: "429 too many\nat x" }), end],
      { result: "failed", error: "429 too many" },
    ],
    ["it fails without a word", [begin, said({ stopReason: "error" }), end], { result: "failed" }],
    [
      "it is tried again",
      [begin, said({ stopReason: "error", errorMessage: "busy" }), { ...end, willRetry: true }],
      null,
    ],
    [
      "it works the second time",
      [begin, said({ stopReason: "error" }), { ...end, willRetry: true }, begin, said({ stopReason: "stop" }), end],
      { result: "finished" },
    ],
    ["it is interrupted", [begin, said({ stopReason: "aborted" }), end], { result: "aborted" }],
    ["it says so at the end", [begin, said({}), { type: "agent_settled", aborted: true }], { result: "aborted" }],
    ["it begins again", [begin, said({}), end, begin], null],
    ["the agent is stopped while it works", [begin, exit({ exit_code: 143, stopped: true })], { result: "aborted" }],
    ["the agent is stopped after it", [begin, end, exit({ exit_code: 143, stopped: true })], { result: "finished" }],
    ["the agent is stopped before it", [exit({ exit_code: 0, stopped: true })], { result: "exited" }],
    ["the agent crashes", [begin, end, exit({ exit_code: 3, stopped: false })], { result: "exited", exit_code: 3 }],
    ["the agent is killed", [begin, exit({ exit_code: null, stopped: false })], { result: "exited" }],
  ])("when %s", (_, records, outcome) => {
    const expected = outcome === null ? null : { error: null, exit_code: null, ended_at: NOW, ...outcome };
    expect(after(...records).facts.outcome).toEqual(expected);
  });

  it.each([
    ["lost", true, "lost"],
    ["exited", true, "exited"],
    ["lost", false, "lost"],
    ["exited", false, "finished"],
  ] as const)("for an agent that is %s (while it works: %s): %s", (how, isWorking, result) => {
    const facts = after(begin, ...(isWorking ? [] : [end]));
    facts.ended(how, null);
    expect(facts.facts.outcome?.result).toBe(result);
  });
});

describe("what an agent waits for", () => {
  const ask = (id: string, method: string, title?: string): AgentRecord => ({
    type: "extension_ui_request",
    ...{ id, method, title },
  });

  it("is its newest open question", () => {
    const facts = after(ask("1", "select", "Which\none?"), ask("2", "confirm"), ask("3", "notify", "Told"));
    expect(facts.facts.question).toEqual({ kind: "confirm", title: null, asked_at: NOW });
    facts.observe({ type: "extension_ui_response", id: "2", cancelled: false });
    expect(facts.facts.question).toEqual({ kind: "select", title: "Which one?", asked_at: NOW });
    facts.observe({ type: "extension_ui_response", id: "1", cancelled: true });
    expect(facts.facts.question).toBeNull();
  });

  it("may be asked in the user's own terminal", () => {
    const facts = after({ type: "ui_prompt_start", reason: "ui_prompt", kind: "custom" });
    expect(facts.facts.question).toEqual({ kind: "custom", title: null, asked_at: NOW });
    facts.observe({ type: "ui_prompt_end" });
    expect(facts.facts.question).toBeNull();
    facts.observe({ type: "ui_prompt_start", kind: "money" });
    expect(facts.facts.question).toBeNull();
  });

  it("is forgotten when the agent says that it waits no more", () => {
    const facts = after(ask("1", "input", "Name?"));
    facts.answered();
    expect(facts.facts.question).toBeNull();
  });
});
