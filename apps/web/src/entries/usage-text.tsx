import type { Usage } from "@sm/core";
import { costText, costTitle } from "../i18n/cost.ts";
import { formatCompact, formatNumber } from "../i18n/format.ts";
import { t } from "../i18n/text.ts";

/** Says which tokens there are of what kind. */
export function usageTitle(usage: Usage): string {
  return t("transcript.usage_title", {
    input: formatNumber(usage.input_tokens),
    output: formatNumber(usage.output_tokens),
    read: formatNumber(usage.cache_read_tokens),
    write: formatNumber(usage.cache_write_tokens),
  });
}

/** Shows what a request to a model took; nothing where nothing is recorded. */
export function UsageText({ usage }: { usage: Usage | null }) {
  if (usage === null || usage.total_tokens === 0) return null;
  const cost = costText(usage);
  const estimate = costTitle(usage);
  return (
    <span className="usage" title={[usageTitle(usage), ...(estimate === undefined ? [] : [estimate])].join("\n")}>
      {t("transcript.tokens", { tokens: formatCompact(usage.total_tokens) })}
      {cost !== null && <> · {cost}</>}
    </span>
  );
}
