import { isUnspacedCharacter, type SplitIdentifier, splitWords, type Word } from "@sm/text-index/analysis";
import type { QueryTerm, TermNode } from "./query-tree.ts";

/** Each word of a phrase may have several spellings, and every combination of them is a phrase of its own. */
const MAX_PHRASES = 64;

/**
 * Lists the ways in which the words of a term may stand in the index. Where they are too many, the term comes in
 * several sections, all of which must be in a document: better than to miss one that has the words in a spelling that
 * was left out. None for a text without words, such as `->`.
 */
export function termSections({ text, prefix }: TermNode, split: SplitIdentifier): QueryTerm[] {
  const words = splitWords(text);
  if (words.length === 0) return [];
  const last = words.at(-1);
  const beforeLast = words.at(-2);
  let open = prefix;
  if (last !== undefined && beforeLast !== undefined && last.start < beforeLast.end) {
    // The single character that ends a run of pairs: in the text, the run may go on.
    words.pop();
  } else if (last !== undefined && isUnspacedCharacter(last.term)) {
    // In the text, it begins a pair or ends a run.
    open = true;
  }
  const sections: QueryTerm[] = [];
  let phrases: string[][] = [[]];
  for (const [place, word] of words.entries()) {
    const spellings = spellingsOf(word, open && place === words.length - 1, split);
    if (phrases.length * spellings.length > MAX_PHRASES) {
      sections.push(phrases.map((terms) => ({ terms, prefix: false })));
      phrases = [[]];
    }
    phrases = phrases.flatMap((phrase) => spellings.map((spelling) => [...phrase, ...spelling]));
  }
  sections.push(phrases.map((terms) => ({ terms, prefix: open })));
  return sections;
}

function spellingsOf(word: Word, prefix: boolean, split: SplitIdentifier): string[][] {
  const spellings = [[word.term], ...split(word.term, prefix)];
  if (word.parts.length > 0) spellings.unshift(word.parts.map((part) => part.term));
  const distinct = new Map(spellings.map((spelling) => [spelling.join(" "), spelling]));
  return [...distinct.values()].slice(0, MAX_PHRASES);
}
