import {
  ansiHtml,
  computedDiff,
  type DiffLine,
  highlightedDiff,
  lineCount,
  pageBudget,
  type RenderedDiff,
  recordedDiff,
} from "@sm/core/rendering";
import type { RenderedHtml } from "./markup.tsx";

/** Steps that comparing two texts may take: 50 ms. */
const DIFF_STEPS = 1_000_000;

export interface Diff {
  html: RenderedHtml;
  added: number;
  removed: number;
  /** `null` if it is too long for more than plain text. */
  lines: readonly DiffLine[] | null;
}

/** Renders the output of a program, with its colours. */
export function renderedOutput(text: string): RenderedHtml {
  return ansiHtml(text) as RenderedHtml;
}

/** Renders a diff as a tool has recorded it. */
export function renderedDiff(diff: string): Diff {
  return madeOf(recordedDiff(diff));
}

/** Compares two texts. */
export function renderedChange(before: string, after: string): Diff {
  return madeOf(computedDiff(before, after, { ...pageBudget(), diffSteps: DIFF_STEPS }));
}

/** Renders a diff once more, with the colours of its code. */
export function coloredDiff(lines: readonly DiffLine[], highlight: (code: string) => string): RenderedHtml {
  return highlightedDiff(lines, highlight) as RenderedHtml;
}

function madeOf({ html, ...diff }: RenderedDiff): Diff {
  return { html: html as RenderedHtml, ...diff };
}

export { lineCount };
