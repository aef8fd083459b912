import type { ContextEdit } from "../../session/transcript.ts";
import { editText } from "../wording.ts";
import { anchorOf } from "./anchor.ts";
import type { PageContext } from "./page-context.ts";
import { resultBlocks } from "./tool-output.ts";

/** Marks an entry of which the model sees something else, with what it sees; empty where there is nothing to mark. */
export function contextEditHtml(edit: ContextEdit | null, { budget }: Pick<PageContext, "budget">): string {
  if (edit === null) return "";
  const link = `<a href="#${anchorOf(edit.entry_id)}">since this entry</a>`;
  if (edit.replacement === null) return `<p class="edited">${editText(edit)}, ${link}.</p>`;
  const seen = resultBlocks(edit.replacement, null, budget) || '<p class="empty">Nothing</p>';
  return `<details class="aside edited"><summary>${editText(edit)}</summary>${seen}<p>So ${link}.</p></details>`;
}
