import { spawn } from "node:child_process";
import { once } from "node:events";
import { realpath } from "node:fs/promises";
import { tmpdir } from "node:os";
import { describe, expect, it } from "vitest";
import { descendantsOf, isAgent, listProcesses, parsePs, workingDirectoryOf } from "./processes.ts";

describe("isAgent", () => {
  const names = new Set(["pi", "/opt/my-agent.mjs"]);

  it.each([
    [["pi"], true],
    [["pi   "], true],
    [["/opt/pi", "--mode", "rpc"], true],
    [["/usr/bin/node", "/usr/local/bin/pi"], true],
    [["node", "--max-old-space-size=100", "/opt/my-agent.mjs", "x"], true],
    [["bun", "/x/node_modules/@earendil-works/pi-coding-agent/dist/cli.js"], true],
    [["node", "/src/pi-coding-agent/dist/cli.js"], true],
    [["claude"], false],
    [["claude", "--resume", "pi"], false],
    [["/home/me/.local/bin/codex", "resume", "pi"], false],
    [["node", "/usr/lib/node_modules/@anthropic-ai/claude-code/cli.js"], false],
    [["node", "/src/pi-coding-agent/node_modules/@anthropic-ai/claude-code/cli.js"], false],
    [["node", "/src/pi-coding-agent/node_modules/.bin/codex"], false],
    [["node", "/elsewhere/my-agent.mjs"], false],
    [["vim", "pi"], false],
    [["node", "server.js", "pi"], false],
    [["pip"], false],
    [["node"], false],
    [[""], false],
  ])("%j: %s", (args, expected) => {
    expect(isAgent(args, names)).toBe(expected);
  });
});

describe.runIf(process.platform === "linux")("the processes of this machine", () => {
  it("are listed with their parents, their start and what they have started", async () => {
    const cwd = await realpath(tmpdir());
    const child = spawn("sh", ["-c", "sleep 60 & echo $! ; wait"], { cwd, stdio: ["ignore", "pipe", "ignore"] });
    const [output] = (await once(child.stdout, "data")) as [Buffer];
    const sleeping = Number(output.toString());
    try {
      const listed = (await listProcesses()).find(({ pid }) => pid === child.pid);
      expect(listed).toMatchObject({ parent: process.pid, args: ["sh", "-c", expect.any(String)] });
      expect(Math.abs(Date.parse(listed?.started_at ?? "") - Date.now())).toBeLessThan(60_000);
      expect(await descendantsOf(process.pid)).toEqual(expect.arrayContaining([child.pid, sleeping]));
      expect(await workingDirectoryOf(sleeping)).toBe(cwd);
    } finally {
      process.kill(sleeping, "SIGKILL");
    }
    await once(child, "exit");
    expect(await workingDirectoryOf(sleeping)).toBeNull();
  });
});

describe("parsePs", () => {
  it("reads what macOS prints", () => {
    const output = [
      "    1     0 Sat Nov 21 08:00:01 2026     /sbin/launchd",
      "  812     1 Sat Nov  7 09:10:11 2026     node /opt/homebrew/bin/pi --mode rpc",
      "no process",
      "",
    ];
    expect(parsePs(output.join("\n"))).toEqual([
      { pid: 1, parent: 0, args: ["/sbin/launchd"], started_at: new Date(2026, 10, 21, 8, 0, 1).toISOString() },
      {
        pid: 812,
        parent: 1,
        args: ["node", "/opt/homebrew/bin/pi", "--mode", "rpc"],
        started_at: new Date(2026, 10, 7, 9, 10, 11).toISOString(),
      },
    ]);
  });
});
