import { ownValue } from "../../json.ts";
import { cut } from "../../session/text.ts";
import type { Transcript } from "../../session/transcript.ts";
import { codeHtml } from "./code-html.ts";

export type Labels = Transcript["labels"];

/** Maximum characters of a label. */
const MAX_LABEL_LENGTH = 200;

/** Renders the label of an entry, or the bookmark of the user on it; empty without either. */
export function bookmark(entryId: string, labels: Labels): string {
  const label = ownValue(labels, entryId);
  if (label === undefined) return "";
  if (label === "") return '<span class="bookmark">Bookmarked</span>';
  return `<span class="bookmark"><span class="unseen">Bookmark: </span>${codeHtml(cut(label, MAX_LABEL_LENGTH))}</span>`;
}
