import { type ChangeObject, diffLines } from "diff";
import { visibleCode } from "../visible-text.ts";
import type { PageBudget } from "./budget.ts";
import { escapeHtml } from "./escape.ts";
import { lineCount } from "./line-count.ts";

/**
 * Maximum number of differing lines; above it, texts count as completely different. The search for the shortest edit
 * script is quadratic: 9 ms here, a second at ten times as many.
 */
const MAX_EDITS = 400;

/** Maximum length of a diff with one element per line; longer ones are plain text. */
const MAX_MARKED = 256 * 1024;

interface DiffLine {
  sign: "+" | "-" | " " | "@";
  number: string;
  text: string;
}

/** A diff as HTML, and the number of added and removed lines. */
export interface RenderedDiff {
  html: string;
  added: number;
  removed: number;
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
  if (/^(?:\+\+\+|---) /.test(line)) return { sign: " ", number: "", text: line };
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
  const inner = isMarked ? lines.map(diffLine).join("") : escapeHtml(visibleCode(whole));
  return { html: `<div class="code diff"><pre tabindex="0"><code>${inner}</code></pre></div>`, added, removed };
}

/** + and - are text, so that additions are visible without styles; line ends are kept for copying. */
function diffLine({ sign, number, text }: DiffLine): string {
  const element = ELEMENTS[sign];
  const margin = number === "" ? "" : `<b>${number} </b>`;
  const mark = sign === "@" ? "" : `${sign} `;
  return `<${element}>${margin}${mark}${escapeHtml(visibleCode(text))}\n</${element}>`;
}
