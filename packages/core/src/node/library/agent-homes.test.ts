import { cpSync, existsSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { describe, expect, it } from "vitest";
import type { SessionRecord, Usage } from "../../session/record.ts";
import { scanAll, TestHome, untilIndexed } from "./library.fixture.ts";

// Opens the homes in ../shared as libraries, and compares what is counted over all their files.

const HOMES = join(import.meta.dirname, "../../../../../../shared/fixtures/homes");

interface Tokens {
  input: number;
  output: number;
  cacheRead: number;
  cacheWrite5m: number;
  cacheWrite1h: number;
}

interface Expected {
  homes: { [part in "sessions" | "subagents"]: Record<string, { usageAttributed: Tokens }> }[];
  totals: { usage: Tokens; usageByModel: Record<string, Tokens> };
}

function tokensOf(usage: Usage): Tokens {
  return {
    input: usage.input_tokens,
    output: usage.output_tokens,
    cacheRead: usage.cache_read_tokens,
    cacheWrite5m: usage.cache_write_tokens - usage.cache_write_1h_tokens,
    cacheWrite1h: usage.cache_write_1h_tokens,
  };
}

const expectedTokens = ({ input, output, cacheRead, cacheWrite5m, cacheWrite1h }: Tokens): Tokens => ({
  input,
  output,
  cacheRead,
  cacheWrite5m,
  cacheWrite1h,
});

describe.skipIf(!existsSync(HOMES))("the homes of Claude Code", () => {
  const home = join(HOMES, "claude-code/home");
  const read = (): Expected => JSON.parse(readFileSync(join(HOMES, "claude-code/expected.json"), "utf8")) as Expected;

  it("have each answer once, in the session that was first", async () => {
    await using test = await TestHome.create();
    cpSync(home, test.sessions, { recursive: true });
    const library = await test.open({ watch: false });
    await untilIndexed(library);
    const { homes, totals } = read();
    const byPath = ({ path }: SessionRecord) => relative(test.sessions, path);
    const records = await scanAll(library);
    const found = Object.fromEntries(records.map((record) => [byPath(record), tokensOf(record.usage)]));
    const expected = Object.fromEntries(
      homes
        .flatMap(({ sessions, subagents }) => [...Object.entries(sessions), ...Object.entries(subagents)])
        .map(([path, { usageAttributed }]) => [path, expectedTokens(usageAttributed)] as const)
        .filter(([path]) => path in found),
    );
    expect(found).toEqual(expected);
    const statistics = await library.statistics({});
    expect(tokensOf(statistics.totals.usage)).toEqual(expectedTokens(totals.usage));
    // By hand, with the price list of 25 November 2026.
    const { cost_usd, estimated_cost_usd } = statistics.totals.usage;
    expect([cost_usd, estimated_cost_usd?.toFixed(2)]).toEqual([0.0123, "18.16"]);
    const estimates = records.map(({ usage }) => usage.estimated_cost_usd ?? 0);
    expect(estimates.reduce((sum, estimate) => sum + estimate, 0)).toBeCloseTo(estimated_cost_usd ?? 0, 4);
    for (const list of [statistics.by_model, statistics.by_day, statistics.by_project]) {
      const sum = list.reduce((total, { usage }) => total + (usage.estimated_cost_usd ?? 0), 0);
      expect(sum).toBeCloseTo(estimated_cost_usd ?? 0, 4);
    }
    const { subagents } = statistics;
    expect(statistics.by_format).toEqual([
      {
        format: "claude-code",
        sessions: records.length,
        messages: statistics.totals.messages,
        usage: statistics.totals.usage,
      },
    ]);
    const started = records.filter(({ relation }) => relation === "subagent");
    expect(subagents.sessions).toBe(started.length);
    expect(subagents.usage.output_tokens).toBe(started.reduce((sum, { usage }) => sum + usage.output_tokens, 0));
    expect((await library.statistics({ format: "pi" })).totals.sessions).toBe(0);
    const models = statistics.by_model.filter(({ usage }) => usage.total_tokens > 0);
    expect(Object.fromEntries(models.map(({ model, usage }) => [model, tokensOf(usage)]))).toEqual(
      Object.fromEntries(Object.entries(totals.usageByModel).map(([model, usage]) => [model, expectedTokens(usage)])),
    );
  });
});

interface CodexUsage {
  input: number;
  cachedInput: number;
  cacheWrite: number;
  output: number;
  reasoning: number;
}

describe.skipIf(!existsSync(HOMES))("the home of Codex", () => {
  it("has the usage of all requests, and of none that a fork has copied", async () => {
    await using test = await TestHome.create();
    cpSync(join(HOMES, "codex/home"), test.sessions, { recursive: true });
    const library = await test.open({ watch: false });
    await untilIndexed(library);
    const { sessions, totals } = JSON.parse(readFileSync(join(HOMES, "codex/expected.json"), "utf8")) as {
      sessions: Record<string, { usage: CodexUsage; copiedPrefix?: { ifCutByTurnIdTime?: { usage: CodexUsage } } }>;
      totals: { usage: CodexUsage };
    };
    const expected = { ...totals.usage };
    // Where the origin is gone, what was copied is told by the times of turns.
    for (const { usage, copiedPrefix } of Object.values(sessions)) {
      const cut = copiedPrefix?.ifCutByTurnIdTime?.usage ?? usage;
      for (const name of ["input", "cachedInput", "cacheWrite", "output", "reasoning"] as const) {
        expected[name] += cut[name] - usage[name];
      }
    }
    const { usage } = (await library.statistics({ format: "codex" })).totals;
    expect(usage).toMatchObject({
      input_tokens: expected.input - expected.cachedInput - expected.cacheWrite,
      output_tokens: expected.output,
      cache_read_tokens: expected.cachedInput,
      cache_write_tokens: expected.cacheWrite,
      reasoning_tokens: expected.reasoning,
      cost_usd: null,
    });
    const estimates = (await scanAll(library)).map((record) => record.usage.estimated_cost_usd ?? 0);
    expect(estimates.reduce((sum, estimate) => sum + estimate, 0)).toBeCloseTo(usage.estimated_cost_usd ?? 0, 4);
    expect(usage.estimated_cost_usd?.toFixed(2)).toBe("22.74");
  });
});
