import type { TranscriptItem } from "@sm/core";

/** What the user has said, oldest first; what was said several times stands where it was said last. */
export function saidIn(items: readonly (TranscriptItem | undefined)[]): string[] {
  const texts = items.flatMap((item) => {
    if (item?.kind !== "message" || item.role !== "user") return [];
    const text = item.blocks.flatMap((block) => (block.kind === "text" ? block.text : [])).join("\n");
    return text.trim() === "" ? [] : text;
  });
  return [...new Set(texts.toReversed())].toReversed();
}

/**
 * The prompt before the one that stands in the field, or the one after; `null` where there is none, or where something
 * else is being typed.
 */
export function recalled(said: readonly string[], typed: string, by: -1 | 1): string | null {
  const at = typed === "" ? said.length : said.lastIndexOf(typed);
  if (at < 0) return null;
  const next = at + by;
  // After the newest the field is empty again.
  if (by > 0 && next === said.length && typed !== "") return "";
  return said[next] ?? null;
}
