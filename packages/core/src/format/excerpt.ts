import { cut } from "../session/text.ts";

/** Characters of a message in lists. */
const EXCERPT_LENGTH = 300;

/** Excerpt of a message for lists; `null` if empty. */
export function excerptOfText(text: string): string | null {
  const excerpt = cut(text.trimStart(), EXCERPT_LENGTH).trimEnd();
  return excerpt === "" ? null : excerpt;
}
