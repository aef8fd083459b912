import type { CommandOutput } from "@sm/router/client";
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

/** How much it is; `null` where that is not known. */
export function amountOf({ messages, usage }: ActivitySum, measure: Measure): number | null {
  if (measure === "messages") return messages;
  if (measure === "tokens") return usage.total_tokens;
  // Where nothing was used, nothing was spent.
  return usage.cost_usd ?? (usage.total_tokens === 0 ? 0 : null);
}

/** Writes an amount with what it is of: `1.2M tokens`, `$3.20`. */
export function amountText(amount: number | null, measure: Measure): string {
  if (amount === null) return t("statistics.cost_unknown");
  if (measure === "cost") return formatCost(amount);
  return t(measure === "tokens" ? "statistics.tokens_of" : "statistics.messages_of", { amount: formatCompact(amount) });
}

/** Writes an amount for an axis or a column whose title says what it is of. */
export function shortAmountText(amount: number | null, measure: Measure): string {
  if (amount === null) return t("statistics.unknown");
  return measure === "cost" ? formatCost(amount) : formatCompact(amount);
}
