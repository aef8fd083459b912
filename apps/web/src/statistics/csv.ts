/** What a cell holds; `null` where it is not known. */
export type Cell = string | number | null;

/** Writes a table as CSV (RFC 4180) with a byte order mark, by which spreadsheets know the encoding. */
export function csvOf(titles: readonly string[], rows: readonly (readonly Cell[])[]): string {
  return `\ufeff${[titles, ...rows].map((row) => `${row.map(fieldOf).join(",")}\r\n`).join("")}`;
}

/** Spreadsheets run texts that begin like a formula, and names of projects and tools may be anybody's. */
const FORMULA = /^[=+\-@\t\r]/;

function fieldOf(cell: Cell): string {
  if (cell === null) return "";
  if (typeof cell === "number") return String(cell);
  const text = FORMULA.test(cell) ? `'${cell}` : cell;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
