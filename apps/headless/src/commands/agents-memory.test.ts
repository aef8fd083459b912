import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { EXIT } from "../failure.ts";
import { runFake } from "../fake-shell.fixture.ts";
import { SKILL } from "../memory/skill.ts";

let home: string;
const shared = () => join(home, ".agents", "skills", "session-memory", "SKILL.md");
const ofClaude = () => join(home, ".claude", "skills", "session-memory", "SKILL.md");

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "session-manager-memory-"));
  for (const program of ["pi", "claude", "codex", "session-cli"]) write(join("bin", program), "", 0o755);
});

afterEach(() => rmSync(home, { recursive: true }));

function write(path: string, content: string, mode = 0o644): void {
  mkdirSync(dirname(join(home, path)), { recursive: true });
  writeFileSync(join(home, path), content);
  chmodSync(join(home, path), mode);
}

function configure(): void {
  write(".pi/agent/mcp.json", JSON.stringify({ mcpServers: { sessions: { url: "http://127.0.0.1:1/mcp" } } }));
  const command = { command: "npx", args: ["-y", "session-cli", "mcp"] };
  write(".claude.json", JSON.stringify({ numStartups: 5, mcpServers: { sessions: command, other: {} } }));
  write(
    ".codex/config.toml",
    'model = "m"\n\n[mcp_servers.sessions]\ncommand = "session-cli"\nargs = ["mcp"]\n\n[other]\n',
  );
}

const run = (argv: string[], more: object = {}) =>
  runFake(["agents", ...argv], { home, env: { PATH: join(home, "bin"), NO_COLOR: "1" }, ...more });

describe("agents install", () => {
  it("lets every agent add the server itself, and writes the skill", async () => {
    const { executed, connected, error } = await run(["install", "--yes"]);
    expect(error).toBeNull();
    expect(executed).toEqual([
      "pi mcp add sessions -- session-cli mcp",
      "claude mcp add --scope user sessions -- session-cli mcp",
      "codex mcp add sessions -- session-cli mcp",
    ]);
    expect(readFileSync(shared(), "utf8")).toBe(SKILL);
    expect(readFileSync(ofClaude(), "utf8")).toBe(SKILL);
    expect(connected).toEqual([]);
  });

  it("names the address of a service instead", async () => {
    const { executed } = await run(["install", "--yes", "--url", "http://127.0.0.1:52131/mcp"]);
    expect(executed).toEqual([
      "pi mcp add sessions --url http://127.0.0.1:52131/mcp",
      "claude mcp add --scope user --transport http sessions http://127.0.0.1:52131/mcp",
      "codex mcp add sessions --url http://127.0.0.1:52131/mcp",
    ]);
  });

  it("shows the changes and asks before", async () => {
    const refused = await run(["install", "codex"], { columns: 80, typed: "n\n" });
    expect(refused.stderr).toContain("run codex mcp add sessions -- session-cli mcp");
    expect(refused.stderr).toContain(`write ${shared()}`);
    expect(refused.error).toMatchObject({ exitCode: EXIT.refused });
    expect([refused.executed, existsSync(shared())]).toEqual([[], false]);
    const made = await run(["install", "codex"], { columns: 80, typed: "y\n" });
    expect([made.executed.length, existsSync(shared())]).toEqual([1, true]);
    const alone = await run(["install"]);
    expect(alone.error).toMatchObject({ exitCode: EXIT.usage, message: expect.stringContaining("--yes") });
  });

  it("changes only what is missing", async () => {
    configure();
    write(".agents/skills/session-memory/SKILL.md", SKILL.replace("## When to look", "## Earlier"));
    const { executed, stderr } = await run(["install", "pi", "--yes"]);
    expect(executed).toEqual([]);
    expect(stderr).toContain(`write ${shared()}`);
    expect(readFileSync(shared(), "utf8")).toBe(SKILL);
    expect((await run(["install", "pi"])).stderr).toContain("Nothing to change.");
  });

  it.each<[string, string[], number, string, () => void]>([
    ["an unknown agent", ["install", "gpt"], EXIT.notFound, "pi, claude-code, codex", () => {}],
    [
      "an agent that is not here",
      ["install", "codex"],
      EXIT.unavailable,
      "codex mcp add",
      () => rmSync(join(home, "bin/codex")),
    ],
    [
      "no agent at all",
      ["install"],
      EXIT.unavailable,
      "pi, claude, codex",
      () => rmSync(join(home, "bin"), { recursive: true }),
    ],
    [
      "a skill of the user",
      ["install"],
      EXIT.refused,
      "of another origin",
      () => write(".agents/skills/session-memory/SKILL.md", "Mine"),
    ],
    ["an address that is none", ["install", "--url", "localhost"], EXIT.usage, "http://127.0.0.1:52131/mcp", () => {}],
    [
      "a configuration that is damaged",
      ["installed"],
      EXIT.refused,
      ".claude.json cannot be read",
      () => write(".claude.json", "{"),
    ],
  ])("says what to do with %s", async (_, argv, exitCode, message, prepare) => {
    prepare();
    const { error, executed } = await run([...argv]);
    expect(error).toMatchObject({ exitCode, message: expect.stringContaining(message) });
    expect(executed).toEqual([]);
  });
});

describe("agents uninstall", () => {
  it("takes out what was put in, and nothing else", async () => {
    configure();
    write(".agents/skills/session-memory/SKILL.md", SKILL);
    write(".claude/skills/session-memory/SKILL.md", SKILL);
    write(".claude/skills/session-memory/notes.md", "Mine");
    const { executed, error } = await run(["uninstall", "--yes"]);
    expect(error).toBeNull();
    expect(executed).toEqual([
      "pi mcp remove sessions",
      "claude mcp remove --scope user sessions",
      "codex mcp remove sessions",
    ]);
    expect(existsSync(dirname(shared()))).toBe(false);
    expect(existsSync(ofClaude())).toBe(false);
    expect(existsSync(join(dirname(ofClaude()), "notes.md"))).toBe(true);
  });

  it("leaves a skill to the agent that still uses it", async () => {
    configure();
    write(".agents/skills/session-memory/SKILL.md", SKILL);
    await run(["uninstall", "pi", "--yes"]);
    expect(existsSync(shared())).toBe(true);
    rmSync(join(home, ".pi"), { recursive: true });
    await run(["uninstall", "codex", "--yes"]);
    expect(existsSync(shared())).toBe(false);
  });

  it("leaves a server of the same name by somebody else alone", async () => {
    write(
      ".codex/config.toml",
      '[mcp_servers.sessions]\ncommand = "my-sessions"\n\n[mcp_servers.x]\nargs = ["session-cli", "mcp"]\n',
    );
    expect(await run(["uninstall", "codex", "--yes"])).toMatchObject({ executed: [], error: null });
    const { executed, error } = await run(["install", "codex", "--yes"]);
    expect(error).toMatchObject({ exitCode: EXIT.refused, message: expect.stringContaining("rename it there") });
    expect(executed).toEqual([]);
  });
});

describe("agents installed", () => {
  it("shows what each agent has", async () => {
    write(".codex/config.toml", '[mcp_servers."sessions"]\nurl = "http://127.0.0.1:52131/mcp"\n');
    write(".claude/skills/session-memory/SKILL.md", SKILL);
    rmSync(join(home, "bin", "pi"));
    const { stdout } = await run(["installed"]);
    expect(stdout.split("\n").map((line) => line.split(/ +/).slice(0, 4).join(" "))).toEqual([
      "AGENT PROGRAM SERVER SKILL",
      "pi - no missing",
      "claude-code claude no current",
      "codex codex yes missing",
      "",
    ]);
    expect(JSON.parse((await run(["installed", "--json"])).stdout)).toHaveLength(3);
  });
});
