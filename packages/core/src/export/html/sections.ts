import type { Transcript } from "../../session/transcript.ts";
import { anchorOf } from "./anchor.ts";
import type { Contents } from "./contents.ts";
import type { EntryOptions } from "./entries.ts";
import type { Parts } from "./parts.ts";
import type { RunTree } from "./run-tree.ts";
import { iteratorOf, take } from "./take-items.ts";

/** Maximum continuations listed at a fork. */
const LISTED_CONTINUATIONS = 12;

/** Renders the entries, one section per run, after the run that it continues. */
export async function* runSections(
  transcript: Transcript,
  entryOptions: EntryOptions,
  { tree, contents, parts }: { tree: RunTree; contents: Contents; parts: Parts },
): AsyncGenerator<string> {
  // Markdown and highlighting are loaded on demand.
  const { entryFragments, ownNoteHtml } = await import("./entries.ts");
  const note = transcript.notes?.session ?? null;
  if (note !== null) yield `${ownNoteHtml(note, entryOptions.budget)}\n`;
  const items = iteratorOf(transcript.items);
  const lastAnchors = new Map<number, string>();
  let isMain = true;
  try {
    if (tree.forks(-1)) yield fork(tree, -1);
    for (const [run, { parent, count, shown }] of tree.runs.entries()) {
      if (isMain && !shown) yield '<h2 class="others">Other branches</h2>\n';
      isMain &&= shown;
      yield `<section class="run${shown ? " shown" : ""}" id="run-${run}" data-parent="${parent}">\n`;
      if (!shown && parent >= 0) yield continues(parent, lastAnchors.get(parent));
      let last: string | null = null;
      for await (const { id, html, prompt } of entryFragments(take(items, count), entryOptions)) {
        last = anchorOf(id);
        yield* parts.add(html);
        if (prompt !== null) contents.add({ run, part: parts.number, anchor: last, text: prompt });
      }
      yield* parts.end();
      if (tree.forks(run)) {
        if (last !== null) lastAnchors.set(run, last);
        yield fork(tree, run);
      }
      yield "</section>\n";
    }
  } finally {
    await items.return?.();
  }
}

/** For readers without the script, who see all branches in sequence. */
function continues(parent: number, anchor: string | undefined): string {
  return `<p class="continues">Continues from <a href="#${anchor ?? `run-${parent}`}">an earlier entry</a>.</p>\n`;
}

function fork(tree: RunTree, run: number): string {
  const links: string[] = [];
  let count = 0;
  for (const child of tree.children(run)) {
    count++;
    if (count > LISTED_CONTINUATIONS) continue;
    const current = tree.runs[child]?.shown === true ? ' aria-current="true"' : "";
    links.push(`<a href="#run-${child}"${current}>${count}</a>`);
  }
  if (count > LISTED_CONTINUATIONS) {
    links.push(`<a href="#branches">${(count - LISTED_CONTINUATIONS).toLocaleString("en")} more</a>`);
  }
  const label = run < 0 ? `${count} beginnings` : `${count} continuations`;
  return `<div class="fork" role="group" aria-label="${label}"><span>${label}</span> ${links.join(" ")}</div>\n`;
}
