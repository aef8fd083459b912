import type { ClientEvent } from "@sm/router/client";
import { describe, expect, it } from "vitest";
import { EXIT } from "../failure.ts";
import { runFake } from "../fake-shell.fixture.ts";

const TERMINAL = { columns: 100, env: { NO_COLOR: "1" } };

const first = {
  session_id: "4f2a91c0-1",
  session_path: null,
  cwd: "/home/user/app",
  pid: 71,
  state: "streaming",
  model: "fake/fake-1",
  context_window: 8_192,
  thinking_level: "off",
  started_at: "2026-06-01T12:00:00.000Z",
  last_event_at: "2026-06-01T12:00:00.000Z",
  pending_messages: 0,
  name: "Tide \u001b[31mclock",
  question: null,
  activity: { tool: "bash", text: "npm \u001b[31mtest", started_at: "2026-06-01T12:00:00.000Z" },
  outcome: null,
  controllable: true,
};
const second = { ...first, session_id: "4f2a91c0-2", state: "idle", name: null };
const foreign = { ...first, session_id: "pid-9", state: "idle", model: null, name: null, controllable: false };
const waiting = {
  ...second,
  session_id: "a1",
  state: "waiting",
  question: { kind: "confirm", title: "Delete?", asked_at: first.started_at },
};
const outcome = { result: "failed", error: "429 busy", exit_code: null, ended_at: new Date().toISOString() };
const terminal = {
  ...{ id: "7e1", cwd: "/home/user/site", shell: "/bin/zsh", pid: 80, cols: 80, rows: 24 },
  ...{ started_at: "2026-06-01T12:00:00.000Z", exit: null, ended_at: null },
  status: {
    ...{ state: "working", app: "make", kind: null, title: null, message: "Image", progress: 62 },
    ...{ since: "2026-06-01T12:00:00.000Z", process_group: null },
  },
};
const answers = {
  get_coding_live_sessions: [foreign, first, second],
  start_coding_session: first,
  stop_coding_session: { ...first, state: "exited" },
  send_coding_agent_rpc: { accepted: true, disposition: "queued" },
  abort_coding_session: first,
  clear_coding_session_queue: { steering: ["Stop"], follow_up: ["Then \u001b[31mthis"] },
  get_coding_session_thinking_levels: ["off", "high"],
  answer_coding_agent_request: first,
  get_coding_session_models: [{ model: "fake/fake-1", name: "Fake", reasoning: false }],
  set_coding_session_model: { ...first, model: "m", thinking_level: "high" },
  list_sessions: {
    sessions: [
      { path: "/s/a.jsonl", id: "a", title: "A", capabilities: { start: true }, modified_at: new Date().toISOString() },
    ],
  },
};

describe("live", () => {
  it.each([[["live"]], [["live", "list"]]])("shows what waits, runs and has ended: %j", async (argv) => {
    const claude = {
      ...{ path: "/c.jsonl", id: "c1", format: "claude-code", capabilities: { start: false }, title: "Dunes" },
      ...{ cwd: "/home/user/app", models: ["opus"], modified_at: new Date().toISOString() },
    };
    const { stdout, connected } = await runFake(argv, {
      ...TERMINAL,
      columns: 140,
      answers: {
        ...answers,
        get_coding_live_sessions: [foreign, first, second, waiting, { ...second, session_id: "b1", outcome }],
        list_terminals: [terminal],
        list_sessions: { sessions: [claude] },
      },
    });
    const [waits = "", runs = "", ended = "", ...more] = stdout.split("\n\n");
    expect(more).toEqual([]);
    expect(waits).toMatch(/^Waiting for you\nID +AGENT +STATE +SINCE +MODEL +PROJECT/);
    expect(waits).toMatch(/^a1 +pi +confirm: Delete\? +2026-06-01 \d\d:00 +fake\/fake-1 +app$/m);
    expect(runs).toMatch(
      /^4f2a91c0-1 +pi +bash: npm ␛\[31mtest +2026-06-01 \d\d:00 +fake\/fake-1 +app +Tide ␛\[31mclock$/m,
    );
    expect(runs).toMatch(/^4f2a91c0-2 +pi +idle /m);
    expect(runs).toMatch(/^pid-9 +pi +not ours /m);
    expect(runs).toMatch(/^7e1 +make \(terminal\) +working 62% .* site +Image$/m);
    expect(runs).toMatch(/^c1 +Claude Code +written .* opus +app +Dunes$/m);
    expect(ended).toMatch(/^Ended\n.*\nb1 +pi +failed: 429 busy /);
    expect(connected).toMatchObject([{ only: "server" }]);
  });

  it("lists sessions as they are with --json, and their ids with --quiet", async () => {
    const json = await runFake(["live", "--json"], { answers });
    expect(JSON.parse(json.stdout)).toEqual(answers.get_coding_live_sessions);
    expect((await runFake(["live", "-q"], { answers })).stdout).toBe("pid-9\n4f2a91c0-1\n4f2a91c0-2\n");
  });

  it("shows agents where there are no terminals, and that there is nothing", async () => {
    const list_terminals = new Error("Terminals need node-pty.");
    const { stdout } = await runFake(["live"], { ...TERMINAL, answers: { ...answers, list_terminals } });
    expect(stdout).toMatch(/^Running\n/);
    const nothing = { ...answers, list_terminals, get_coding_live_sessions: [] };
    expect((await runFake(["live"], { ...TERMINAL, answers: nothing })).stdout).toBe("0 live sessions\n");
  });

  it.each<[string[], string, object]>([
    [["start", "/home/user/app"], "start_coding_session", { cwd: "/home/user/app" }],
    [["start", "--name", "n", "--model", "m"], "start_coding_session", { cwd: process.cwd(), name: "n", model: "m" }],
    [["resume", "last"], "start_coding_session", { session_path: "/s/a.jsonl" }],
    [
      ["send", "4f2a91c0-1", "Which", "tests", "fail?"],
      "send_coding_agent_rpc",
      { session_id: "4f2a91c0-1", prompt: "Which tests fail?", mode: "prompt" },
    ],
    [
      ["send", "last", "--steer", "Stop"],
      "send_coding_agent_rpc",
      { session_id: "4f2a91c0-1", prompt: "Stop", mode: "steer" },
    ],
    [
      ["send", "4f2a91c0-2", "--follow-up", "-"],
      "send_coding_agent_rpc",
      { session_id: "4f2a91c0-2", prompt: "typed", mode: "follow_up" },
    ],
    [["abort", "last"], "abort_coding_session", { session_id: "4f2a91c0-1" }],
    [["clear", "last"], "clear_coding_session_queue", { session_id: "4f2a91c0-1" }],
    [
      ["answer", "last", "q1", "--yes"],
      "answer_coding_agent_request",
      { session_id: "4f2a91c0-1", request_id: "q1", confirmed: true },
    ],
    [
      ["answer", "last", "q1", "--refuse"],
      "answer_coding_agent_request",
      { session_id: "4f2a91c0-1", request_id: "q1", confirmed: false },
    ],
    [
      ["answer", "last", "q1", "--cancel"],
      "answer_coding_agent_request",
      { session_id: "4f2a91c0-1", request_id: "q1", cancelled: true },
    ],
    [
      ["answer", "last", "q1", "the", "second"],
      "answer_coding_agent_request",
      { session_id: "4f2a91c0-1", request_id: "q1", value: "the second" },
    ],
    [
      ["model", "last", "m", "--thinking", "high"],
      "set_coding_session_model",
      { session_id: "4f2a91c0-1", model: "m", thinking_level: "high" },
    ],
    [["stop", "4f2a91c0-2"], "stop_coding_session", { session_id: "4f2a91c0-2" }],
  ])("sends %j", async (argv, command, payload) => {
    const run = await runFake(["live", ...argv, "--json"], { answers, typed: "typed" });
    expect(run.error).toBeNull();
    expect(run.sent.at(-1)).toEqual([command, payload]);
    expect(JSON.parse(run.stdout)).toEqual(answers[command as keyof typeof answers]);
  });

  it("tells people what it has done", async () => {
    const said = async (...argv: string[]) => (await runFake(["live", ...argv], { ...TERMINAL, answers })).stdout;
    expect(await said("start")).toBe("Started 4f2a91c0-1 in /home/user/app.\n");
    expect(await said("send", "last", "Go")).toBe("Queued: the agent reads it when it is done.\n");
    expect(await said("clear", "last")).toBe("Removed from the queue:\n  Stop\n  Then ␛[31mthis.\n");
    expect(await said("stop", "last")).toBe("Stopped 4f2a91c0-1.\n");
  });

  it.each([[[]], [["--yes", "--cancel"]], [["--yes", "words"]]])("takes one answer, not %j", async (given) => {
    const { error, sent } = await runFake(["live", "answer", "last", "q1", ...given], { answers });
    expect(error).not.toBeNull();
    expect(sent).toEqual([]);
  });

  it("lists the models of an agent", async () => {
    const { stdout, stderr } = await runFake(["live", "model", "last"], { ...TERMINAL, answers });
    expect(stderr).toBe("Thinking levels of the current model: off, high.\n");
    expect(stdout).toMatch(/^MODEL +NAME +REASONING\nfake\/fake-1 +Fake +no\n$/);
  });

  it.each([
    ["4f2a", /4f2a91c0-1 .*\n.*4f2a91c0-2/],
    ["nobody", /No live session has an id/],
  ])("names the candidates where %j is not clear", async (named, message) => {
    const { error } = await runFake(["live", "stop", named], { answers });
    expect(error).toMatchObject({ exitCode: EXIT.notFound });
    const { message: text, lines } = error as { message: string; lines: string[] };
    expect([text, ...lines].join("\n")).toMatch(message);
  });
});

describe("live follow", () => {
  const update = (delta: string) => ({ type: "message_update", assistantMessageEvent: { type: "text_delta", delta } });
  const assistant = (text: string) => ({
    type: "message_end",
    message: { role: "assistant", content: [{ type: "text", text }] },
  });
  const user = { type: "message_end", message: { role: "user", content: "Hello\u001b[2J" } };
  const said = (seq: number, event: object): ClientEvent => ({
    event: "live-session-event",
    seq: 100 + seq,
    payload: { session_id: "4f2a91c0-1", seq, event: event as never },
  });
  const ended = (session_id: string): ClientEvent => ({
    event: "live-session",
    seq: 200,
    payload: { session_id, state: "exited" },
  });
  const history = (...entries: [seq: number, event: object][]) => ({
    entries: entries.map(([seq, event]) => ({ seq, timestamp: "2026-06-01T12:00:00.000Z", event })),
    next_seq: entries.at(-1)?.[0] ?? 0,
  });
  const follow = (options: object, page: object, ...argv: string[]) =>
    runFake(["live", "follow", "4f2a91c0-1", ...argv], {
      ...options,
      answers: { ...answers, get_coding_agent_entries: page },
    });

  const events = [
    said(2, user),
    said(4, update("Hi ")),
    said(5, update("there")),
    said(6, assistant("Hi there")),
    said(7, { type: "tool_execution_start", toolName: "bash", args: { command: "ls" } }),
    said(8, { type: "extension_ui_request", id: "q1", method: "confirm", title: "Sure?" }),
    said(9, assistant("Not shown before")),
    ended("4f2a91c0-2"),
    said(10, { type: "tool_execution_end", toolName: "bash", isError: true }),
    ended("4f2a91c0-1"),
  ];

  it("shows a conversation as it comes, once, and ends with the agent", async () => {
    const run = await follow({ ...TERMINAL, events }, history([1, { type: "agent_start" }], [3, user]));
    expect(run.error).toBeNull();
    expect(run.stdout).toBe(
      [
        "> Hello␛[2J",
        "Hi there",
        '● bash {"command":"ls"}',
        "? Sure? (confirm q1)",
        "Not shown before",
        "  bash failed",
        "",
      ].join("\n"),
    );
    expect(run.stderr).toBe("The agent has exited.\n");
    expect(run.followed).toEqual([["live", "live:4f2a91c0-1"]]);
    expect(run.closed).toBe(1);
  });

  it("writes a line of JSON for each record with --json", async () => {
    const run = await follow({ events }, history([1, { type: "agent_start" }], [3, user]), "--json");
    const lines = run.stdout.trimEnd().split("\n");
    expect(lines.map((line) => JSON.parse(line).seq)).toEqual([1, 3, 4, 5, 6, 7, 8, 9, 10]);
    expect(JSON.parse(lines[1] ?? "")).toEqual({ seq: 3, event: user });
  });

  it("reads the history anew where something is missing", async () => {
    const lost: ClientEvent = { event: "events-lost", seq: 150, payload: {} };
    const run = await follow({ events: [lost, said(9, user), ended("4f2a91c0-1")] }, history([3, user]));
    expect(
      run.sent.filter(([command]) => command === "get_coding_agent_entries").map(([, payload]) => payload),
    ).toEqual([0, 3, 3, 9].map((after_seq) => ({ session_id: "4f2a91c0-1", after_seq })));
  });

  it("ends at once where the agent has ended", async () => {
    const gone = { ...answers, get_coding_live_sessions: [{ ...first, state: "exited" }] };
    const run = await runFake(["live", "follow", "4f2a91c0-1", "--json"], {
      answers: { ...gone, get_coding_agent_entries: history([3, user]) },
    });
    expect(run.error).toBeNull();
    expect(JSON.parse(run.stdout)).toEqual({ seq: 3, event: user });
  });
});
