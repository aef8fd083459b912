import { cut } from "../session/text.ts";

/** Characters of a message that lists show. */
const EXCERPT_LENGTH = 300;

/** What lists show of what a message says; `null` where it says nothing. */
export function excerptOfText(text: string): string | null {
  const excerpt = cut(text.trimStart(), EXCERPT_LENGTH).trimEnd();
  return excerpt === "" ? null : excerpt;
}
