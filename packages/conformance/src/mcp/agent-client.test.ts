import { execFile } from "node:child_process";
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, it } from "vitest";
import { installAgent, type RealAgent } from "../agents/real-agent.ts";
import { type FakeModel, startFakeModel } from "../fake-model.ts";
import { type RealService, startRealService } from "../real-service.ts";

// What the agent's own MCP client does with the memory, in a session of the agent.

const run = promisify(execFile);

let agent: RealAgent;
let service: RealService;
let model: FakeModel;
let folder: string;

beforeAll(async () => {
  agent = await installAgent("1.5.2");
  service = await startRealService();
  model = await startFakeModel();
  folder = await mkdtemp(join(tmpdir(), "session-manager-"));
  await writeFile(join(folder, "models.json"), JSON.stringify(model.config));
});

afterAll(async () => {
  await service?.[Symbol.asyncDispose]();
  await model?.[Symbol.asyncDispose]();
  if (folder !== undefined) await rm(folder, { recursive: true, force: true });
});

function pi(...args: string[]): Promise<{ stdout: string }> {
  const env = { ...process.env, PI_CODING_AGENT_DIR: folder, PI_OFFLINE: "1", PI_SKIP_VERSION_CHECK: "1" };
  const running = run(join(agent.programs, "pi"), args, { cwd: folder, env, timeout: 60_000 });
  // What is piped in would be a part of the prompt.
  running.child.stdin?.end();
  return running;
}

it("searches and reads, and the agent keeps both answers in its session", { timeout: 120_000 }, async () => {
  await pi("mcp", "add", "sessions", "--url", `${service.url}/mcp`, "--exposure", "direct");
  expect((await pi("mcp", "list")).stdout).toContain("sessions");
  await pi("-p", "--provider", "fake", "--model", "fake-2", 'recall "normal form"');

  const files = await readdir(join(folder, "sessions"), { recursive: true });
  const file = files.find((name) => name.endsWith(".jsonl")) ?? "";
  const lines = (await readFile(join(folder, "sessions", file), "utf8")).trimEnd().split("\n");
  const results = lines
    .map(
      (line) =>
        (JSON.parse(line) as { message?: { role: string; toolName?: string; content: { text: string }[] } }).message,
    )
    .filter((message) => message?.role === "toolResult");
  expect(results.map((result) => result?.toolName)).toEqual([
    "mcp__sessions__search_past_work",
    "mcp__sessions__read_session",
  ]);
  const [found, read] = results.map((result) => result?.content.map(({ text }) => text).join("\n"));
  expect(found).toContain("branched#b7 2026-03-01 10:00 user (text): Use the normal form instead");
  expect(read).toContain("Use the normal form instead");
});
