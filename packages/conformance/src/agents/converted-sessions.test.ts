import { execFile } from "node:child_process";
import { mkdir, readFile, realpath, writeFile } from "node:fs/promises";
import { delimiter, join } from "node:path";
import { promisify } from "node:util";
import type { ConvertedSession, SessionRecord } from "@sm/core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type FakeModel, startFakeModel } from "../fake-model.ts";
import { type RealService, startRealService } from "../real-service.ts";
import { linesOf } from "../sample-home.ts";
import { AGENT_VERSIONS, installAgent } from "./real-agent.ts";

// The agent goes on with what was converted from sessions of Claude Code and Codex.

const run = promisify(execFile);

const CLAUDE_ID = "2e8b6a04-91c3-4f55-8d1e-7a0c5b9f3d21";
const CODEX_ID = "019f1d1f-0500-7ae5-83ba-e758bea96b8e";
const at = (second: number) => new Date(Date.parse("2026-07-01T10:00:00.000Z") + second * 1_000).toISOString();

/** A prompt, thinking, two calls at once, of which one has failed, and an answer; the last call has no result. */
function claudeSession(cwd: string): object[] {
  const answer = (id: string, block: object) => ({
    type: "assistant",
    message: {
      model: "claude-opus-4-8",
      id,
      type: "message",
      role: "assistant",
      content: [block],
      usage: { input_tokens: 4, output_tokens: 9 },
    },
  });
  const result = (id: string, content: string, is_error = false) => ({
    type: "user",
    message: { role: "user", content: [{ type: "tool_result", tool_use_id: id, content, is_error }] },
  });
  const records = [
    { type: "user", message: { role: "user", content: "Where is the retry logic?" } },
    answer("msg_1", { type: "thinking", thinking: "Two places are likely.", signature: "c2lnbmVk" }),
    answer("msg_1", { type: "text", text: "I look in both." }),
    answer("msg_1", { type: "tool_use", id: "toolu_1", name: "Read", input: { file_path: `${cwd}/net.ts` } }),
    answer("msg_1", { type: "tool_use", id: "toolu_2", name: "Read", input: { file_path: `${cwd}/gone.ts` } }),
    result("toolu_1", "for (let attempt = 0; ;)"),
    result("toolu_2", "File does not exist.", true),
    answer("msg_2", { type: "text", text: "It is in net.ts." }),
    { type: "user", message: { role: "user", content: "Remove it." } },
    answer("msg_3", { type: "tool_use", id: "toolu_3", name: "Edit", input: { file_path: `${cwd}/net.ts` } }),
  ];
  const uuid = (place: number) =>
    place < 0 ? null : `7a1e2b3c-4d5f-4a6b-8c7d-9e0f1a2b3c${place.toString(16).padStart(2, "0")}`;
  return records.map((record, place) => ({
    parentUuid: uuid(place - 1),
    uuid: uuid(place),
    timestamp: at(place),
    sessionId: CLAUDE_ID,
    cwd,
    version: "2.1.220",
    isSidechain: false,
    ...record,
  }));
}

function codexSession(cwd: string): object[] {
  const text = (type: string, said: string) => [{ type, text: said }];
  const patch = "*** Begin Patch\n*** Update File: clock.ts\n-a\n+b\n*** End Patch";
  const lines: [type: string, payload: object][] = [
    [
      "session_meta",
      { id: CODEX_ID, timestamp: at(0), cwd, originator: "codex_cli_rs", cli_version: "0.144.0", source: "cli" },
    ],
    ["turn_context", { turn_id: CODEX_ID, cwd, model: "gpt-5", effort: "medium", summary: "auto" }],
    ["response_item", { type: "message", role: "user", content: text("input_text", "Why does the clock drift?") }],
    ["event_msg", { type: "user_message", message: "Why does the clock drift?", images: [] }],
    [
      "response_item",
      { type: "reasoning", summary: text("summary_text", "A timer, surely."), encrypted_content: "gAAAA" },
    ],
    ["response_item", { type: "function_call", name: "shell", arguments: '{"command":["ls"]}', call_id: "call_1" }],
    ["response_item", { type: "function_call_output", call_id: "call_1", output: "clock.ts" }],
    ["response_item", { type: "custom_tool_call", name: "apply_patch", input: patch, call_id: "call_2" }],
    ["response_item", { type: "custom_tool_call_output", call_id: "call_2", output: "Success. Updated clock.ts" }],
    [
      "response_item",
      { type: "message", role: "assistant", content: text("output_text", "The timer drifted; now it does not.") },
    ],
  ];
  return lines.map(([type, payload], place) => ({ timestamp: at(place), type, payload }));
}

describe.each(AGENT_VERSIONS)("with agent %s", (version) => {
  let service: RealService;
  let model: FakeModel;
  let programs: string;
  let project: string;
  const sources: Record<string, string> = {};
  /** What the agent gives another model of thoughts: the newest release nothing. */
  const thought = (text: string) => (version === "1.5.2" ? "" : text);

  beforeAll(async () => {
    ({ programs } = await installAgent(version));
    service = await startRealService();
    model = await startFakeModel();
    await mkdir(join(service.home.folder, "agent"), { recursive: true });
    await writeFile(join(service.home.folder, "agent", "models.json"), JSON.stringify(model.config));
    // With a space, which the shell must not take for the end of the path.
    project = join(await realpath(service.home.folder), "the project");
    await mkdir(project);
    sources["Claude Code"] = await service.home.add(CLAUDE_ID, claudeSession(project));
    sources.Codex = await service.home.add("converted-codex", codexSession(project));
    await service.settled();
  });

  afterAll(async () => {
    await service?.[Symbol.asyncDispose]();
    await model?.[Symbol.asyncDispose]();
  });

  it.each([
    [
      "Claude Code",
      [
        "user: Where is the retry logic?",
        `assistant: ${thought("Two places are likely.")}I look in both. [Read] [Read]`,
        "tool: for (let attempt = 0; ;)",
        "tool: File does not exist.",
        "assistant: It is in net.ts.",
        "user: Remove it.",
        "assistant:  [Edit]",
        "tool: No result was recorded.",
        "user: Go on.",
      ],
    ],
    [
      "Codex",
      [
        "user: Why does the clock drift?",
        `assistant: ${thought("A timer, surely.")} [shell]`,
        "tool: clock.ts",
        expect.stringMatching(/^assistant: ```diff\n\*\*\* Begin Patch[\s\S]* \[apply_patch\]$/),
        "tool: Success. Updated clock.ts",
        "assistant: The timer drifted; now it does not.",
        "user: Go on.",
      ],
    ],
  ])("a session of %s goes on: the model gets the old messages, and the file grows", async (name, conversation) => {
    const converted = await service.ask<ConvertedSession>("convert_session", { path: sources[name] ?? "", to: "pi" });
    const { session, command } = converted;
    const path = session?.path ?? "";
    const before = await readFile(path, "utf8");

    const env = {
      ...process.env,
      PATH: `${programs}${delimiter}${process.env.PATH}`,
      PI_CODING_AGENT_DIR: join(service.home.folder, "agent"),
      PI_OFFLINE: "1",
      PI_SKIP_VERSION_CHECK: "1",
    };
    const line = `${command} -p --provider fake --model fake-2 'Go on.'`;
    const running = run("sh", ["-c", line], { env, timeout: 60_000 });
    // What is piped in would be a part of the prompt.
    running.child.stdin?.end();
    expect((await running).stdout.trim()).toBe("You said: Go on.");

    const asked = model.requests.items.at(-1)?.conversation.filter((message) => !message.startsWith("system: "));
    expect(asked).toEqual(conversation);
    const after = await readFile(path, "utf8");
    expect(after.startsWith(before)).toBe(true);
    const added = (await linesOf(path)).slice(before.trimEnd().split("\n").length);
    const said = added.flatMap(({ message }) => (message === undefined ? [] : [(message as { role: string }).role]));
    expect(said.filter((role) => role !== "system")).toEqual(["user", "assistant"]);

    await service.settled();
    const { sessions } = await service.ask<{ sessions: SessionRecord[] }>("list_sessions", { query: session?.id });
    expect(sessions.map(({ path }) => path)).toEqual([path]);
    expect(sessions[0]?.last_message).toBe("You said: Go on.");
  });
});
