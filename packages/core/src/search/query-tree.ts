import type { Phrase } from "@sm/text-index/analysis";
import type { SearchRole } from "../library.ts";

/** A word or a quoted phrase, as typed. A word with punctuation in it stands for the phrase of its pieces. */
export interface TermNode {
  type: "term";
  text: string;
  quoted: boolean;
  /** Whether longer words that begin like the last one match too. */
  prefix: boolean;
}

/** `~text`: any text with these characters in it, also in the middle of words; at least three of them. */
export interface SubstringNode {
  type: "substring";
  text: string;
}

/** A field whose value is looked for as such, whatever its case: `tool:bash`, `file:src/app.ts`. */
export interface FieldNode {
  type: "field";
  field: "tool" | "project" | "model" | "tag" | "name" | "file";
  value: string;
  /** `value` is the beginning of what is wanted. */
  prefix: boolean;
}

export interface RoleNode {
  type: "role";
  role: SearchRole;
}

export interface StateNode {
  type: "is";
  state: "favorite" | "live";
}

/** `before:` and `after:`. `value` is a date, a time or words such as `7d` and `yesterday`, see `readTypedTime`. */
export interface TimeNode {
  type: "time";
  side: "before" | "after";
  value: string;
}

/** All of at least two nodes, of which at least one is no `not`. */
export interface AndNode {
  type: "and";
  nodes: QueryNode[];
}

/** Any of at least two nodes. */
export interface OrNode {
  type: "or";
  nodes: PositiveNode[];
}

/** Only stands in an `and`, so that every tree looks for something. */
export interface NotNode {
  type: "not";
  node: PositiveNode;
}

export type QueryLeaf = TermNode | SubstringNode | FieldNode | RoleNode | StateNode | TimeNode;
export type PositiveNode = QueryLeaf | AndNode | OrNode;
export type QueryNode = PositiveNode | NotNode;

/** The phrases that a term of a query, or a section of a long one, stands for; any of them is a match. */
export type QueryTerm = Phrase[];
