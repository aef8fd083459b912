import { AppError } from "@sm/core";
import { describe, expect, it } from "vitest";
import { liveSessionCommands } from "./live-sessions.ts";
import { type Call, run } from "./recorded-services.fixture.ts";

const LARGEST = "x".repeat(1_048_576);

const IMAGE = { data: "aGk=", mime_type: "image/png" };

const SESSION = { session_id: "s" };

const REGISTRATION = {
  session_id: "s",
  session_path: null,
  cwd: "/p",
  pid: 7,
  state: "idle",
  model: null,
  thinking_level: null,
  started_at: "2026-01-01T01:00:00+01:00",
  name: null,
  models: [{ model: "p/m", name: null, reasoning: false }],
};

const REPORT = { session_id: "s", events: [], changes: {}, done: [] };

describe("commands about live sessions", () => {
  it.each<[string, unknown, Call]>([
    ["get_coding_live_sessions", {}, ["list"]],
    ["start_coding_session", { cwd: "/p" }, ["start", { cwd: "/p" }]],
    [
      "start_coding_session",
      { cwd: null, session_path: "/a.jsonl", model: "p/m", name: " New\nname " },
      ["start", { session_path: "/a.jsonl", model: "p/m", name: "New name" }],
    ],
    ["stop_coding_session", SESSION, ["stop", "s"]],
    ["get_coding_agent_entries", SESSION, ["entries", "s", null]],
    ["get_coding_agent_entries", { ...SESSION, after_seq: 3 }, ["entries", "s", 3]],
    ["send_coding_agent_rpc", { ...SESSION, prompt: "p" }, ["prompt", { ...SESSION, prompt: "p", mode: "prompt" }]],
    [
      "send_coding_agent_rpc",
      { ...SESSION, prompt: LARGEST, mode: "steer", images: [IMAGE] },
      ["prompt", { ...SESSION, prompt: LARGEST, mode: "steer", images: [IMAGE] }],
    ],
    ["abort_coding_session", SESSION, ["abort", "s"]],
    ["set_coding_session_model", { ...SESSION, model: "m" }, ["setModel", "s", { model: "m", thinking_level: null }]],
    [
      "set_coding_session_model",
      { ...SESSION, model: null, thinking_level: "high" },
      ["setModel", "s", { model: null, thinking_level: "high" }],
    ],
    ["name_coding_session", { ...SESSION, name: " n\r\n" }, ["setName", "s", "n"]],
    ["get_coding_session_models", SESSION, ["models", "s"]],
    ["get_coding_session_commands", SESSION, ["commands", "s"]],
    ["find_coding_session_files", { ...SESSION, text: "a" }, ["findFiles", "s", "a"]],
    ["get_coding_session_thinking_levels", SESSION, ["thinkingLevels", "s"]],
    ["clear_coding_session_queue", SESSION, ["clearQueue", "s"]],
    [
      "answer_coding_agent_request",
      { ...SESSION, request_id: "r", value: "" },
      ["answer", { ...SESSION, request_id: "r", value: "" }],
    ],
    [
      "answer_coding_agent_request",
      { ...SESSION, request_id: "r", confirmed: false },
      ["answer", { ...SESSION, request_id: "r", confirmed: false }],
    ],
    [
      "answer_coding_agent_request",
      { ...SESSION, request_id: "r", value: null, cancelled: true },
      ["answer", { ...SESSION, request_id: "r", cancelled: true }],
    ],
    [
      "register_coding_session",
      REGISTRATION,
      ["register", { ...REGISTRATION, started_at: "2026-01-01T00:00:00.000Z" }],
    ],
    [
      "report_coding_session",
      {
        ...REPORT,
        events: [{ type: "agent_end", nested: [1] }],
        changes: { name: null },
        done: [{ id: "1", error: null }],
      },
      [
        "report",
        {
          ...SESSION,
          events: [{ type: "agent_end", nested: [1] }],
          changes: { name: null },
          done: [{ id: "1", error: null }],
        },
      ],
    ],
    ["take_coding_session_requests", SESSION, ["takeRequests", "s", [], 25_000]],
    ["take_coding_session_requests", { ...SESSION, received: ["1"], wait_seconds: 0 }, ["takeRequests", "s", ["1"], 0]],
  ])("%s is one call into a service", async (name, payload, call) => {
    const { calls, response } = await run(name, payload, () => SESSION);
    expect(response.error).toBeNull();
    expect(calls).toEqual([call]);
  });

  it("leave out of a report what it does not name", async () => {
    const { calls } = await run("report_coding_session", REPORT);
    expect(calls).toStrictEqual([["report", REPORT]]);
  });

  it.each<[string, object, string]>([
    ["start_coding_session", {}, "cwd"],
    ["start_coding_session", { cwd: "/p", session_path: "/a.jsonl" }, "cwd"],
    ["start_coding_session", { cwd: "/p", model: "" }, "model"],
    ["start_coding_session", { cwd: "/p", name: "n".repeat(201) }, "name"],
    ["stop_coding_session", {}, "session_id"],
    ["get_coding_agent_entries", { ...SESSION, after_seq: "1" }, "after_seq"],
    ["send_coding_agent_rpc", { ...SESSION, prompt: "" }, "prompt"],
    ["send_coding_agent_rpc", { ...SESSION, prompt: `${LARGEST}x` }, "prompt"],
    ["send_coding_agent_rpc", { ...SESSION, prompt: "p", mode: "shout" }, "mode"],
    ["send_coding_agent_rpc", { ...SESSION, prompt: "p", images: Array(11).fill(IMAGE) }, "images"],
    ["send_coding_agent_rpc", { ...SESSION, prompt: "p", images: [{ ...IMAGE, data: "a" }] }, "images.0.data"],
    ["send_coding_agent_rpc", { ...SESSION, prompt: "p", images: [{ ...IMAGE, data: "aGk\n" }] }, "images.0.data"],
    [
      "send_coding_agent_rpc",
      { ...SESSION, prompt: "p", images: [{ ...IMAGE, data: "A".repeat(10_485_764) }] },
      "images.0.data",
    ],
    [
      "send_coding_agent_rpc",
      { ...SESSION, prompt: "p", images: [{ ...IMAGE, mime_type: "text/html" }] },
      "images.0.mime_type",
    ],
    ["set_coding_session_model", SESSION, "model"],
    ["set_coding_session_model", { ...SESSION, thinking_level: "x".repeat(33) }, "thinking_level"],
    ["name_coding_session", SESSION, "name"],
    ["answer_coding_agent_request", { ...SESSION, request_id: "r" }, "value"],
    ["answer_coding_agent_request", { ...SESSION, request_id: "r", cancelled: false }, "value"],
    ["answer_coding_agent_request", { ...SESSION, request_id: "r", value: "v", confirmed: true }, "value"],
    ["register_coding_session", { ...REGISTRATION, pid: 0 }, "pid"],
    ["register_coding_session", { ...REGISTRATION, state: "asleep" }, "state"],
    ["register_coding_session", { ...REGISTRATION, version: "0.74.2" }, "version"],
    ["register_coding_session", { ...REGISTRATION, models: [{ model: "p/m", name: null }] }, "models.0.reasoning"],
    ["register_coding_session", { ...REGISTRATION, models: Array(1_001).fill(REGISTRATION.models[0]) }, "models"],
    ["report_coding_session", { ...REPORT, events: [1] }, "events.0"],
    ["report_coding_session", { ...REPORT, events: Array(1_001).fill({}) }, "events"],
    ["report_coding_session", { ...REPORT, changes: { cwd: null } }, "changes.cwd"],
    ["report_coding_session", { ...REPORT, changes: { session_id: "t" } }, "changes.session_id"],
    ["report_coding_session", { ...REPORT, done: [{ id: "1" }] }, "done.0.error"],
    ["take_coding_session_requests", { ...SESSION, wait_seconds: 61 }, "wait_seconds"],
    ["take_coding_session_requests", { ...SESSION, received: [""] }, "received.0"],
  ])("%s refuses a wrong payload", async (name, payload, field) => {
    const { calls, response } = await run(name, payload);
    expect(response.error).toMatchObject({ code: "INVALID_PAYLOAD", details: [{ path: field }] });
    expect(calls).toEqual([]);
  });

  it("tell the connection of the session that it has started", async () => {
    const { listened } = await run("start_coding_session", { cwd: "/p" }, () => SESSION);
    expect(listened).toEqual([["live:s"]]);
    expect((await run("abort_coding_session", SESSION, () => SESSION)).listened).toEqual([]);
  });

  it("take an image of 10 MB at once", async () => {
    const images = [{ ...IMAGE, data: "A".repeat(10_485_760) }];
    expect((await run("send_coding_agent_rpc", { ...SESSION, prompt: "p", images })).response.error).toBeNull();
  });

  it.each(Object.keys(liveSessionCommands))("%s says what is missing, whatever the payload", async (name) => {
    const checkAvailable = new AppError("UNAVAILABLE", "Install the agent.");
    const { calls, response } = await run(name, { wrong: true }, undefined, { checkAvailable });
    expect(response.error).toMatchObject({ code: "UNAVAILABLE", message: "Install the agent." });
    expect(calls).toEqual([]);
  });

  it.each<[string, object]>([
    ["register_coding_session", REGISTRATION],
    ["report_coding_session", REPORT],
    ["take_coding_session_requests", SESSION],
  ])(
    "%s takes an agent whose program the service does not find, if agents are not turned off",
    async (name, payload) => {
      const checkAvailable = new AppError("UNAVAILABLE", "Install the agent.");
      expect((await run(name, payload, () => SESSION, { checkAvailable })).response.error).toBeNull();
      const checkEnabled = new AppError("FORBIDDEN", "Agents are turned off.");
      const { calls, response } = await run(name, { wrong: true }, undefined, { checkEnabled });
      expect(response.error).toMatchObject({ code: "FORBIDDEN", message: "Agents are turned off." });
      expect(calls).toEqual([]);
    },
  );
});
