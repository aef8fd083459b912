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
  ])("of $name: %j", (agent, session, command) => {
    expect(agent.resumeCommand(session)).toBe(command);
  });
});

it.each([
  [piAgent, { rename: true, fork: true, delete: true, start: true }],
  [claudeCodeAgent, { rename: true, fork: false, delete: true, start: false }],
  [codexAgent, { rename: true, fork: false, delete: true, start: false }],
])("only sessions of pi are started and forked: $name", (agent, expected) => {
  expect(capabilitiesOf(agent, SESSION)).toMatchObject(expected);
});
