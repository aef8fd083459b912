import { isUnspacedCharacter, type SplitIdentifier, splitWords, type Word } from "@sm/text-index/analysis";
import type { QueryNode, QueryTerm, TermNode } from "./query-tree.ts";

/** Maximum phrases for combinations of spellings. */
const MAX_PHRASES = 64;

/**
 * Lists the phrases that a term may be indexed as. If there are too many combinations, the term is split into sections
 * that must all match, instead of missing spellings. Empty for a text without words, such as `->`.
 */
export function termSections({ text, prefix }: TermNode, split: SplitIdentifier): QueryTerm[] {
  const words = splitWords(text);
  if (words.length === 0) return [];
  const last = words.at(-1);
  const beforeLast = words.at(-2);
  let open = prefix;
  if (last !== undefined && beforeLast !== undefined && last.start < beforeLast.end) {
    // The single character at the end of a run of pairs: in the text, the run may continue.
    words.pop();
  } else if (last !== undefined && isUnspacedCharacter(last.term)) {
    // In the text, it starts a pair or ends a run.
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

/** The words of a query whose spellings are looked for. */
export function wordsOf(node: QueryNode): string[] {
  switch (node.type) {
    case "and":
    case "or":
      return node.nodes.flatMap(wordsOf);
    case "not":
      return wordsOf(node.node);
    case "term": {
      const words: string[] = [];
      const noting: SplitIdentifier = (word) => {
        words.push(word);
        return [];
      };
      return [...termSections(node, noting).flatMap((phrases) => phrases.flatMap(({ terms }) => terms)), ...words];
    }
    default:
      return [];
  }
}

function spellingsOf(word: Word, prefix: boolean, split: SplitIdentifier): string[][] {
  const spellings = [[word.term], ...split(word.term, prefix)];
  if (word.parts.length > 0) spellings.unshift(word.parts.map((part) => part.term));
  const distinct = new Map(spellings.map((spelling) => [spelling.join(" "), spelling]));
  return [...distinct.values()].slice(0, MAX_PHRASES);
}
