const DOLLARS = { style: "currency", currency: "USD" } as const;

/** From here on the two digits that are shown would round to a larger form: $0.10, $1,000. */
const CENTS_FROM = 0.0995;
const WHOLE_FROM = 999.995;

type Form = "small" | "cents" | "whole";

const OPTIONS: Readonly<Record<Form, Intl.NumberFormatOptions>> = {
  small: { ...DOLLARS, maximumSignificantDigits: 2 },
  cents: DOLLARS,
  whole: { ...DOLLARS, maximumFractionDigits: 0 },
};

/** Made when they are needed first: making one takes milliseconds. */
const formats = new Map<Form, Intl.NumberFormat>();

/**
 * Writes an amount of US dollars with the digits that matter: `$0.0042`, `$1.28`, `$1,204`. Below 10 cents these are two
 * significant digits, from $1,000 on there are no cents. The page, the command line and the exports all use it.
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
