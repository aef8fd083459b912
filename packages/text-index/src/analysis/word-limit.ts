/** Truncates a word to `limit` UTF-16 units without splitting a surrogate pair. */
export function cutWord(word: string, limit: number): string {
  return word.length <= limit ? word : word.slice(0, limitWithin(word.charCodeAt(limit - 1), limit));
}

/** Where to truncate a longer word: one unit earlier if `last`, the unit before the limit, is a high surrogate. */
export function limitWithin(last: number, limit: number): number {
  return last >= 0xd800 && last <= 0xdbff ? limit - 1 : limit;
}
