import type { ContextEdit } from "../../session/transcript.ts";
import { editText } from "../wording.ts";
import { anchorOf } from "./anchor.ts";
import type { PageContext } from "./page-context.ts";
import { resultBlocks } from "./tool-output.ts";

/** Marks an entry whose content is replaced for the model, and shows the replacement; empty otherwise. */
export function contextEditHtml(edit: ContextEdit | null, { budget }: Pick<PageContext, "budget">): string {
  if (edit === null) return "";
  const link = `<a href="#${anchorOf(edit.entry_id)}">since this entry</a>`;
  if (edit.replacement === null) return `<p class="edited">${editText(edit)}, ${link}.</p>`;
  const seen = resultBlocks(edit.replacement, null, budget) || '<p class="empty">Nothing</p>';
  return `<details class="aside edited"><summary>${editText(edit)}</summary>${seen}<p>So ${link}.</p></details>`;
}
