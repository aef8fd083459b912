import { spawn } from "node:child_process";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { type AgentVersion, installAgent } from "./real-agent.ts";

/** What the agent says of a session: its answer to `get_session_stats`, as far as it is compared. */
export interface AgentSums {
  userMessages: number;
  assistantMessages: number;
  toolCalls: number;
  totalMessages: number;
  /** `null` where an answer lacks such a figure. */
  tokens: Record<"input" | "output" | "cacheRead" | "cacheWrite" | "total", number | null>;
  /** US dollars. */
  cost: number;
}

interface Response {
  id?: string;
  success?: boolean;
  error?: string;
  data?: unknown;
}

const MODELS = {
  providers: {
    nobody: { baseUrl: "http://127.0.0.1:9/v1", api: "openai-completions", apiKey: "none", models: [{ id: "one" }] },
  },
};

/**
 * Opens session files with a release of the agent and asks for its own sums. The agent gets copies, which it may change,
 * in a directory that exists: with one that is gone it would not open them.
 *
 * @param texts of the files.
 */
export async function agentSums(version: AgentVersion, texts: readonly string[]): Promise<AgentSums[]> {
  const { programs } = await installAgent(version);
  const folder = await mkdtemp(join(tmpdir(), "agent-sums-"));
  const [home, work] = [join(folder, "agent"), join(folder, "work")];
  await mkdir(home);
  await mkdir(work);
  await writeFile(join(home, "models.json"), JSON.stringify(MODELS));
  const env = { ...process.env, PI_CODING_AGENT_DIR: home, PI_OFFLINE: "1", PI_SKIP_VERSION_CHECK: "1" };
  const agent = spawn(join(programs, "pi"), ["--mode", "rpc"], { cwd: work, env });
  const ended = new Promise<void>((resolve) => agent.once("close", () => resolve()));
  const problems: string[] = [];
  agent.stderr.on("data", (text) => problems.push(String(text)));
  const lines = createInterface({ input: agent.stdout })[Symbol.asyncIterator]();
  let last = 0;
  const ask = async (request: object): Promise<unknown> => {
    const id = String(++last);
    agent.stdin.write(`${JSON.stringify({ id, ...request })}\n`);
    for (;;) {
      const { value, done } = await lines.next();
      if (done === true) throw new Error(`pi ${version} ended: ${problems.join("")}`);
      const response = JSON.parse(value) as Response;
      if (response.id !== id) continue;
      if (response.success !== true) throw new Error(`pi ${version}: ${response.error}`);
      return response.data;
    }
  };
  try {
    const sums: AgentSums[] = [];
    for (const [place, text] of texts.entries()) {
      const sessionPath = join(folder, `${place}.jsonl`);
      await writeFile(
        sessionPath,
        text.replace(/"cwd":"[^"]*"/, () => `"cwd":${JSON.stringify(work)}`),
      );
      await ask({ type: "switch_session", sessionPath });
      sums.push((await ask({ type: "get_session_stats" })) as AgentSums);
    }
    return sums;
  } finally {
    agent.stdin.end();
    agent.kill();
    await ended;
    await rm(folder, { recursive: true, force: true });
  }
}
