import { visibleCode } from "../visible-text.ts";
import type { PageBudget } from "./budget.ts";
import { escapeHtml } from "./escape.ts";
import { hljs } from "./languages.ts";

/** Maximum length of a highlighted block. */
const MAX_HIGHLIGHTED = 128 * 1024;

/** Longer lines are minified code or data. */
const MAX_LINE_LENGTH = 1_000;

/**
 * UTF-16 units highlighted together. Some grammars take quadratic time for hostile text: 20 µs per character here, 160
 * at eight times the length, 0.5 for normal code.
 */
const WINDOW = 4 * 1024;

/** A window grows until it ends outside of comments, strings and the like, up to this limit. */
const MAX_WINDOW_SIZE = 16 * 1024;

/** Code as HTML, and whether it is completely highlighted. */
export interface HighlightedCode {
  html: string;
  isComplete: boolean;
}

/** Writes code as a block, highlighted if its language is known and the limits allow it. */
export function codeBlock(code: string, language: string | null, budget: PageBudget): string {
  const { html, isComplete } = highlightCode(code, language, budget);
  const name = language === null ? "" : escapeHtml(language) + (isComplete ? "" : ", not highlighted");
  const label = name === "" ? "" : `<span class="code-language">${name}</span>`;
  // A scrollable block must be focusable for the keyboard.
  return `<div class="code">${label}<pre tabindex="0"><code>${html}</code></pre></div>`;
}

/** Writes code as HTML, with `hljs-…` spans if its language is known and the limits allow it. */
export function highlightCode(code: string, language: string | null, budget: PageBudget): HighlightedCode {
  const text = visibleCode(code);
  if (language === null || text.length > MAX_HIGHLIGHTED || hasLongLine(text)) {
    return { html: escapeHtml(text), isComplete: false };
  }
  let html = "";
  let at = 0;
  while (at < text.length) {
    const window = highlightWindow(text, at, language, budget);
    if (window === null) return { html: html + escapeHtml(text.slice(at)), isComplete: false };
    html += window.html;
    at = window.end;
  }
  return { html, isComplete: true };
}

/**
 * Highlights as few complete lines from `start` on as can be highlighted separately; `null` if the limits do not allow
 * it.
 */
function highlightWindow(
  text: string,
  start: number,
  language: string,
  budget: PageBudget,
): { html: string; end: number } | null {
  for (let size = WINDOW; size <= MAX_WINDOW_SIZE; size *= 2) {
    const end = start + size < text.length ? text.lastIndexOf("\n", start + size) + 1 : text.length;
    const length = end - start;
    // Worst-case cost.
    const work = length ** 2 / WINDOW;
    if (work > budget.highlighting) return null;
    budget.highlighting -= work;
    const { value, _top: top } = hljs.highlight(text.slice(start, end), { language, ignoreIllegals: true });
    // Only the top-level rule of a language has no parent.
    const isInside = top !== undefined && "parent" in top && top.parent !== undefined;
    if (end === text.length || !isInside) return { html: value, end };
  }
  return null;
}

function hasLongLine(text: string): boolean {
  let start = 0;
  for (let end = text.indexOf("\n"); end !== -1; end = text.indexOf("\n", start)) {
    if (end - start > MAX_LINE_LENGTH) return true;
    start = end + 1;
  }
  return text.length - start > MAX_LINE_LENGTH;
}
