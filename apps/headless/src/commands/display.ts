import type { Shell } from "../shell.ts";
import { type Column, table } from "../terminal/table.ts";
import { visible } from "../terminal/visible.ts";

/** Formats the examples at the end of a command's help. */
export function examples(...lines: string[]): string {
  return `\n${lines.length === 1 ? "Example" : "Examples"}:\n${lines.map((line) => `  ${line}\n`).join("")}`;
}

/** Prints what was done, or with `--json` the service's response. */
export function tell(shell: Shell, answer: unknown, words: string): void {
  if (shell.json) shell.writeJson(answer);
  else if (!shell.quiet) shell.write(`${words}.\n`);
}

/** How to print a list. */
export interface ListView<Row> {
  columns: readonly Column<Row>[];
  /** Plural name of the items, for an empty list. */
  things: string;
  /** How other commands refer to an item; the only output with `--quiet`. */
  name(row: Row): string;
}

/** Prints rows as a table, as names with `--quiet`, or the service's response with `--json`. */
export function writeList<Row>(shell: Shell, answer: unknown, rows: readonly Row[], view: ListView<Row>): void {
  const { colors, width } = shell;
  if (shell.json) shell.writeJson(answer);
  else if (shell.quiet) shell.show(rows.map((row) => `${visible(view.name(row))}\n`).join(""));
  else if (rows.length === 0) shell.show(`${colors.dim(`0 ${view.things}`)}\n`);
  else shell.show(table(view.columns, rows, { width, paintHead: colors.bold }));
}

let timeFormat: Intl.DateTimeFormat | null = null;

/** Formats an RFC 3339 time in the local time zone: `2026-01-31 10:00`. */
export function localTime(time: string | null): string {
  if (time === null) return "";
  const moment = Date.parse(time);
  if (Number.isNaN(moment)) return time;
  // Created on demand: takes 11 ms, which would delay the start of a server.
  timeFormat ??= new Intl.DateTimeFormat("sv-SE", { dateStyle: "short", timeStyle: "short" });
  return timeFormat.format(moment);
}

/** Last part of a working directory, of any operating system. */
export function projectName(cwd: string | null): string {
  return cwd?.split(/[/\\]/).findLast((part) => part !== "") ?? "";
}

/** Formats a size: `999 B`, `1.2 MB`. */
export function sizeText(bytes: number): string {
  if (bytes < 1_000) return `${bytes} B`;
  const power = Math.min(UNITS.length, Math.floor(Math.log10(bytes) / 3));
  return `${(bytes / 1_000 ** power).toFixed(1)} ${UNITS[power - 1]}`;
}

const UNITS = ["kB", "MB", "GB", "TB"];

/** Shortest unique prefix of each ID, at least eight characters. */
export function shortIds(ids: readonly string[]): (id: string) => string {
  const unique = new Set(ids);
  const longest = Math.max(0, ...ids.map((id) => id.length));
  let length = 8;
  while (length < longest && new Set([...unique].map((id) => id.slice(0, length))).size < unique.size) length += 1;
  return (id) => id.slice(0, length);
}
