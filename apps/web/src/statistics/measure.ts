import type { CommandOutput } from "@sm/router/client";
import { costText } from "../i18n/cost.ts";
import { formatCompact, formatCost } from "../i18n/format.ts";
import { t } from "../i18n/text.ts";
import type { Measure } from "./statistics-search.ts";

export type Statistics = CommandOutput<"get_session_stats">;
export type Usage = Statistics["totals"]["usage"];

/** What statistics add up. */
export interface ActivitySum {
  messages: number;
  usage: Usage;
}

/** How much it is; `null` where that is not known. A cost is with what a price list says of what has none. */
export function amountOf({ messages, usage }: ActivitySum, measure: Measure): number | null {
  if (measure === "messages") return messages;
  if (measure === "tokens") return usage.total_tokens;
  const { cost_usd, estimated_cost_usd, total_tokens } = usage;
  // Where nothing was used, nothing was spent.
  if (cost_usd === null && estimated_cost_usd === null) return total_tokens === 0 ? 0 : null;
  return (cost_usd ?? 0) + (estimated_cost_usd ?? 0);
}

/** Writes how much it is, and of what: `1.2M tokens`, `$3.20`, `≈ $3.20` where some of it is estimated. */
export function amountText(sum: ActivitySum, measure: Measure): string {
  const amount = amountOf(sum, measure);
  if (amount === null) return t("statistics.cost_unknown");
  if (measure === "cost") return costText(sum.usage) ?? formatCost(amount);
  return t(measure === "tokens" ? "statistics.tokens_of" : "statistics.messages_of", { amount: formatCompact(amount) });
}

/** Writes an amount for an axis or a column whose title says what it is of. */
export function shortAmountText(amount: number | null, measure: Measure): string {
  if (amount === null) return t("statistics.unknown");
  return measure === "cost" ? formatCost(amount) : formatCompact(amount);
}
