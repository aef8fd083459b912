import { formatPercent } from "../i18n/format.ts";
import { t } from "../i18n/text.ts";
import type { Usage } from "./measure.ts";

/** How something has changed since the period before. */
export interface Change {
  /** With an arrow: `▲ 12%`. */
  short: string;
  /** In words. */
  text: string;
}

/** By how much more or less it is than it was; `null` where that says nothing. */
export function changeOf(amount: number | null, before: number | null): Change | null {
  if (amount === null || before === null || before <= 0) return null;
  const percent = (100 * (amount - before)) / before;
  return changeIn(percent, formatPercent(Math.round(Math.abs(percent))));
}

/** The same of two shares in percent, in percentage points. */
export function changeOfShare(percent: number | null, before: number | null): Change | null {
  if (percent === null || before === null) return null;
  const points = percent - before;
  return changeIn(points, t("statistics.points", { points: Math.round(Math.abs(points)) }));
}

function changeIn(change: number, amount: string): Change {
  if (Math.round(change) === 0) return { short: "=", text: t("statistics.as_before") };
  return change > 0
    ? { short: `▲ ${amount}`, text: t("statistics.more_than_before", { amount }) }
    : { short: `▼ ${amount}`, text: t("statistics.less_than_before", { amount }) };
}

/** How much of what models were given they had in their cache, in percent; `null` where they were given nothing. */
export function cacheHitsOf({ input_tokens, cache_read_tokens, cache_write_tokens }: Usage): number | null {
  const given = input_tokens + cache_read_tokens + cache_write_tokens;
  return given <= 0 ? null : (100 * cache_read_tokens) / given;
}
