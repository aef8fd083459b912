import { isPersonal } from "./accounts.ts";
import { beginsWord, eachMatch, type Report } from "./finding.ts";

/** Parents of user names: `/home/NAME`, `/Users/NAME`, `C:\Users\NAME` (also escaped), `--home-NAME-project--`. */
const PARENT = /\/(?:home|Users)\/|\\{1,8}[Uu]sers\\{1,8}|[-/]-(?:home|Users)-/g;
const NAME = /[\p{L}\p{N}_][\p{L}\p{N}._-]{0,63}/uy;
/** Windows allows spaces; then only a separator shows the end of the name. */
const WINDOWS_NAME = /[^\\/:*?"<>|\r\n\t]{1,64}(?=\\)|[\p{L}\p{N}_][\p{L}\p{N}._-]{0,63}/uy;
/** The agent's session folder: the project path with hyphens as separators. */
const FOLDER_NAME = /([\p{L}\p{N}_.]{1,64})(?=-[^\s/\\"'`]{0,512}?--(?![\w-])|--(?![\w-]))/uy;
/** The same for another agent, with one hyphen before and none after it. */
const OTHER_FOLDER_NAME = /[\p{L}\p{N}_.]{1,64}/uy;

/** Directories that are not user homes. */
const SHARED = new Set(["shared", "public", "default", "all", "linuxbrew"]);
/** `/home/index.html` is a web page. */
const PAGE = /\.(?:html?|[cm]?[jt]sx?|vue|svelte|css|mdx?|php|png|svg|json)$/;
/** Text allowed before the parent: another root, a drive, a compiler option. */
const ROOT =
  /(?:(?:^|[^\w.~)}\]$@#?&%*-])(?:\/(?:var|export|usr|private|data|nfs|net|host|rootfs|mnt\/[a-z]|[a-z]|System\/Volumes\/Data|Volumes\/[^/\s]{1,40}))|file:\/\/|(?:^|\s)-[ILF])$/;
const MAX_ROOT_LENGTH = 64;
const INSIDE_PATH = /[\p{L}\p{N}_.~)}\]$@#?&%*/\\-]/u;

/** Maximum number of remembered user names. */
const MAX_NAMES = 16;

/** Names of people in the home directories of paths, each once. */
export function accountsIn(paths: Iterable<string>): string[] {
  const homes = new HomeDetector();
  for (const path of paths) homes.learn(path);
  return homes.names;
}

/** Finds user names: in home directories, and known names in other paths. */
export class HomeDetector {
  readonly #names = new Set<string>();
  #elsewhere: RegExp | null = null;

  /** Those that are remembered. */
  get names(): string[] {
    return [...this.#names];
  }

  /** Remembers the user whose home contains a session's directory. */
  learn(cwd: string): void {
    this.#findHomes(cwd, (start, end) => this.#remember(cwd.slice(start, end)));
  }

  find(text: string, report: Report): void {
    this.#findHomes(text, report);
    if (this.#elsewhere === null) return;
    eachMatch(this.#elsewhere, text, (match) => report(match.index, match.index + match[0].length, "user"));
  }

  #findHomes(text: string, report: Report): void {
    PARENT.lastIndex = 0;
    for (let match = PARENT.exec(text); match !== null; match = PARENT.exec(text)) {
      const at = PARENT.lastIndex;
      const name = this.#nameAt(text, match.index, match[0]);
      // The next match may start with the separator at the end of this one.
      PARENT.lastIndex = at - 1;
      if (name === null || SHARED.has(name.toLowerCase())) continue;
      report(at, at + name.length, "user");
      // Only home directories contain dotfiles; elsewhere `/home/…` may be a web page.
      if (/^[/\\]{1,2}\./.test(text.slice(at + name.length, at + name.length + 3))) this.#remember(name);
    }
  }

  #nameAt(text: string, start: number, parent: string): string | null {
    const at = start + parent.length;
    if (parent.includes("-")) {
      for (const known of this.#names) if (text.startsWith(`${known}-`, at)) return known;
      const pattern = parent.startsWith("/") ? OTHER_FOLDER_NAME : FOLDER_NAME;
      return matchAt(pattern, text, at);
    }
    if (parent.startsWith("\\"))
      return /[A-Za-z]:$/.test(text.slice(start - 2, start)) ? matchAt(WINDOWS_NAME, text, at) : null;
    if (!isRoot(text, start)) return null;
    const name = matchAt(NAME, text, at)?.replace(/\.+$/, "") ?? null;
    return name !== null && PAGE.test(name) ? null : name;
  }

  #remember(name: string): void {
    if (!isPersonal(name) || this.#names.size === MAX_NAMES || this.#names.has(name)) return;
    this.#names.add(name);
    const names = [...this.#names].map((known) => known.replace(/[^\p{L}\p{N}]/gu, "\\$&")).join("|");
    // A path component, the user in a prompt or of ssh, owner and group in a listing.
    const place = `[/\\\\]|[r-][w-][xsS-][r-][w-][xsS-][r-][w-][xtT-][.+@]?[ \\t]+\\d+[ \\t]+(?:\\S{1,64}[ \\t]+)?`;
    this.#elsewhere = new RegExp(
      `(?:${names})(?:(?<=(?:${place})(?:${names}))(?![\\p{L}\\p{N}_-]|\\.[\\p{L}\\p{N}])|(?<=(?<![\\p{L}\\p{N}._\\]-])(?:${names}))(?=@[A-Za-z0-9]))`,
      "gu",
    );
  }
}

function isRoot(text: string, at: number): boolean {
  if (at === 0 || !INSIDE_PATH.test(text.charAt(at - 1))) return true;
  const before = text.slice(Math.max(0, at - MAX_ROOT_LENGTH), at);
  return ROOT.test(before) || (/[A-Za-z0-9]$/.test(before) && beginsWord(text, at));
}

function matchAt(pattern: RegExp, text: string, at: number): string | null {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0] ?? null;
}
