import type { Usage } from "./session/record.ts";

const DOLLARS = { style: "currency", currency: "USD" } as const;

/** From here on, two digits would round to the next form: $0.10, $1,000. */
const CENTS_FROM = 0.0995;
const WHOLE_FROM = 999.995;

type Form = "small" | "cents" | "whole";

const OPTIONS: Readonly<Record<Form, Intl.NumberFormatOptions>> = {
  small: { ...DOLLARS, maximumSignificantDigits: 2 },
  cents: DOLLARS,
  whole: { ...DOLLARS, maximumFractionDigits: 0 },
};

/** Created on demand: takes milliseconds. */
const formats = new Map<Form, Intl.NumberFormat>();

/**
 * Formats US dollars with significant digits: `$0.0042`, `$1.28`, `$1,204`. Two significant digits below 10 cents, no
 * cents from $1,000 on. Used by page, command line and exports.
 */
export function formatDollars(amount: number): string {
  const size = Math.abs(amount);
  const form = size >= WHOLE_FROM ? "whole" : size >= CENTS_FROM || size === 0 ? "cents" : "small";
  let format = formats.get(form);
  if (format === undefined) {
    format = new Intl.NumberFormat("en-US", OPTIONS[form]);
    formats.set(form, format);
  }
  return format.format(amount);
}

/** Costs that are told apart: what an agent has recorded, and what is estimated. */
export type Costs = Pick<Usage, "cost_usd" | "estimated_cost_usd">;

/**
 * Formats costs so that nobody takes an estimate for a recorded one: `$4.50`, `≈ $1.20 estimated`, or
 * `$4.50 + ≈ $1.20 estimated`. Without the word in columns of tables. `null` where no cost is known.
 */
export function formatCosts({ cost_usd: recorded, estimated_cost_usd: estimated }: Costs, word = true): string | null {
  const parts: string[] = [];
  if (recorded !== null && (recorded !== 0 || (estimated ?? 0) === 0)) parts.push(formatDollars(recorded));
  if ((estimated ?? 0) !== 0) parts.push(`≈ ${formatDollars(estimated ?? 0)}${word ? " estimated" : ""}`);
  return parts.length === 0 ? null : parts.join(" + ");
}
