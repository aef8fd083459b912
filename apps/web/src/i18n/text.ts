import type { en } from "./en.ts";
import { currentMessage, localeTag, type TextKey } from "./locale.ts";
import { formatMessage, type NamesIn, type Values } from "./message.ts";

export type { TextKey } from "./locale.ts";

type Texts = typeof en;

/** Keys of texts that nothing is put into: what a table of keys may hold. */
export type PlainTextKey = {
  [Key in TextKey]: [NamesIn<Texts[Key]>] extends [never] ? Key : never;
}[TextKey];

/**
 * Translates a text: `t("list.selected", { count })`. Keys and values are type-checked. For components: the whole page
 * is rendered again when the language changes.
 */
export function t<Key extends TextKey>(key: Key, ...[values]: Values<Texts[Key]>): string {
  return formatMessage(currentMessage(key), values ?? {}, localeTag());
}
