import { codeHtml } from "./code-html.ts";
import type { RunTree } from "./run-tree.ts";

/** Branches that the list names; nobody reads more, and each is in the page all the same. */
const LISTED_BRANCHES = 500;
/** Levels by which the list is indented. */
const DEEPEST_LEVEL = 6;

/**
 * Writes the branches as a list: a conversation goes on at its level, and what else was tried at a fork is indented
 * below the fork, so that depth is how often one has turned aside and not how long a session is.
 *
 * @param labelOf what a run says first, `null` where nobody says anything in it.
 */
export function* branchList(tree: RunTree, labelOf: (run: number) => string | null): Generator<string> {
  yield '<section id="branches">\n<h2>Branches</h2>\n<ol class="tree">\n';
  let listed = 0;
  for (const { run, level } of tree.walk()) {
    if (listed === LISTED_BRANCHES) break;
    listed++;
    const label =
      labelOf(run) ?? (tree.runs[run]?.parent === -1 ? "Start of the session" : "Continues without a prompt");
    const current = tree.runs[run]?.shown === true ? ' aria-current="true"' : "";
    yield `<li class="level-${Math.min(level, DEEPEST_LEVEL)}"><a href="#run-${run}"${current}>${codeHtml(label)}</a></li>\n`;
  }
  yield "</ol>\n";
  const rest = tree.runs.length - listed;
  if (rest > 0) yield `<p class="rest">and ${rest.toLocaleString("en")} more, which are in the page.</p>\n`;
  yield '<button type="button" class="wide scripted" data-action="all-branches" aria-pressed="false">Show all branches in sequence</button>\n</section>\n';
}
