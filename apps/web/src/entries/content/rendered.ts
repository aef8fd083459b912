import { ansiHtml, computedDiff, lineCount, pageBudget, type RenderedDiff, recordedDiff } from "@sm/core/rendering";
import type { RenderedHtml } from "./markup.tsx";

/** Steps that comparing two texts may take: 50 ms. */
const DIFF_STEPS = 1_000_000;

export interface Diff {
  html: RenderedHtml;
  added: number;
  removed: number;
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

function madeOf({ html, added, removed }: RenderedDiff): Diff {
  return { html: html as RenderedHtml, added, removed };
}

export { lineCount };
