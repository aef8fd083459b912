/** Cuts a word to `limit` UTF-16 units without splitting a surrogate pair. */
export function cutWord(word: string, limit: number): string {
  return word.length <= limit ? word : word.slice(0, limitWithin(word.charCodeAt(limit - 1), limit));
}

/** Where a longer word is cut: one unit earlier where `last`, the one before the limit, begins a surrogate pair. */
export function limitWithin(last: number, limit: number): number {
  return last >= 0xd800 && last <= 0xdbff ? limit - 1 : limit;
}
