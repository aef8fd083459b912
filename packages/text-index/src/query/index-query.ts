import type { Phrase } from "../analysis/phrase.ts";
import type { FieldQuery } from "./field-values.ts";

/** What is evaluated. Leaves that rank documents have a number, so that it can be counted how often a document has each. */
export type IndexQuery =
  | PhrasesNode
  | SubstringNode
  | { type: "values"; query: FieldQuery }
  /** Documents whose key is one of these. */
  | { type: "keys"; keys: ReadonlySet<number> }
  /** Documents whose code is one for which this is true. */
  | { type: "codes"; codes: readonly boolean[] }
  /** Milliseconds since 1970: from `from` on and before `before`. */
  | { type: "time"; from: number; before: number }
  | { type: "and" | "or"; nodes: IndexQuery[] }
  | { type: "not"; node: IndexQuery };

/** Any of these phrases. */
export interface PhrasesNode {
  type: "phrases";
  phrases: readonly Phrase[];
  /** `null` where it does not rank: in what is excluded. */
  leaf: number | null;
}

/** Any text with these characters in it, see `substringPieces`. */
export interface SubstringNode {
  type: "substring";
  text: string;
  leaf: number | null;
}

export type RankingLeaf = PhrasesNode | SubstringNode;

/**
 * What finding a node's documents costs compared with others: an `and` begins with what is cheap. Codes and times are
 * looked up for each document that is left; phrases and substrings are compared in each, so they come later.
 */
export function costOf(node: IndexQuery): number {
  switch (node.type) {
    case "keys":
      return 0;
    case "values":
      return 1;
    case "phrases":
      if (node.phrases.some(({ terms }) => terms.length > 1)) return 5;
      return node.phrases.some(({ prefix }) => prefix) ? 3 : 2;
    case "codes":
    case "time":
      return 4;
    case "substring":
      return 6;
    case "not":
      // At the end only few documents are left that may have what is excluded.
      return 7;
    case "and":
    case "or":
      return Math.max(...node.nodes.map(costOf));
  }
}
