/** How much something is among others: 0 for nothing, 4 for the most. */
export type HeatLevel = 0 | 1 | 2 | 3 | 4;

/** Makes levels of amounts, so that each of them has as many: few days of hard work would make all others pale. */
export function heatLevels(amounts: Iterable<number>): (amount: number) => HeatLevel {
  const sorted = Float64Array.from([...amounts].filter((amount) => amount > 0)).sort();
  const limits = [0.25, 0.5, 0.75].map((share) => sorted[Math.ceil(sorted.length * share) - 1] ?? 0);
  return (amount) => {
    if (amount <= 0) return 0;
    // The largest of all is at the top, also where all are the same.
    if (amount === sorted.at(-1)) return 4;
    return (1 + limits.filter((limit) => amount > limit).length) as HeatLevel;
  };
}

export const HEAT_CLASSES = ["bg-heat-0", "bg-heat-1", "bg-heat-2", "bg-heat-3", "bg-heat-4"] as const;
