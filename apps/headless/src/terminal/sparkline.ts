const BARS = "▁▂▃▄▅▆▇█";

/** Draws amounts as bars, scaled to the largest; zero has no bar. */
export function sparkline(amounts: readonly number[]): string {
  const most = amounts.reduce((larger, amount) => Math.max(larger, amount), 0);
  return amounts
    .map((amount) => (amount <= 0 ? " " : (BARS[Math.ceil((amount / most) * BARS.length) - 1] ?? "")))
    .join("");
}
