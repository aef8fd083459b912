import type { Budget, SessionRecord } from "@sm/core";
import { addDays, earlierDay, mondayOf } from "./days.ts";
import { type ActivitySum, amountOf, type Statistics } from "./measure.ts";

export const BUDGET_PERIODS = ["day", "week", "month"] as const;
export type BudgetPeriod = (typeof BUDGET_PERIODS)[number];

/** How much of a budget is used. */
export interface BudgetState {
  period: BudgetPeriod;
  /** In US dollars; `null` where none of what was used has a known cost. */
  spent: number | null;
  /** `null` where the user has set none. */
  limit: number | null;
  /** In percent; `null` without a limit. */
  used: number | null;
}

/** From here on, a budget is pointed out: there is still something left to decide about. */
export const NEARLY_USED = 80;

/** The first day of each period that a day is in. */
function firstDays(today: string): Record<BudgetPeriod, string> {
  return { day: today, week: mondayOf(today), month: `${today.slice(0, 7)}-01` };
}

/** The first day that has to be known, with the day before: the block of five hours may have begun then. */
export function firstKnownDay(today: string): string {
  const { week, month } = firstDays(today);
  return addDays(earlierDay(week, month), -1);
}

/** How much of each budget is used. What has no cost and no price counts for nothing. */
export function budgetStates(days: Statistics["by_day"], budget: Budget, today: string): BudgetState[] {
  const firsts = firstDays(today);
  return BUDGET_PERIODS.map((period) => {
    const within = days.filter(({ date }) => date >= firsts[period] && date <= today);
    const costs = within.map((day) => amountOf(day, "cost"));
    const known = costs.filter((cost) => cost !== null);
    const spent = costs.length > 0 && known.length === 0 ? null : known.reduce((sum, cost) => sum + cost, 0);
    const limit = budget[`${period}_usd`];
    return { period, spent, limit, used: limit === null ? null : (100 * (spent ?? 0)) / limit };
  });
}

/** The budget that is nearest to its end, where one is nearly used. */
export function mostUsed(states: readonly BudgetState[]): (BudgetState & { used: number }) | null {
  let most: (BudgetState & { used: number }) | null = null;
  for (const state of states) {
    const { used } = state;
    if (used !== null && used >= NEARLY_USED && used > (most?.used ?? 0)) most = { ...state, used };
  }
  return most;
}

/** The block of five hours that a time is in. */
export function blockAt<Block extends ActivitySum & { start: string; end: string }>(
  blocks: readonly Block[],
  now: Date,
): Block | null {
  return blocks.find(({ start, end }) => new Date(start) <= now && now < new Date(end)) ?? null;
}

/** What an agent says of the limit of its account for five hours. */
interface ToldLimit {
  format: SessionRecord["format"];
  /** In percent. */
  used: number;
  resetsAt: string;
}

const BLOCK_MINUTES = 300;

/** What the newest session that tells it says; `null` where none does, or where that is over. */
export function toldLimit(
  records: Iterable<Pick<SessionRecord, "rate_limits" | "modified_at" | "format">>,
  now: Date,
): ToldLimit | null {
  let newest = "";
  let told: ToldLimit | null = null;
  for (const { rate_limits, modified_at, format } of records) {
    if (rate_limits === null || modified_at <= newest) continue;
    const limit = rate_limits.find(({ window_minutes }) => window_minutes === BLOCK_MINUTES);
    if (limit === undefined || limit.resets_at === null || new Date(limit.resets_at) <= now) continue;
    newest = modified_at;
    told = { format, used: limit.used_percent, resetsAt: limit.resets_at };
  }
  return told;
}

/** What is typed as an amount: `null` for none; `NaN` for what is no amount. A comma is a point in many languages. */
export function amountIn(text: string): number | null {
  const trimmed = text.trim().replace(/^\$/, "").replace(",", ".");
  if (trimmed === "") return null;
  const amount = /^\d+(\.\d*)?$/.test(trimmed) ? Number(trimmed) : Number.NaN;
  return amount > 0 ? amount : Number.NaN;
}
