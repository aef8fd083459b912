import type { SessionStatistics } from "@sm/core";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { runFake } from "../fake-shell.fixture.ts";
import { displayWidth } from "../terminal/width.ts";

const HOSTILE = "\x1b]52;c;eA==\x07\x1b[2J";
const TERMINAL = { columns: 80, env: { NO_COLOR: "1" } };

const usage = (total_tokens: number, cost_usd: number | null) => ({
  input_tokens: total_tokens,
  output_tokens: 0,
  cache_read_tokens: 0,
  cache_write_tokens: 0,
  cache_write_1h_tokens: 0,
  reasoning_tokens: 0,
  total_tokens,
  cost_usd,
  estimated_cost_usd: null,
});

const STATISTICS: SessionStatistics = {
  totals: {
    sessions: 1,
    messages: 1234,
    user_messages: 100,
    assistant_messages: 500,
    tool_calls: 321,
    usage: usage(12_345_678, 4.5),
  },
  by_model: [
    { model: "large", provider: "test", messages: 400, usage: usage(12_000_000, 4.5) },
    { model: null, provider: null, messages: 100, usage: usage(345_678, null) },
  ],
  by_provider: [],
  by_format: [
    { format: "pi", sessions: 1, messages: 1000, usage: usage(12_000_000, 4.5) },
    { format: "claude-code", sessions: 1, messages: 234, usage: { ...usage(345_678, null), estimated_cost_usd: 1.2 } },
  ],
  subagents: { sessions: 1, messages: 34, usage: usage(45_678, null) },
  by_project: [{ project: `/home/ada/${HOSTILE}tide`, sessions: 1, messages: 1234, usage: usage(12_345_678, 4.5) }],
  by_tool: Array.from({ length: 12 }, (_, tool) => ({ tool: `tool-${tool}`, calls: 12 - tool, errors: tool % 2 })),
  by_day: [
    { date: "2026-03-28", sessions: 1, messages: 10, usage: usage(0, null) },
    { date: "2026-03-30", sessions: 1, messages: 80, usage: usage(0, null) },
  ],
  by_hour: [],
  by_weekday: [],
  by_weekday_hour: [],
  stacks: null,
  by_project_week: [],
  activity_blocks: [],
  streaks: { current_days: 1, longest_days: 3, longest_from: "2026-01-01", longest_to: "2026-01-03" },
  longest_sessions: [],
  skipped_files: 2,
  time_zone: "UTC",
};

describe("stats", () => {
  beforeEach(() => {
    vi.useFakeTimers({ now: Date.parse("2026-06-15T12:00:00.000Z"), toFake: ["Date"] });
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it("draws totals, days and tables", async () => {
    const { paged } = await runFake(["stats"], { ...TERMINAL, answers: { get_session_stats: STATISTICS } });
    const lines = paged
      .join("")
      .split("\n")
      .map((line) => line.replace(/ +/g, " "));
    expect(lines.slice(0, 6)).toEqual([
      "1 session · 1,234 messages · 321 tool calls · 12.3M tokens · $4.50",
      "of these 1 subagent · 45.7K tokens",
      "2 files without a session of a known format",
      "",
      "▁ █",
      "2026-03-28 to 2026-03-30 · 1 day in a row · at most 3",
    ]);
    expect(lines).toContain("large test 400 12M $4.50");
    expect(lines).toContain("unknown unknown 100 345.7K");
    expect(lines).toContain("pi 1 1,000 12M $4.50");
    expect(lines).toContain("Claude Code 1 234 345.7K ≈ $1.20");
    expect(lines).toContain("tool-0 12");
    expect(lines).toContain("tool-1 11 1");
    expect(lines).not.toContain("tool-10 2");
    expect(lines).toContain("and 2 more");
    expect(paged.join("")).not.toContain("\x1b");
  });

  it("fits a narrow terminal", async () => {
    const by_day = Array.from({ length: 365 }, (_, day) => ({
      date: new Date(Date.UTC(2026, 0, 1 + day)).toISOString().slice(0, 10),
      sessions: 1,
      messages: day,
      usage: usage(0, null),
    }));
    const answers = { get_session_stats: { ...STATISTICS, by_day } };
    const { paged } = await runFake(["stats"], { ...TERMINAL, columns: 60, answers });
    const shown = paged.join("");
    expect(shown).toContain("7 days a bar");
    const tables = shown.slice(shown.indexOf("MODEL"));
    for (const line of tables.split("\n")) expect(displayWidth(line)).toBeLessThanOrEqual(60);
  });

  it("says little where there is nothing", async () => {
    const subagents = { sessions: 0, messages: 0, usage: usage(0, null) };
    const lists = { by_model: [], by_format: [], by_project: [], by_tool: [], by_day: [] };
    const empty = { ...STATISTICS, ...lists, subagents, skipped_files: 0 };
    const totals = { ...STATISTICS.totals, sessions: 0, messages: 0, tool_calls: 0, usage: usage(0, null) };
    const answers = { get_session_stats: { ...empty, totals } };
    const { stdout } = await runFake(["stats"], { ...TERMINAL, answers });
    expect(stdout).toBe("0 sessions · 0 messages · 0 tool calls · 0 tokens\n");
  });

  it("asks for the time and the project, in the zone of this machine", async () => {
    const argv = [
      "stats",
      "--since",
      "24h",
      "--until",
      "2026-06-15T10:00Z",
      "--project",
      "/p",
      "--agent",
      "claude",
      "--json",
    ];
    const { sent, stdout } = await runFake(argv, { answers: { get_session_stats: STATISTICS } });
    const time_zone = new Intl.DateTimeFormat().resolvedOptions().timeZone;
    const range = { since: "2026-06-14T12:00:00.000Z", until: "2026-06-15T10:00:00.000Z" };
    expect(sent).toEqual([["get_session_stats", { ...range, project: "/p", format: "claude-code", time_zone }]]);
    expect(JSON.parse(stdout)).toEqual(STATISTICS);
  });
});
