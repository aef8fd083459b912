import type { SessionRecord } from "@sm/router/client";
import { proseText } from "../i18n/prose-text.ts";

/** What a row says below its title: what was said last, else first, unless the title says the same; `null` for nothing. */
export function rowText({
  title,
  first_message: first,
  last_message: last,
}: Pick<SessionRecord, "title" | "first_message" | "last_message">): string | null {
  const shown = wordsOf(title);
  for (const message of [last, first]) {
    const words = wordsOf(message ?? "");
    if (words !== "" && !words.startsWith(shown) && !shown.startsWith(words)) return proseText(message ?? "");
  }
  return null;
}

/** For comparing: a title may be the beginning of a message, and cut within its signs of Markdown. */
function wordsOf(text: string): string {
  return text
    .replace(/…$/u, "")
    .replace(/[`*_~]/gu, "")
    .trim();
}
