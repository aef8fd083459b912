import { cut } from "../../session/text.ts";
import type { Transcript } from "../../session/transcript.ts";
import { codeHtml } from "./code-html.ts";

export type Labels = Transcript["labels"];

/** Maximum characters of a label. */
const MAX_LABEL_LENGTH = 200;

/** Renders the label of an entry; empty without a label. */
export function bookmark(entryId: string, labels: Labels): string {
  // An ID may be any text, including `constructor`.
  const label = Object.hasOwn(labels, entryId) ? labels[entryId] : undefined;
  if (label === undefined) return "";
  return `<span class="bookmark"><span class="unseen">Bookmark: </span>${codeHtml(cut(label, MAX_LABEL_LENGTH))}</span>`;
}
