import type { Shell } from "../shell.ts";

/** Writes the end of a command's help. */
export function examples(...lines: string[]): string {
  return `\n${lines.length === 1 ? "Example" : "Examples"}:\n${lines.map((line) => `  ${line}\n`).join("")}`;
}

/** Answers people in words, and programs with what the service has answered. */
export function tell(shell: Shell, answer: unknown, words: string): void {
  if (shell.forPeople) shell.write(`${words}.\n`);
  else shell.writeJson(answer);
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
