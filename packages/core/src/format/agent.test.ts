import { describe, expect, it } from "vitest";
import { capabilitiesOf } from "./agent.ts";
import { claudeCodeAgent } from "./claude-code/agent.ts";
import { codexAgent } from "./codex/agent.ts";
import { piAgent } from "./pi/agent.ts";

const ID = "0199a2f4-3c5e-7d10-8a61-2f0f6f1c2b3d";
const SESSION = { path: "/sessions/a b.jsonl", id: ID, cwd: "/home/me/my project" };

describe("the command that continues a session", () => {
  it.each([
    [piAgent, SESSION, "cd '/home/me/my project' && pi --session '/sessions/a b.jsonl'"],
    [piAgent, { ...SESSION, cwd: null }, "pi --session '/sessions/a b.jsonl'"],
    [piAgent, { ...SESSION, cwd: "-P" }, "pi --session '/sessions/a b.jsonl'"],
    [claudeCodeAgent, SESSION, `cd '/home/me/my project' && claude --resume ${ID}`],
    [claudeCodeAgent, { ...SESSION, cwd: "/x\n\u001b[201~rm" }, `cd $'/x\\012\\033[201~rm' && claude --resume ${ID}`],
    [claudeCodeAgent, { ...SESSION, cwd: null }, null],
    [claudeCodeAgent, { ...SESSION, cwd: "project" }, null],
    [claudeCodeAgent, { ...SESSION, id: "agent-a1b2c3" }, null],
    [claudeCodeAgent, { ...SESSION, id: `${ID}; rm -rf ~` }, null],
    [codexAgent, SESSION, `cd '/home/me/my project' && codex resume ${ID}`],
    [codexAgent, { ...SESSION, cwd: "C:\\code" }, `cd 'C:\\code' && codex resume ${ID}`],
    [codexAgent, { ...SESSION, id: `--${ID}` }, null],
  ])("%#", (agent, session, command) => {
    expect(agent.resumeCommand(session)).toBe(command);
  });
});

const PI_SESSION = `/sessions/--code--/2026-01-02T03-04-05-678Z_${ID}`;
const FOLDER = "/home/me/.claude/projects/-code-subagents";

it.each([
  [`${FOLDER}/${ID}/subagents/agent-a1.jsonl`, claudeCodeAgent, `${FOLDER}/${ID}.jsonl`],
  [`${FOLDER}/${ID}/subagents/workflows/wf_1/agent-a1.jsonl`, claudeCodeAgent, `${FOLDER}/${ID}.jsonl`],
  [`${FOLDER}/agent-a1.jsonl`, claudeCodeAgent, null],
  [`${FOLDER}/${ID}.jsonl`, claudeCodeAgent, null],
  ["/sessions/--code--/2026_a/7f3e/run-0/2026_b.jsonl", piAgent, "/sessions/--code--/2026_a.jsonl"],
  [`${PI_SESSION}/7f3e/run-1/session.jsonl`, piAgent, `${PI_SESSION}.jsonl`],
  [`${PI_SESSION}/0-Scout.jsonl`, piAgent, `${PI_SESSION}.jsonl`],
  [`${PI_SESSION}/0-Scout/1-Reader.jsonl`, piAgent, `${PI_SESSION}/0-Scout.jsonl`],
  [`${PI_SESSION}.jsonl`, piAgent, null],
  ["/sessions/--code--/2026_a.jsonl", piAgent, null],
  ["/sessions/run-0/a.jsonl", piAgent, null],
  [`/home/me/.codex/sessions/2026/01/01/rollout-2026-01-01T00-00-00-${ID}.jsonl`, codexAgent, null],
])("the place of %s tells who has started it", (path, agent, starter) => {
  expect(agent.startedBy(path)).toBe(starter);
});

it.each([
  [claudeCodeAgent, `${FOLDER}/${ID}.jsonl`, [`${FOLDER}/${ID}`]],
  [claudeCodeAgent, `C:\\code\\${ID}.jsonl`, [`C:\\code\\${ID}`]],
  [claudeCodeAgent, `${FOLDER}/${ID}/subagents/agent-a1.jsonl`, [`${FOLDER}/${ID}/subagents/agent-a1.meta.json`]],
  [claudeCodeAgent, "/home/me/archive/project.jsonl", []],
  [piAgent, `${PI_SESSION}.jsonl`, [PI_SESSION]],
  [piAgent, "/home/me/archive/project.jsonl", []],
  [codexAgent, "/sessions/rollout-1.jsonl", ["/sessions/rollout-1.jsonl.zst"]],
  [codexAgent, "/sessions/rollout-1.jsonl.zst", ["/sessions/rollout-1.jsonl"]],
])("knows what goes with a deleted session (%#)", (agent, path, companions) => {
  expect(agent.companions(path)).toEqual(companions);
});

it.each([
  [codexAgent, "/home/me/.codex/sessions/2026/01/01/rollout-1.jsonl", "/home/me/.codex/session_index.jsonl"],
  [codexAgent, "/home/me/.codex/archived_sessions/rollout-1.jsonl.zst", "/home/me/.codex/session_index.jsonl"],
  [codexAgent, "/home/me/rollout-1.jsonl", null],
])("knows where titles of sessions are (%#)", (agent, path, index) => {
  expect(agent.titleIndex?.(path)).toBe(index);
});

it.each([
  [true, piAgent],
  [false, claudeCodeAgent],
  [false, codexAgent],
])("only sessions of pi are started and forked (%#)", (isOurs, agent) => {
  expect(capabilitiesOf(agent, { ...SESSION, source: "file" })).toMatchObject({
    ...{ rename: true, fork: isOurs, delete: true, start: isOurs },
  });
});

it("nothing is done with a file that is gone", () => {
  expect(capabilitiesOf(piAgent, { ...SESSION, source: "vault" })).toEqual({
    ...{ rename: true, fork: false, delete: true, start: false, resume_command: null },
  });
});
