/** One line of the table: what was measured, what it is compared with, and whether it is good enough. */
export interface BenchRow {
  what: string;
  /** `null` where it could not be measured; `note` says why. */
  measured: number | null;
  /** Empty for a count or a share of 1. */
  unit: string;
  /** The limit or the peer that was measured in the same run, in the same unit. */
  reference: { name: string; value: number } | null;
  /** Measured by reference. */
  ratio: number | null;
  target: string | null;
  pass: boolean | null;
  note: string | null;
}

export interface Measurement {
  what: string;
  measured: number | null;
  unit: string;
  reference?: { name: string; value: number };
  atMost?: number;
  atLeast?: number;
  ratioAtMost?: number;
  ratioAtLeast?: number;
  note?: string;
}

/** Compares a measurement with its targets. */
export function judge(measurement: Measurement): BenchRow {
  const { what, measured, unit, reference, atMost, atLeast, ratioAtMost, ratioAtLeast, note } = measurement;
  const ratio = measured === null || reference === undefined ? null : measured / reference.value;
  const limits = [
    { value: measured, limit: atMost, sign: 1, text: `≤ ${withUnit(String(atMost), unit)}` },
    { value: measured, limit: atLeast, sign: -1, text: `≥ ${withUnit(String(atLeast), unit)}` },
    { value: ratio, limit: ratioAtMost, sign: 1, text: `ratio ≤ ${ratioAtMost}` },
    { value: ratio, limit: ratioAtLeast, sign: -1, text: `ratio ≥ ${ratioAtLeast}` },
  ].filter(({ limit }) => limit !== undefined);
  const pass = limits.every(({ value, limit = 0, sign }) => value !== null && sign * (value - limit) <= 0);
  return {
    what,
    measured,
    unit,
    reference: reference ?? null,
    ratio,
    target: limits.length === 0 ? null : limits.map(({ text }) => text).join(", "),
    pass: limits.length === 0 || measured === null ? null : pass,
    note: note ?? null,
  };
}

/** The row of a bench that could not run to its end. */
export function failure(bench: string, error: unknown): BenchRow {
  const [note = ""] = (error instanceof Error ? error.message : String(error)).split("\n");
  return { ...judge({ what: bench, measured: null, unit: "", note }), pass: false };
}

function figure(value: number): string {
  if (Number.isInteger(value)) return String(value);
  return value >= 100 ? value.toFixed(0) : value.toPrecision(3);
}

function withUnit(amount: string, unit: string): string {
  return unit === "" ? amount : `${amount} ${unit}`;
}

/** Lays the rows out as a table of aligned columns. */
export function formatTable(rows: readonly BenchRow[]): string {
  const cells = rows.map((row) => [
    row.what,
    row.measured === null ? "-" : withUnit(figure(row.measured), row.unit),
    row.reference === null ? "" : `${withUnit(figure(row.reference.value), row.unit)} (${row.reference.name})`,
    row.ratio === null ? "" : figure(row.ratio),
    row.target ?? "",
    row.pass === null ? "" : row.pass ? "yes" : "NO",
    row.note ?? "",
  ]);
  const table = [["what", "measured", "limit or peer", "ratio", "target", "met", "note"], ...cells];
  const widths = table[0]?.map((_, column) => Math.max(...table.map((line) => line[column]?.length ?? 0))) ?? [];
  return table
    .map((line) =>
      line
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join("  ")
        .trimEnd(),
    )
    .join("\n");
}
