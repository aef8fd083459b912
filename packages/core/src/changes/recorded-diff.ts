/** Numbers of changed lines. */
export interface LineCounts {
  added: number;
  removed: number;
}

export function sumOf(counts: readonly LineCounts[]): LineCounts {
  return counts.reduce((sum, { added, removed }) => ({ added: sum.added + added, removed: sum.removed + removed }), {
    added: 0,
    removed: 0,
  });
}

/** Lines of a file before and after a change, with what stands around them. */
export interface Hunk extends LineCounts {
  /** Of the first line, from 1, when the change was made; `null` if it was not recorded. */
  line: number | null;
  before: string[];
  after: string[];
}

/** Changes of one file in a diff. */
export interface FileDiff {
  /** `null` if the diff has no head. */
  path: string | null;
  /** The new path of a moved file. */
  movedTo: string | null;
  action: "edit" | "add" | "delete";
  hunks: Hunk[];
}

const NO_FILE = "/dev/null";
/** The head of a file in a patch of the tool `apply_patch`. */
const PATCHED = /^\*\*\* (Add|Update|Delete) File: (.+)$/s;
const MOVED = /^\*\*\* Move to: (.+)$/s;
/** Where a hunk of a unified diff begins. A patch of `apply_patch` has no numbers there. */
const HUNK = /^@@(?: -(\d+)(?:,(\d+))? \+\d+(?:,(\d+))? @@)?/;
/** A line as pi's tool records it: sign, number in the old or new file, text. */
const NUMBERED = /^([-+ ]) *(\d+)(?: (.*))?$/s;
/** Marks omitted lines there. */
const GAP = /^ +\.\.\.$/;

/** Reads a unified diff, a patch of `apply_patch`, or a diff with numbered lines as pi records it. */
export function readDiff(diff: string): FileDiff[] {
  const lines = diff.replace(/\n$/, "").split("\n");
  const numbered = lines.map((line) => NUMBERED.exec(line));
  const isNumbered = lines.every((line, at) => numbered[at] !== null || GAP.test(line) || line.trim() === "");
  return isNumbered && numbered.some((match) => match !== null && match[1] !== " ")
    ? [{ path: null, movedTo: null, action: "edit", hunks: numberedHunks(numbered) }]
    : unifiedFiles(lines);
}

function numberedHunks(lines: readonly (RegExpExecArray | null)[]): Hunk[] {
  const hunks: Hunk[] = [];
  let hunk: Hunk | null = null;
  for (const match of lines) {
    if (match === null) {
      hunk = null;
      continue;
    }
    if (hunk === null) {
      hunk = { line: Number(match[2]), before: [], after: [], added: 0, removed: 0 };
      hunks.push(hunk);
    }
    addLine(hunk, match[1] ?? " ", match[3] ?? "");
  }
  return hunks.filter(isChange);
}

function unifiedFiles(lines: readonly string[]): FileDiff[] {
  const files: FileDiff[] = [];
  let file: FileDiff | null = null;
  let hunk: Hunk | null = null;
  /** Lines that a numbered hunk still has: there, a line may look like a head. */
  let left = { before: 0, after: 0 };
  let isGit = false;
  const begin = (path: string | null, action: FileDiff["action"], movedTo: string | null = null): FileDiff => {
    const begun: FileDiff = { path, movedTo, action, hunks: [] };
    files.push(begun);
    file = begun;
    hunk = null;
    return begun;
  };
  const open = (line: number | null): Hunk => {
    const opened = { line, before: [], after: [], added: 0, removed: 0 };
    (file ?? begin(null, "edit")).hunks.push(opened);
    hunk = opened;
    return opened;
  };
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at] ?? "";
    if (left.before <= 0 && left.after <= 0) {
      const next = lines[at + 1] ?? "";
      if (line.startsWith("--- ") && next.startsWith("+++ ")) {
        const [before, after] = pathsIn(line, next, isGit);
        const action = before === NO_FILE ? "add" : after === NO_FILE ? "delete" : "edit";
        begin(before === NO_FILE ? after : before, action, action === "edit" && after !== before ? after : null);
        at += 1;
        continue;
      }
      const patched = PATCHED.exec(line);
      if (patched !== null) {
        const action = patched[1] === "Add" ? "add" : patched[1] === "Delete" ? "delete" : "edit";
        begin(patched[2]?.trim() ?? "", action);
        continue;
      }
      const moved = MOVED.exec(line)?.[1]?.trim();
      if (moved !== undefined && file !== null) {
        (file as FileDiff).movedTo = moved;
        continue;
      }
      if (line.startsWith("diff --git ")) isGit = line.startsWith("diff --git a/");
      const head = HUNK.exec(line);
      if (head !== null) {
        const isCounted = head[1] !== undefined;
        left = isCounted ? { before: Number(head[2] ?? 1), after: Number(head[3] ?? 1) } : { before: 0, after: 0 };
        open(isCounted ? Math.max(1, Number(head[1])) : null);
        continue;
      }
    }
    const sign = line[0] ?? " ";
    if (sign !== "+" && sign !== "-" && sign !== " ") continue;
    // Only changes begin a hunk without a head: a new file has none.
    const into: Hunk | null = hunk ?? (sign === " " ? null : open(null));
    if (into === null) continue;
    addLine(into, sign, line.slice(1));
    if (sign !== "+") left.before -= 1;
    if (sign !== "-") left.after -= 1;
  }
  for (const one of files) one.hunks = one.hunks.filter(isChange);
  return files.filter(({ action, hunks, movedTo }) => action !== "edit" || hunks.length > 0 || movedTo !== null);
}

/** The paths in both heads of a file, without git's prefixes or a time behind them. */
function pathsIn(before: string, after: string, isGit: boolean): [string, string] {
  const paths: [string, string] = [pathIn(before), pathIn(after)];
  const [a, b] = paths;
  const isPrefixed = isGit || (a.startsWith("a/") && b.startsWith("b/") && a.slice(2) === b.slice(2));
  return isPrefixed ? [a.replace(/^a\//, ""), b.replace(/^b\//, "")] : paths;
}

function pathIn(head: string): string {
  return (head.slice(4).split("\t", 1)[0] ?? "").trim();
}

function addLine(hunk: Hunk, sign: string, text: string): void {
  if (sign !== "+") hunk.before.push(text);
  if (sign !== "-") hunk.after.push(text);
  if (sign === "+") hunk.added += 1;
  if (sign === "-") hunk.removed += 1;
}

function isChange({ before, after }: Hunk): boolean {
  return before.length !== after.length || before.some((line, at) => line !== after[at]);
}
