import { join, resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { otherAgentPlaces, pathsOfOthers } from "./agent-places.ts";
import { USUAL_AGENTS } from "./no-other-agents.fixture.ts";

const HOME = resolve("/home/ada");
const at = (...names: string[]) => names.map((name) => join(HOME, name));

const CODEX = [".codex/sessions", ".codex/archived_sessions"];
const CLAUDE = [".claude/projects", ".config/claude/projects"];

function places(more: Partial<Parameters<typeof otherAgentPlaces>[0]> = {}, env: NodeJS.ProcessEnv = {}) {
  const platform = { platform: "linux", env, home: HOME } as const;
  return otherAgentPlaces({ agents: USUAL_AGENTS, agent_home: null, ...more }, platform);
}

function directoriesOf(agent: string, ...given: Parameters<typeof places>): string[] | undefined {
  return places(...given).find((one) => one.agent === agent)?.directories;
}

describe("otherAgentPlaces", () => {
  it("finds the usual homes", () => {
    expect(directoriesOf("omp")).toEqual(at(".omp/agent/sessions"));
    expect(directoriesOf("claude-code")).toEqual(at(...CLAUDE, ".config/Claude/local-agent-mode-sessions"));
    expect(directoriesOf("codex")).toEqual(at(...CODEX));
  });

  it.each([
    ["darwin", "Library/Application Support/Claude/local-agent-mode-sessions"],
    ["win32", "AppData/Roaming/Claude/local-agent-mode-sessions"],
    ["freebsd", null],
  ] as const)("finds the sessions of a desktop application on %s", (platform, path) => {
    const found = otherAgentPlaces({ agents: USUAL_AGENTS, agent_home: null }, { platform, env: {}, home: HOME });
    const claude = found.find(({ agent }) => agent === "claude-code");
    expect(claude?.directories).toEqual(at(...CLAUDE, ...(path === null ? [] : [path])));
  });

  it.each<[string, string[]]>([
    ["/a", [resolve("/a/projects")]],
    ["/a, ~/b,/a/", [resolve("/a/projects"), join(HOME, "b/projects")]],
    ["", at(...CLAUDE)],
    ["relative", at(...CLAUDE)],
    [" , ", at(...CLAUDE)],
  ])("follows the variable %j", (value, expected) => {
    const found = directoriesOf("claude-code", {}, { CLAUDE_CONFIG_DIR: value });
    expect(found?.filter((path) => !path.includes("local-agent-mode"))).toEqual(expected);
    const env = { CODEX_HOME: "/c", PI_CODING_AGENT_DIR: "/d" };
    expect(directoriesOf("codex", {}, env)).toEqual([resolve("/c/sessions"), resolve("/c/archived_sessions")]);
  });

  it("prefers configured homes", () => {
    const agents = { ...USUAL_AGENTS, "claude-code": { enabled: true, homes: ["/x", "/y"] } };
    const env = { CLAUDE_CONFIG_DIR: "/a" };
    for (const agent_home of [null, "/pi"]) {
      expect(directoriesOf("claude-code", { agents, agent_home }, env)).toEqual([
        join("/x", "projects"),
        join("/y", "projects"),
      ]);
    }
  });

  it("reads nothing of the account where another home of the agent is chosen", () => {
    const env = { CLAUDE_CONFIG_DIR: "/a", CODEX_HOME: "/b" };
    expect(pathsOfOthers(places({ agent_home: "/pi" }, env))).toEqual({ otherAgentPaths: [], cleanups: [] });
  });

  it("tells in which directories old files are deleted, and what setting says how old", () => {
    const claude = { ...USUAL_AGENTS, "claude-code": { enabled: true, homes: ["/x"] } };
    const cleanup = (home: string) => ({
      directory: join(home, "projects"),
      settings: join(home, "settings.json"),
      setting: "cleanupPeriodDays",
      defaultDays: 30,
    });
    // The files of its desktop application are not among them.
    expect(pathsOfOthers(places()).cleanups).toEqual(at(".claude", ".config/claude").map(cleanup));
    expect(pathsOfOthers(places({ agents: claude })).cleanups).toEqual([cleanup("/x")]);
  });

  it("does not read what is switched off, but tells where it would be", () => {
    const agents = { ...USUAL_AGENTS, codex: { enabled: false, homes: [] } };
    expect(directoriesOf("codex", { agents })).toEqual(at(...CODEX));
    expect(pathsOfOthers(places({ agents })).otherAgentPaths).not.toContain(at(...CODEX)[0]);
  });
});
