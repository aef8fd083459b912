import type { SearchRole } from "../../library.ts";
import type { Phrase, QueryNode } from "../../search/query-tree.ts";
import type { ValueQuery } from "./fields.ts";
import { PARTS } from "./part-codes.ts";

/**
 * What is evaluated: a query with all that has to be looked up first. Leaves that rank documents have a number, so that
 * it can be counted how often a document has each.
 */
export type PlanNode =
  | PhrasesNode
  | SubstringLeaf
  | { type: "values"; query: ValueQuery }
  | { type: "sessions"; keys: ReadonlySet<number> }
  /** Kinds of text by code. */
  | { type: "kinds"; codes: readonly boolean[] }
  /** Milliseconds since 1970: from `from` on and before `before`. */
  | { type: "time"; from: number; before: number }
  | { type: "and" | "or"; nodes: PlanNode[] }
  | { type: "not"; node: PlanNode };

/** Any of these phrases. */
export interface PhrasesNode {
  type: "phrases";
  phrases: readonly Phrase[];
  /** `null` where it does not rank: in what is excluded. */
  leaf: number | null;
}

export interface SubstringLeaf {
  type: "substring";
  text: string;
  leaf: number | null;
}

export type RankingLeaf = PhrasesNode | SubstringLeaf;

/**
 * What finding a node's documents costs compared with others: an `and` begins with what is cheap. Kinds and times are
 * looked up for each document that is left; phrases and substrings are compared in each, so they come later.
 */
export function costOf(node: PlanNode): number {
  switch (node.type) {
    case "sessions":
      return 0;
    case "values":
      return 1;
    case "phrases":
      if (node.phrases.some(({ terms }) => terms.length > 1)) return 5;
      return node.phrases.some(({ prefix }) => prefix) ? 3 : 2;
    case "kinds":
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

/** Which kinds of text a role has. */
export function kindsOf(role: SearchRole): PlanNode {
  return { type: "kinds", codes: PARTS.map((part) => role === "all" || part.role === role) };
}

/** Whether a query looks for text: one of fields alone lists sessions instead. */
export function looksForText(node: QueryNode): boolean {
  switch (node.type) {
    case "term":
    case "substring":
      return true;
    case "and":
    case "or":
      return node.nodes.some(looksForText);
    default:
      return false;
  }
}
