import { type ChangeObject, diffLines } from "diff";
import { visibleCode } from "../visible-text.ts";
import type { PageBudget } from "./budget.ts";
import { type ChangedPart, changedParts } from "./changed-part.ts";
import { linesOfCode, markedCode } from "./code-lines.ts";
import { escapeHtml } from "./escape.ts";
import { lineCount } from "./line-count.ts";

/**
 * Maximum number of differing lines; above it, texts count as completely different. The search for the shortest edit
 * script is quadratic: 9 ms here, a second at ten times as many.
 */
const MAX_EDITS = 400;

/** Maximum length of a diff with one element per line; longer ones are plain text. */
const MAX_MARKED = 256 * 1024;

/** A line of a diff, as it is shown. */
export interface DiffLine {
  sign: "+" | "-" | " " | "@";
  number: string;
  text: string;
  /** The name of a file, which is no code. */
  isName?: boolean;
  /** In which it differs from the line that it replaces, or that replaces it. */
  changed?: ChangedPart;
}

/** A diff as HTML, and the number of added and removed lines. */
export interface RenderedDiff {
  html: string;
  added: number;
  removed: number;
  /** For `highlightedDiff`; `null` if it is shown as plain text. */
  lines: readonly DiffLine[] | null;
}

/** A line recorded by the agent's edit tool: sign, line number in the old or new file, text. */
const NUMBERED = /^([-+ ])( *\d+) (.*)$/s;

/** Marks omitted lines. */
const GAP = /^ +\.\.\.$/;

/** Renders a recorded diff: with line numbers, as the agent writes it, or a unified diff. */
export function recordedDiff(diff: string): RenderedDiff {
  const lines = diff.replace(/\n$/, "").split("\n");
  const changes = lines.filter((line) => /^[-+]/.test(line));
  const isNumbered = changes.length > 0 && changes.every((line) => NUMBERED.test(line));
  return rendered(lines.map(isNumbered ? numberedLine : unifiedLine), diff);
}

/** Computes and renders the difference of two texts; removes and adds everything if the limits are exceeded. */
export function computedDiff(before: string, after: string, budget: PageBudget): RenderedDiff {
  const changes = changesBetween(before, after, budget) ?? [
    { value: before, removed: true, added: false },
    { value: after, removed: false, added: true },
  ];
  const lines: DiffLine[] = [];
  for (const { value, added, removed } of changes) {
    if (value === "") continue;
    const sign = added ? "+" : removed ? "-" : " ";
    for (const text of value.replace(/\n$/, "").split("\n")) lines.push({ sign, number: "", text });
  }
  return rendered(lines, lines.map(({ sign, text }) => sign + text).join("\n"));
}

function changesBetween(before: string, after: string, budget: PageBudget): ChangeObject<string>[] | undefined {
  const edits = Math.min(MAX_EDITS, lineCount(before) + lineCount(after));
  if (budget.diffSteps < edits ** 2) return undefined;
  budget.diffSteps -= edits ** 2;
  return diffLines(before, after, { maxEditLength: edits, ignoreNewlineAtEof: true });
}

function numberedLine(line: string): DiffLine {
  const match = NUMBERED.exec(line);
  if (match === null) return { sign: GAP.test(line) ? "@" : " ", number: "", text: line };
  return { sign: signOf(match[1]), number: match[2] ?? "", text: match[3] ?? "" };
}

function unifiedLine(line: string): DiffLine {
  if (line.startsWith("@@")) return { sign: "@", number: "", text: line };
  if (/^(?:\+\+\+|---) /.test(line)) return { sign: " ", number: "", text: line, isName: true };
  const sign = signOf(line[0]);
  return { sign, number: "", text: sign === " " ? line.replace(/^ /, "") : line.slice(1) };
}

function signOf(character = " "): DiffLine["sign"] {
  return character === "+" || character === "-" ? character : " ";
}

const ELEMENTS = { "+": "ins", "-": "del", " ": "span", "@": "i" } as const;

function rendered(lines: DiffLine[], whole: string): RenderedDiff {
  let added = 0;
  let removed = 0;
  for (const { sign } of lines) {
    if (sign === "+") added++;
    if (sign === "-") removed++;
  }
  const isMarked = whole.length <= MAX_MARKED;
  if (isMarked) findChanged(lines);
  const html = blockOf(isMarked ? lines.map((line) => diffLine(line)).join("") : escapeHtml(visibleCode(whole)));
  return { html, added, removed, lines: isMarked ? lines : null };
}

/**
 * Renders a diff once more, with the colours of its code.
 *
 * @param highlight returns the code with `hljs-…` spans and as many lines; called for the old and for the new text.
 */
export function highlightedDiff(lines: readonly DiffLine[], highlight: (code: string) => string): string {
  const isCode = ({ sign, isName = false }: DiffLine) => sign !== "@" && !isName;
  const sideOf = (other: "+" | "-") => {
    const side = lines.filter((line) => isCode(line) && line.sign !== other);
    const code = linesOfCode(highlight(side.map(({ text }) => text).join("\n")));
    return new Map(side.map((line, at) => [line, code[at] ?? ""]));
  };
  const [before, after] = [sideOf("+"), sideOf("-")];
  return blockOf(lines.map((line) => diffLine(line, after.get(line) ?? before.get(line))).join(""));
}

function blockOf(code: string): string {
  return `<div class="code diff"><pre tabindex="0"><code>${code}</code></pre></div>`;
}

/** Finds what has changed within lines: each of those removed with the one that was added in its place. */
function findChanged(lines: readonly DiffLine[]): void {
  for (let at = 0; at < lines.length; at++) {
    const removed = countOf(lines, at, "-");
    const added = countOf(lines, at + removed, "+");
    for (let pair = 0; pair < Math.min(removed, added); pair++) {
      const [before, after] = [lines[at + pair], lines[at + removed + pair]];
      const parts = before === undefined || after === undefined ? null : changedParts(before.text, after.text);
      if (before === undefined || after === undefined || parts === null) continue;
      [before.changed, after.changed] = parts;
    }
    at += Math.max(0, removed + added - 1);
  }
}

function countOf(lines: readonly DiffLine[], from: number, sign: DiffLine["sign"]): number {
  let at = from;
  while (lines[at]?.sign === sign) at++;
  return at - from;
}

/** + and - are text, so that additions are visible without styles; line ends are kept for copying. */
function diffLine({ sign, number, text, changed }: DiffLine, code = escapeHtml(visibleCode(text))): string {
  const element = ELEMENTS[sign];
  const margin = number === "" ? "" : `<b>${number} </b>`;
  const mark = sign === "@" ? "" : `${sign} `;
  const lengthTo = (place: number) => visibleCode(text.slice(0, place)).length;
  const shown = changed === undefined ? code : markedCode(code, lengthTo(changed.start), lengthTo(changed.end));
  return `<${element}>${margin}${mark}${shown}\n</${element}>`;
}
