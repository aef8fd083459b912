import type { Shell } from "../shell.ts";
import { type Column, table } from "../terminal/table.ts";
import { visible } from "../terminal/visible.ts";

/** Writes the end of a command's help. */
export function examples(...lines: string[]): string {
  return `\n${lines.length === 1 ? "Example" : "Examples"}:\n${lines.map((line) => `  ${line}\n`).join("")}`;
}

/** Says in words what was done, or with `--json` what the service has answered. */
export function tell(shell: Shell, answer: unknown, words: string): void {
  if (shell.json) shell.writeJson(answer);
  else if (!shell.quiet) shell.write(`${words}.\n`);
}

/** How a list is shown. */
export interface ListView<Row> {
  columns: readonly Column<Row>[];
  /** What the rows are, in the plural: said where there is none. */
  things: string;
  /** What other commands know an item by; with `--quiet` nothing else is written. */
  name(row: Row): string;
}

/** Writes rows as a table, as their names with `--quiet`, or with `--json` as what the service has answered. */
export function writeList<Row>(shell: Shell, answer: unknown, rows: readonly Row[], view: ListView<Row>): void {
  const { colors, width } = shell;
  if (shell.json) shell.writeJson(answer);
  else if (shell.quiet) shell.show(rows.map((row) => `${visible(view.name(row))}\n`).join(""));
  else if (rows.length === 0) shell.show(`${colors.dim(`0 ${view.things}`)}\n`);
  else shell.show(table(view.columns, rows, { width, paintHead: colors.bold }));
}

let timeFormat: Intl.DateTimeFormat | null = null;

/** Shows an RFC 3339 time as people here read their clocks: `2026-01-31 10:00`. */
export function localTime(time: string | null): string {
  if (time === null) return "";
  const moment = Date.parse(time);
  if (Number.isNaN(moment)) return time;
  // Not before somebody wants to see a time: making it takes 11 ms, which a server need not wait for at its start.
  timeFormat ??= new Intl.DateTimeFormat("sv-SE", { dateStyle: "short", timeStyle: "short" });
  return timeFormat.format(moment);
}

/** The last part of a working directory, on whatever system it is. */
export function projectName(cwd: string | null): string {
  return cwd?.split(/[/\\]/).findLast((part) => part !== "") ?? "";
}

/** The beginning of an id that still tells these sessions apart, eight characters at least. */
export function shortIds(ids: readonly string[]): (id: string) => string {
  const unique = new Set(ids);
  const longest = Math.max(0, ...ids.map((id) => id.length));
  let length = 8;
  while (length < longest && new Set([...unique].map((id) => id.slice(0, length))).size < unique.size) length += 1;
  return (id) => id.slice(0, length);
}
