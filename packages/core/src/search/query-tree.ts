import type { Phrase } from "@sm/text-index/analysis";
import type { SearchRole } from "../library.ts";

/** A word or a quoted phrase, as typed. A word with punctuation is a phrase of its parts. */
export interface TermNode {
  type: "term";
  text: string;
  quoted: boolean;
  /** Whether the last word is a prefix. */
  prefix: boolean;
}

/** `~text`: any text that contains these characters, also within words; at least three. */
export interface SubstringNode {
  type: "substring";
  text: string;
}

/** A field whose value is compared case-insensitively: `tool:bash`, `file:src/app.ts`. */
export interface FieldNode {
  type: "field";
  field: "tool" | "project" | "model" | "tag" | "name" | "file" | "agent" | "note";
  value: string;
  /** Whether `value` is a prefix. */
  prefix: boolean;
}

export interface RoleNode {
  type: "role";
  role: SearchRole;
}

export interface StateNode {
  type: "is";
  state: "favorite" | "bookmarked" | "live" | "archived" | "expiring" | "failed" | "aborted";
}

/** `has:note`. */
export interface HasNode {
  type: "has";
  what: "note";
}

/**
 * `before:` and `after:`. `value` is a date, a time, or an expression such as `7d` and `yesterday`, see
 * `readTypedTime`.
 */
export interface TimeNode {
  type: "time";
  side: "before" | "after";
  value: string;
}

/** Conjunction of at least two nodes, of which at least one is not a `not`. */
export interface AndNode {
  type: "and";
  nodes: QueryNode[];
}

/** Disjunction of at least two nodes. */
export interface OrNode {
  type: "or";
  nodes: PositiveNode[];
}

/** Only within an `and`, so that every query has a positive part. */
export interface NotNode {
  type: "not";
  node: PositiveNode;
}

export type QueryLeaf = TermNode | SubstringNode | FieldNode | RoleNode | StateNode | HasNode | TimeNode;
export type PositiveNode = QueryLeaf | AndNode | OrNode;
export type QueryNode = PositiveNode | NotNode;

/** Phrases of a query term, or of a section of a long one; any of them matches. */
export type QueryTerm = Phrase[];
