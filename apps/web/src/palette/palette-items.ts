/** Something that the palette leads to. */
export interface PaletteItem {
  /** The same in every session of the browser, so that what was used is known again. */
  id: string;
  text: string;
  /** Beside the text, and looked at too. */
  detail?: string;
  /** What else it is called, which is not shown. */
  words?: string;
}

/** An item as it is looked through. */
export interface Searchable<Item extends PaletteItem> {
  item: Item;
  folded: string;
  /** Of the detail and the other words: what is found there alone counts less. */
  foldedDetail: string;
}

/** Folds the texts of items once: there may be ten thousand, and they are looked through for every letter. */
export function makeSearchable<Item extends PaletteItem>(items: readonly Item[]): Searchable<Item>[] {
  return items.map((item) => ({
    item,
    folded: fold(item.text),
    foldedDetail: fold(`${item.detail ?? ""} ${item.words ?? ""}`),
  }));
}

/** Without case and marks, which most texts have none of: ten thousand are folded when the palette opens. */
function fold(text: string): string {
  if (/^[ -~]*$/.test(text)) return text.toLowerCase();
  return text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();
}

/** What was found of one kind. */
export interface Found<Item extends PaletteItem> {
  items: Item[];
  /** How good the best of them is, to be compared with other kinds; 0 where nothing was asked for. */
  score: number;
}

/**
 * Finds the items with all words of a query in them, the best first: those that begin with it, then those with words
 * that begin like its words. Of equal ones that which was used last comes first, then that which is listed first.
 *
 * @param recent ids that were used, the latest first.
 */
export function findItems<Item extends PaletteItem>(
  items: readonly Searchable<Item>[],
  query: string,
  recent: readonly string[],
  most: number,
): Found<Item> {
  const whole = fold(query.trim());
  const words = whole.split(/\s+/).filter((word) => word !== "");
  if (words.length === 0) return { items: items.slice(0, most).map(({ item }) => item), score: 0 };
  const found: { item: Item; score: number }[] = [];
  for (const { item, folded, foldedDetail } of items) {
    let score = folded.startsWith(whole) ? 10 : 0;
    for (const word of words) {
      const rank = rankOf(folded, word) ?? (foldedDetail.includes(word) ? 0 : null);
      if (rank === null) {
        score = -1;
        break;
      }
      score += rank;
    }
    if (score >= 0) found.push({ item, score });
  }
  const ages = new Map(recent.map((id, age) => [id, age]));
  const ageOf = ({ item }: { item: Item }) => ages.get(item.id) ?? recent.length;
  found.sort((a, b) => b.score - a.score || ageOf(a) - ageOf(b));
  return { items: found.slice(0, most).map(({ item }) => item), score: found[0]?.score ?? 0 };
}

/** `null` where the word is not there. */
function rankOf(text: string, word: string): number | null {
  const at = text.indexOf(word);
  if (at < 0) return null;
  if (at === 0) return 3;
  return text.includes(` ${word}`) ? 2 : 1;
}
