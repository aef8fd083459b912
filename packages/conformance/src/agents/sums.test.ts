import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { openTranscript, type SessionRecord, type SessionStatistics } from "@sm/core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type RealService, startRealService } from "../real-service.ts";
import { type AgentSums, agentSums } from "./agent-sums.ts";
import { AGENT_VERSIONS } from "./real-agent.ts";
import { ALL_KINDS, PLAIN } from "./used-sessions.ts";

const FIXTURES = join(import.meta.dirname, "../../../../../shared/fixtures/pi");
const real = (await readdir(FIXTURES).catch(() => [])).filter((name) => name.endsWith(".jsonl"));
if (real.length === 0) console.warn(`${FIXTURES} is absent: the sums of real sessions are not compared`);

const texts = new Map<string, string>([
  ["plain.jsonl", PLAIN],
  ["all-kinds.jsonl", ALL_KINDS],
  ...(await Promise.all(real.map(async (name) => [name, await readFile(join(FIXTURES, name), "utf8")] as const))),
]);

describe("the sums of a session", { timeout: 120_000 }, () => {
  let service: RealService;
  let records: Map<string, SessionRecord>;
  beforeAll(async () => {
    service = await startRealService();
    const folder = service.home.sessions;
    for (const [name, text] of texts) await writeFile(join(folder, name), text);
    const found = await service.ask<SessionRecord[]>("scan_sessions");
    records = new Map(found.map((record) => [record.path.slice(folder.length + 1), record]));
  }, 60_000);
  afterAll(() => service[Symbol.asyncDispose]());

  const recordOf = (name: string): SessionRecord => {
    const record = records.get(name);
    if (record === undefined) throw new Error(`There is no record of ${name}.`);
    return record;
  };

  it.each(AGENT_VERSIONS)("are those of pi %s", async (version) => {
    const names = [...texts.keys()];
    const sums = await agentSums(version, [...texts.values()]);
    for (const [place, agents] of sums.entries()) {
      const name = names[place] ?? "";
      const record = recordOf(name);
      // Up to 0.80 the agent sums what is in the model's context: one branch, from its newest compaction on.
      const isPart = version === "0.74.2" && (record.branch_count > 1 || texts.get(name)?.includes('"compaction"'));
      for (const [what, [theirs, ours]] of Object.entries(compared(agents, record))) {
        if (isPart) expect(ours, `${name}: ${what}`).toBeGreaterThanOrEqual(theirs);
        else expect(ours, `${name}: ${what}`).toBeCloseTo(theirs, 9);
      }
    }
  });

  it("are the same in exports", async () => {
    for (const [name, text] of texts) {
      const { path, usage } = recordOf(name);
      const { content } = await service.ask<{ content: string }>("export_session", { path, format: "json" });
      expect(JSON.parse(content)).toMatchObject({ usage });
      expect((await openTranscript(Buffer.from(text))).usage).toEqual(usage);
    }
  });

  it("are the same in statistics, for the models that used it", async () => {
    const [sums] = await agentSums("1.5.2", [ALL_KINDS]);
    const found = await service.ask<SessionStatistics>("get_session_stats", { project: "/code/all-kinds" });
    expect(found.totals.usage).toMatchObject({ total_tokens: sums?.tokens.total, cost_usd: sums?.cost });
    const costs = found.by_model.map(({ provider, model, messages, usage }) => [
      `${provider}/${model}`,
      messages,
      usage.cost_usd,
    ]);
    // Of the powers of two that the entries cost, in their order, the fourth is of the model that keeps the cache warm.
    expect(costs).toEqual([
      ["p/m", 4, 255 - 8],
      ["p/warm", 0, 8],
    ]);
    expect(found.by_tool).toEqual([
      { tool: "read", calls: 2, errors: 1 },
      { tool: "codemode", calls: 1, errors: 0 },
    ]);
    expect(found.totals).toMatchObject({ tool_calls: 3, assistant_messages: 4 });
    expect(recordOf("all-kinds.jsonl")).toMatchObject({ tool_call_count: 1, branch_count: 2, models: ["m"] });
  });
});

/** What the agent says beside what the record says. What it cannot add up, where a figure is missing, is left out. */
function compared({ tokens, cost, ...counts }: AgentSums, record: SessionRecord): Record<string, [number, number]> {
  const { usage } = record;
  const pairs: Record<string, [number | null, number]> = {
    "input tokens": [tokens.input, usage.input_tokens],
    "output tokens": [tokens.output, usage.output_tokens],
    "tokens read from the cache": [tokens.cacheRead, usage.cache_read_tokens],
    "tokens written to the cache": [tokens.cacheWrite, usage.cache_write_tokens],
    tokens: [tokens.total, usage.total_tokens],
    dollars: [cost, usage.cost_usd ?? 0],
    prompts: [counts.userMessages, record.user_message_count],
    answers: [counts.assistantMessages, record.assistant_message_count],
    "tool calls": [counts.toolCalls, record.tool_call_count],
  };
  return Object.fromEntries(
    Object.entries(pairs).flatMap(([what, [theirs, ours]]) => (theirs === null ? [] : [[what, [theirs, ours]]])),
  );
}
