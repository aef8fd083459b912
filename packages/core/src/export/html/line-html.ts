import { oneLine } from "../../session/text.ts";
import { codeHtml } from "./code-html.ts";

/** Names, paths and models in a transcript may have any length. */
const LONGEST = 300;

/** Writes a name or a path as one line of HTML with visible symbols for invisible characters. */
export function lineHtml(text: string, limit = LONGEST): string {
  return codeHtml(oneLine(text, limit));
}
