import type { AgentHome } from "@sm/core";
import { describe, expect, it } from "vitest";
import { EXIT } from "../failure.ts";
import { runFake } from "../fake-shell.fixture.ts";

function home(agent: string, name: string, fields: Partial<AgentHome>): AgentHome {
  return { agent, name, enabled: true, homes: [], directories: [], read_only: agent !== "pi", sessions: 0, ...fields };
}

const HOMES = [
  home("pi", "pi", { directories: [{ path: "/h/.pi", exists: true, skipped_files: 0 }], sessions: 12 }),
  home("claude-code", "Claude Code", {
    directories: [
      { path: "/h/.claude/projects", exists: true, skipped_files: 0 },
      { path: "/h/gone", exists: false, skipped_files: 0 },
      { path: "/h/\x1b[2J", exists: true, skipped_files: 0 },
    ],
    sessions: 3,
  }),
  home("codex", "Codex", {
    enabled: false,
    homes: ["/x"],
    directories: [{ path: "/x/sessions", exists: false, skipped_files: 0 }],
  }),
];
const answers = { get_agent_homes: HOMES, save_agent_homes: HOMES, get_session_stats: { skipped_files: 0 } };

describe("agents", () => {
  it("shows whose sessions are read and where", async () => {
    const { stdout } = await runFake(["agents"], { columns: 80, env: { NO_COLOR: "1" }, answers });
    expect(stdout.split("\n").map((line) => line.replaceAll(/ +/g, " "))).toEqual([
      "AGENT NAME READ SESSIONS DIRECTORY",
      "pi pi on 12 /h/.pi",
      "claude-code Claude Code on 3 /h/.claude/projects",
      " /h/␛[2J",
      "codex Codex off 0 /x/sessions (missing)",
      "",
    ]);
    expect((await runFake(["agents", "list", "-q"], { answers })).stdout).toBe("pi\nclaude-code\ncodex\n");
    expect(JSON.parse((await runFake(["agents", "--json"], { answers })).stdout)).toEqual(HOMES);
  });

  it("tells how many files hold no session, and where to read how a format is added", async () => {
    const skipping = { ...answers, get_session_stats: { skipped_files: 1200 } };
    const { stderr } = await runFake(["agents"], { answers: skipping });
    expect(stderr).toContain("1200 files there hold no session of a known format and were skipped");
    expect(stderr).toContain("docs/formats.md");
    expect((await runFake(["agents"], { answers })).stderr).toBe("");
    expect((await runFake(["agents", "--json"], { answers: skipping })).stderr).toBe("");
  });

  it.each([
    [["off", "codex"], { enabled: false, homes: ["/x"] }],
    [["on", "codex"], { enabled: true, homes: ["/x"] }],
    [["on", "codex", "--home", "/a", "--home", "/b"], { enabled: true, homes: ["/a", "/b"] }],
    [["on", "codex", "--usual-homes"], { enabled: true, homes: [] }],
  ])("switches one: %s", async (argv, wanted) => {
    const { sent } = await runFake(["agents", ...argv], { answers });
    expect(sent.at(-1)).toEqual(["save_agent_homes", { agents: { codex: wanted } }]);
  });

  it.each([
    ["codecs", EXIT.notFound],
    ["pi", EXIT.usage],
  ])("switches no %s", async (agent, exitCode) => {
    const { sent, error } = await runFake(["agents", "off", agent], { answers });
    expect(error).toMatchObject({ exitCode });
    expect(sent).toHaveLength(1);
  });
});
