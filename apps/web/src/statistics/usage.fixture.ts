import { noUsage } from "@sm/core";
import type { ActivitySum, Statistics } from "./measure.ts";

/** What was used, for tests. */
export function sumOf(tokens: number, cost: number | null, messages = 2): ActivitySum {
  return { messages, usage: { ...noUsage(), input_tokens: tokens, total_tokens: tokens, cost_usd: cost } };
}

export function dayOfUse(date: string, tokens: number, cost: number | null): Statistics["by_day"][number] {
  return { date, sessions: 1, ...sumOf(tokens, cost) };
}

/** The answer of a service that has nothing but these days. */
export function statisticsOf(days: Statistics["by_day"], more: Partial<Statistics> = {}): Statistics {
  const messages = days.reduce((sum, day) => sum + day.messages, 0);
  const cost = days.reduce((sum, day) => sum + (day.usage.cost_usd ?? 0), 0);
  const tokens = days.reduce((sum, day) => sum + day.usage.total_tokens, 0);
  const { usage } = sumOf(tokens, cost);
  const totals = { sessions: 1, messages, user_messages: 1, assistant_messages: 1, tool_calls: 0, usage };
  return {
    totals,
    by_model: [],
    by_provider: [],
    by_format: [],
    subagents: { sessions: 0, messages: 0, usage: noUsage() },
    by_project: [],
    by_tool: [],
    by_day: days,
    stacks: null,
    by_hour: [],
    by_weekday: [],
    by_weekday_hour: [],
    by_project_week: [],
    activity_blocks: [],
    streaks: { current_days: 0, longest_days: 0, longest_from: null, longest_to: null },
    longest_sessions: [],
    skipped_files: 0,
    time_zone: "UTC",
    ...more,
  };
}
