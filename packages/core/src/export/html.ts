import type { ExportTheme } from "../library.ts";
import type { Transcript } from "../session/transcript.ts";
import type { ExportSelection } from "./document.ts";
import { Contents } from "./html/contents.ts";
import { bar, masthead } from "./html/masthead.ts";
import { pageEnd, pageFooter, pageStart } from "./html/page-frame.ts";
import { Parts } from "./html/parts.ts";
import { RunTree } from "./html/run-tree.ts";
import { runSections } from "./html/sections.ts";
import { NO_SUBAGENTS, type Subagents } from "./subagents.ts";

export interface HtmlOptions extends ExportSelection {
  /** Color scheme of the page; default: the reader's system setting. */
  theme?: ExportTheme;
}

/**
 * Streams a transcript as one self-contained HTML page: the initially shown branch first, then the others, then the
 * subagents. Parts known only after the last entry (contents, branches, redactions) are written at the end and positioned by the style.
 */
export async function* exportHtml(
  transcript: Transcript,
  options: HtmlOptions,
  subagents: Subagents = NO_SUBAGENTS,
): AsyncGenerator<string> {
  const runs = transcript.runs ?? [{ parent: -1, count: Number.POSITIVE_INFINITY, shown: true }];
  const tree = new RunTree(runs);
  const contents = new Contents(tree);
  const parts = new Parts();
  yield pageStart(transcript, options.theme ?? "system");
  yield bar(transcript, options, tree);
  yield `<main id="conversation">\n${masthead(transcript)}`;
  // Markdown and highlighting are loaded on demand.
  const { pageBudget } = await import("./html/entries.ts");
  const { include_thinking, include_tools } = options;
  const shared = { include_thinking, include_tools, budget: pageBudget(), subagents: subagents.numbers };
  const entryOptions = { ...shared, labels: transcript.labels, notes: transcript.notes?.entries };
  yield* runSections(transcript, entryOptions, { tree, contents, parts });
  if (subagents.numbers.size > 0) {
    const { subagentSections } = await import("./html/subagent-sections.ts");
    yield* subagentSections(subagents, entryOptions, { contents, parts });
  }
  yield "</main>\n";
  yield* contents.html();
  yield pageFooter(transcript.redactions?.() ?? null);
  yield pageEnd();
}
