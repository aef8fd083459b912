import type { Phrase } from "../analysis/phrase.ts";
import type { FieldQuery } from "./field-values.ts";

/** A query. Leaves that rank documents have a number, to count their frequencies. */
export type IndexQuery =
  | PhrasesNode
  | SubstringNode
  | { type: "values"; query: FieldQuery }
  /** Documents with one of these keys. */
  | { type: "keys"; keys: ReadonlySet<number> }
  /** Documents whose code is `true` here. */
  | { type: "codes"; codes: readonly boolean[] }
  /** Milliseconds since 1970: from `from` on and before `before`. */
  | { type: "time"; from: number; before: number }
  | { type: "and" | "or"; nodes: IndexQuery[] }
  | { type: "not"; node: IndexQuery };

/** Any of these phrases. */
export interface PhrasesNode {
  type: "phrases";
  phrases: readonly Phrase[];
  /** `null` if it does not rank, in exclusions. */
  leaf: number | null;
}

/** Texts that contain these characters, see `substringPieces`. */
export interface SubstringNode {
  type: "substring";
  text: string;
  leaf: number | null;
}

export type RankingLeaf = PhrasesNode | SubstringNode;

/**
 * Relative cost of a node: `and` evaluates cheap nodes first. Codes and times are checked per remaining document;
 * phrases and substrings are compared in each, so they come later.
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
      // Last, when few documents remain to be excluded.
      return 7;
    case "and":
    case "or":
      return Math.max(...node.nodes.map(costOf));
  }
}
