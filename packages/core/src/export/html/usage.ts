import { formatDollars } from "../../dollars.ts";
import type { Usage } from "../../session/record.ts";

/** Renders the usage of a model request; empty if not recorded. */
export function usageHtml(usage: Usage | null): string {
  if (usage === null) return "";
  const parts: string[] = [];
  if (usage.total_tokens > 0) {
    const kinds = [
      `${count(usage.input_tokens)} input`,
      `${count(usage.output_tokens)} output`,
      `${count(usage.cache_read_tokens)} cache read`,
      `${count(usage.cache_write_tokens)} cache write`,
    ];
    parts.push(`<span class="usage" title="${kinds.join(", ")}">${count(usage.total_tokens)} tokens</span>`);
  }
  if (usage.cost_usd !== null && usage.cost_usd > 0) {
    parts.push(`<span class="usage">${formatDollars(usage.cost_usd)}</span>`);
  }
  return parts.join(" ");
}

function count(value: number): string {
  return value.toLocaleString("en");
}
