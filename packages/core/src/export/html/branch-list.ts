import { codeHtml } from "./code-html.ts";
import type { RunTree } from "./run-tree.ts";

/** Branches in the list; the page contains all of them. */
const LISTED_BRANCHES = 500;
/** Maximum indentation of the list. */
const DEEPEST_LEVEL = 6;

/**
 * Renders the branches as a list: the continued conversation keeps its level, alternatives at a fork are indented below
 * it, so that depth reflects the number of detours and not the length of the session.
 *
 * @param labelOf first message of a run, `null` if it has none.
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
