/** The smallest value that at least the given share (0 to 1) of all values does not exceed. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  const value = sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)];
  if (value === undefined) throw new RangeError("There is nothing to rank.");
  return value;
}

export function median(values: readonly number[]): number {
  return percentile(values, 0.5);
}
