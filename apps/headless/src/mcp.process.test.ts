import { join } from "node:path";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { describe, expect, it } from "vitest";
import { testBinary } from "./binary.fixture.ts";
import { writeSamples } from "./demo/samples.ts";

const binary = testBinary("mcp");

interface Listed {
  ref: string;
  title: string;
}

/** Connects to `session-cli mcp` by the SDK's own client. */
async function connect(mode: "legacy" | { pin: string }, env: Record<string, string> = {}) {
  const client = new Client({ name: "test", version: "1.0.0" }, { versionNegotiation: { mode } });
  const { PATH = "" } = process.env;
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [binary.path, "mcp"],
    env: { PATH, HOME: binary.folder, TMPDIR: binary.folder, NODE_DISABLE_COMPILE_CACHE: "1", ...env },
    stderr: "pipe",
  });
  let problems = "";
  transport.stderr?.on("data", (text) => {
    problems += text;
  });
  await client.connect(transport);
  return {
    client,
    problems: () => problems,
    async list(): Promise<Listed[]> {
      const { structuredContent } = await client.callTool({ name: "list_sessions", arguments: {} });
      return (structuredContent as { sessions: Listed[] }).sessions;
    },
    [Symbol.asyncDispose]: () => client.close(),
  };
}

describe("session-cli mcp", () => {
  it.each([["legacy" as const], [{ pin: "2026-07-28" }]])("speaks MCP without a server: %j", async (mode) => {
    await writeSamples(join(binary.folder, ".pi", "agent", "sessions"), Date.now());
    await using mcp = await connect(mode);
    expect((await mcp.client.listTools()).tools).toHaveLength(5);
    const [newest] = await mcp.list();
    const { content } = await mcp.client.callTool({ name: "search_past_work", arguments: { query: "tide clock" } });
    expect(JSON.stringify(content)).toMatch(/\d+ hits?\./);
    expect(newest?.title).toEqual(expect.any(String));
  });

  it("asks the running server, and leaves out the session that has started it", async () => {
    await writeSamples(join(binary.folder, ".pi", "agent", "sessions"), Date.now());
    const service = await binary.serve();
    await using mcp = await connect("legacy");
    const [own, ...others] = await mcp.list();
    await using inSession = await connect("legacy", { PI_SESSION_ID: own?.ref ?? "" });
    expect(await inSession.list()).toEqual(others);
    expect(mcp.problems()).toBe("");
    service.child.kill("SIGTERM");
    await service.ended;
    const { content, isError } = await mcp.client.callTool({ name: "list_sessions", arguments: {} });
    expect(isError).toBe(true);
    expect(JSON.stringify(content)).toContain("does not respond");
  });

  it("ends when its input does", async () => {
    const { ended, output } = binary.run(["mcp"], {}, "");
    expect(await ended).toEqual({ code: 0, signal: null });
    expect(output.stdout).toBe("");
  });
});
