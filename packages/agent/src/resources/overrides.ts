import { basename, dirname, relative, sep } from "node:path";
import picomatch from "picomatch";

/**
 * Whether settings allow the agent to load a file. As in the agent (0.74.2, `core/package-manager`), entries are
 * patterns relative to `base`: `!pattern` excludes, `+path` and `-path` include and exclude exactly one, in this order;
 * other entries restrict loading to their matches. A skill also matches by its folder.
 */
export function isEnabled(path: string, entries: readonly string[], base: string): boolean {
  const [names, exact] = namesOf(path, base);
  const starting = (mark: string) => entries.filter((entry) => entry.startsWith(mark)).map((entry) => entry.slice(1));
  const matches = (patterns: string[]) => patterns.some((pattern) => names.some(matcherOf(pattern)));
  const isNamed = (paths: string[]) => paths.some((one) => exact.includes(posix(one.replace(/^\.[/\\]/, ""))));
  const included = entries.filter((entry) => !/^[!+-]/.test(entry));
  let enabled = included.length === 0 || matches(included);
  if (matches(starting("!"))) enabled = false;
  if (isNamed(starting("+"))) enabled = true;
  if (isNamed(starting("-"))) enabled = false;
  return enabled;
}

/** Names that patterns match, and exact paths. */
function namesOf(path: string, base: string): [names: string[], exact: string[]] {
  const exact = [relative(base, path), path];
  const names = [...exact, basename(path)];
  if (basename(path) === "SKILL.md") {
    const folder = dirname(path);
    exact.push(relative(base, folder), folder);
    names.push(relative(base, folder), folder, basename(folder));
  }
  return [names.map(posix), exact.map(posix)];
}

function matcherOf(pattern: string): (name: string) => boolean {
  return picomatch(posix(pattern), { nonegate: true });
}

function posix(path: string): string {
  return path.split(sep).join("/");
}
