import type { ConversationRow } from "./conversation.ts";

/** What the user has said in a conversation, oldest first; what was said several times stands where it was said last. */
export function saidIn(rows: readonly ConversationRow[]): string[] {
  const texts = rows.flatMap((row) => {
    if (row.kind !== "message" || row.item.role !== "user") return [];
    const text = row.item.blocks.flatMap((block) => (block.kind === "text" ? block.text : [])).join("\n");
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
