import type { PageBudget } from "./budget.ts";
import { proseHtml } from "./prose.ts";

/** Renders a note of the user on a session or an entry. */
export function ownNoteHtml(text: string, budget: PageBudget): string {
  return `<aside class="own-note"><p class="own-note-title">Note</p>${proseHtml(text, "answer", budget)}</aside>`;
}
