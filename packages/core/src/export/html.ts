import type { ExportTheme } from "../library.ts";
import type { Transcript } from "../session/transcript.ts";
import type { ExportSelection } from "./document.ts";
import { Contents } from "./html/contents.ts";
import { bar, masthead } from "./html/masthead.ts";
import { pageEnd, pageFooter, pageStart } from "./html/page-frame.ts";
import { RunTree } from "./html/run-tree.ts";
import { runSections } from "./html/sections.ts";

export interface HtmlOptions extends ExportSelection {
  /** Color scheme of the page; default: the reader's system setting. */
  theme?: ExportTheme;
}

/**
 * Streams a transcript as one self-contained HTML page: the initially shown branch first, then the others. Parts known
 * only after the last entry (contents, branches, redactions) are written at the end and positioned by the style.
 */
export async function* exportHtml(transcript: Transcript, options: HtmlOptions): AsyncGenerator<string> {
  const runs = transcript.runs ?? [{ parent: -1, count: Number.POSITIVE_INFINITY, shown: true }];
  const tree = new RunTree(runs);
  const contents = new Contents(tree);
  yield pageStart(transcript, options.theme ?? "system");
  yield bar(transcript, options, tree);
  yield `<main id="conversation">\n${masthead(transcript)}`;
  yield* runSections(transcript, options, { tree, contents });
  yield "</main>\n";
  yield* contents.html();
  yield pageFooter(transcript.redactions?.() ?? null);
  yield pageEnd();
}
