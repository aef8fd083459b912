import { cut } from "../../session/text.ts";
import type { Transcript } from "../../session/transcript.ts";
import { codeHtml } from "./code-html.ts";

export type Labels = Transcript["labels"];

/** Characters of a label that are shown. */
const MAX_LABEL_LENGTH = 200;

/** Shows the label that somebody gave to an entry; empty where it has none. */
export function bookmark(entryId: string, labels: Labels): string {
  // An id may be any text, `constructor` too.
  const label = Object.hasOwn(labels, entryId) ? labels[entryId] : undefined;
  if (label === undefined) return "";
  return `<span class="bookmark"><span class="unseen">Bookmark: </span>${codeHtml(cut(label, MAX_LABEL_LENGTH))}</span>`;
}
