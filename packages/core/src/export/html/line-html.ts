import { oneLine } from "../../session/text.ts";
import { codeHtml } from "./code-html.ts";

/** Names, paths and models come from the transcript, and may be of any length there. */
const LONGEST = 300;

/** Writes a name or a path as one line of HTML in which nothing is invisible. */
export function lineHtml(text: string, limit = LONGEST): string {
  return codeHtml(oneLine(text, limit));
}
