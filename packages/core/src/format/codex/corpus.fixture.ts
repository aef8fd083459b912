import type { JsonObject } from "../../json.ts";
import type { Corpus } from "../corpus.fixture.ts";

// A fork of another thread, of which it begins with a copy. IDs of threads and turns tell their times.

const PARENT = "019df2dc-0a00-7674-892f-2db2993dfaf6";
const THREAD = "019df2f7-8140-7bb8-8889-7bcfca4e17f5";
const OLD_TURN = "019df2dc-21d4-7db0-854b-e5278499fed5";

let count = 0;

function line(type: string, payload: JsonObject): JsonObject {
  return { timestamp: new Date(Date.UTC(2026, 4, 4, 12, 30, ++count)).toISOString(), type, payload };
}

const event = (type: string, fields: JsonObject = {}) => line("event_msg", { type, ...fields });
const item = (type: string, fields: JsonObject) => line("response_item", { type, ...fields });
const call = (name: string, id: string, given: JsonObject) =>
  item("function_call", { name, call_id: id, arguments: JSON.stringify(given) });
const result = (id: string, output: JsonObject[string]) => item("function_call_output", { call_id: id, output });
const answer = (said: string) =>
  item("message", { role: "assistant", content: [{ type: "output_text", text: said }], phase: "final_answer" });
const input = (...texts: string[]) =>
  item("message", { role: "user", content: texts.map((text) => ({ type: "input_text", text })) });
const prompt = (message: string) => [input(message), event("user_message", { message, images: [], text_elements: [] })];
const meta = (id: string, fields: JsonObject) =>
  line("session_meta", { id, cwd: "/home/codex/work", originator: "codex-tui", source: "cli", ...fields });

function turn(place: number, model: string): JsonObject[] {
  const id = place === 0 ? OLD_TURN : `019df2f7-985${place}-7838-849e-a19409d94729`;
  return [
    event("task_started", { turn_id: id }),
    line("turn_context", { turn_id: id, cwd: "/home/codex/work", model, effort: "medium" }),
  ];
}

function tokens([input_tokens, cached_input_tokens, output_tokens]: readonly number[]): JsonObject {
  return {
    input_tokens: input_tokens ?? 0,
    cached_input_tokens: cached_input_tokens ?? 0,
    output_tokens: output_tokens ?? 0,
  };
}

function counted(total: readonly number[], last: readonly number[] | null): JsonObject {
  const sums = { total_token_usage: tokens(total) };
  return event("token_count", {
    info: last === null ? sums : { ...sums, last_token_usage: tokens(last) },
    rate_limits: { primary: { used_percent: 3.5, window_minutes: 300, resets_at: 1777906800 }, secondary: null },
  });
}

const PATCH = "*** Begin Patch\n*** Update File: src/firstfile.ts\n@@\n-let x\n+let firstpatch\n*** End Patch";

export const codexCorpus: Corpus = {
  lines: [
    meta(THREAD, { forked_from_id: PARENT, timestamp: "2026-05-04T12:30:00.000Z" }),
    meta(PARENT, { timestamp: "2026-05-04T12:00:00.000Z" }),
    input("# AGENTS.md instructions for /a\n\n<INSTRUCTIONS>\nUse tabs.\n</INSTRUCTIONS>"),
    ...turn(0, "gpt-5.5"),
    ...prompt("A copiedprompt."),
    answer("A copiedanswer."),
    counted([1000, 500, 40], [1000, 500, 40]),
    event("task_complete", { turn_id: OLD_TURN }),
    ...turn(1, "gpt-5.5"),
    ...prompt(
      "# Context from my IDE setup:\n\n## Active file: a.ts\n\n## My request for Codex:\nWhere is the firstprompt?",
    ),
    item("reasoning", { summary: [{ type: "summary_text", text: "A firstthought" }], encrypted_content: "gAAA" }),
    event("agent_reasoning", { text: "A firstthought" }),
    call("exec_command", "call_1", { cmd: "ls firstargument", workdir: "/home/codex/work" }),
    event("exec_command_end", { call_id: "call_1", exit_code: 1 }),
    result("call_1", "Chunk ID: 1\nProcess exited with code 1\nOutput:\nA firstresult"),
    counted([2100, 1300, 60], [1100, 800, 20]),
    counted([2100, 1300, 60], [1100, 800, 20]),
    item("custom_tool_call", { call_id: "call_2", name: "apply_patch", input: PATCH }),
    event("patch_apply_end", { call_id: "call_2", success: true, changes: {} }),
    item("custom_tool_call_output", {
      call_id: "call_2",
      output: '{"output":"secondresult","metadata":{"exit_code":0}}',
    }),
    call("shell", "call_3", { command: ["bash", "-lc", `apply_patch <<'EOF'\n${PATCH}\nEOF`] }),
    result("call_3", { content: "thirdresult", success: false }),
    item("custom_tool_call", { call_id: "call_4", name: "exec", input: "runs(secondargument)" }),
    event("item_completed", {
      item: {
        type: "FileChange",
        id: "exec-1",
        changes: { "a.ts": { type: "update", unified_diff: "@@ -1 +1 @@\n-a\n+secondpatch\n", move_path: null } },
      },
    }),
    item("custom_tool_call_output", { call_id: "call_4", output: [{ type: "input_text", text: "fourthresult" }] }),
    item("web_search_call", { status: "completed", action: { type: "search", query: "firstquery" } }),
    item("tool_search_call", { call_id: "call_5", arguments: { query: "secondquery" } }),
    item("tool_search_output", { call_id: "call_5", tools: [] }),
    item("local_shell_call", { call_id: "call_6", action: { type: "exec", command: ["wc", "thirdargument"] } }),
    item("image_generation_call", { id: "ig_1", revised_prompt: "firstcat", result: "iVBORw0KGgo=" }),
    item("ghost_snapshot", { ghost_commit: { id: "a" } }),
    event("agent_message", { message: "The firstanswer." }),
    answer("The firstanswer."),
    counted([4000, 2500, 100], null),
    line("token_usage_record", { usage: tokens([1900, 1200, 40]) }),
    event("thread_name_updated", { thread_id: THREAD, thread_name: "The firsttitle" }),
    ...turn(2, "gpt-5.5-mini"),
    ...prompt("A takenprompt."),
    answer("Nothing."),
    event("thread_rolled_back", { num_turns: 1 }),
    ...turn(3, "gpt-5.5-mini"),
    event("item_completed", {
      item: {
        type: "UserMessage",
        content: [
          { type: "text", text: "A secondprompt." },
          { type: "image", image_url: "data:image/png;base64,iVBORw0KGgo=" },
        ],
      },
    }),
    item("agent_message", { author: "/root", content: [{ type: "input_text", text: "A firsttask" }] }),
    call("spawn_agent", "call_7", { message: "do it" }),
    event("collab_agent_spawn_end", { call_id: "call_7", new_thread_id: PARENT }),
    result("call_7", JSON.stringify({ agent_id: PARENT })),
    event("entered_review_mode", { user_facing_hint: "changes" }),
    event("user_message", { message: "Review the code changes." }),
    event("exited_review_mode", { review_output: { findings: [] } }),
    answer("The secondanswer."),
    line("compacted", {
      message: "A firstsummary",
      replacement_history: [{ type: "compaction", encrypted_content: "gAAA" }],
    }),
    event("turn_aborted", { reason: "interrupted" }),
    event("new_event", { encrypted_content: "gAAA" }),
    // As the first versions wrote.
    { id: THREAD, timestamp: "2025-06-03T08:15:00.123Z", instructions: null },
    {
      type: "message",
      id: null,
      role: "user",
      content: [{ type: "input_text", text: "<environment_context>\n</environment_context>" }],
    },
    { type: "reasoning", id: "rs_1", summary: [{ type: "summary_text", text: "A secondthought" }] },
    { type: "function_call", id: "fc_1", name: "shell", arguments: "broken", call_id: "call_8" },
  ],
  found: {
    entries: 46,
    messages: 12,
    prompts: 3,
    answers: 3,
    calls: 10,
    usage: [1000, 60, 2000, 0],
    title: "The firsttitle",
    words: [
      ..."copiedprompt copiedanswer firstprompt secondprompt takenprompt firstanswer secondanswer".split(" "),
      ..."firstthought secondthought firstargument secondargument thirdargument firstfile firstpatch".split(" "),
      ..."secondpatch firstresult secondresult thirdresult fourthresult firstquery secondquery firstcat".split(" "),
      ..."firsttask firstsummary firsttitle broken".split(" "),
    ],
  },
  foreign: [
    { id: THREAD, thread_name: "Index name", updated_at: "2026-06-24T09:10:00Z" },
    { session_id: THREAD, ts: 1750000000, text: "A prompt" },
    { type: "audit", payload: {} },
  ],
  fixtures: ["codex", "homes/codex/home"],
};
