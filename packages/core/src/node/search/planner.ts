import type { IndexQuery, RankingLeaf } from "@sm/text-index";
import type { SplitIdentifier } from "@sm/text-index/analysis";
import { termSections } from "../../search/query-terms.ts";
import type { FieldNode, QueryNode, StateNode } from "../../search/query-tree.ts";
import { readTypedTime } from "../../typed-time.ts";
import { valueQuery } from "./field-queries.ts";
import { kindsOf } from "./plan.ts";

/** External data that a query refers to. */
export interface QueryWorld {
  /** Milliseconds since 1970. */
  now: number;
  split: SplitIdentifier;
  /** Sessions whose working directory contains `text`. */
  inProject(text: string): ReadonlySet<number>;
  /** Sessions of an agent. */
  ofAgent(field: Pick<FieldNode, "value" | "prefix">): ReadonlySet<number>;
  /** Sessions with a tag of this name, or one below it. */
  tagged(field: Pick<FieldNode, "value" | "prefix">): ReadonlySet<number>;
  /** Sessions whose current name matches the field, which `node` is for names in files. */
  named(field: Pick<FieldNode, "value" | "prefix">, node: IndexQuery): ReadonlySet<number>;
  /** Sessions with a note that matches the field. */
  noted(field: Pick<FieldNode, "value" | "prefix">): ReadonlySet<number>;
  /** Sessions with notes. */
  withNotes(): ReadonlySet<number>;
  inState(state: StateNode["state"]): ReadonlySet<number>;
}

export interface Plan {
  root: IndexQuery;
  /** What ranks documents, by number. */
  leaves: RankingLeaf[];
}

/** For pasted paragraphs: further words filter documents without ranking them. */
const MAX_LEAVES = 32;

/** Resolves all external references of a query. */
export function planQuery(query: QueryNode, world: QueryWorld): Plan {
  const leaves: Plan["leaves"] = [];

  const ranking = <Leaf extends RankingLeaf>(leaf: Leaf, ranks: boolean): Leaf => {
    if (!ranks || leaves.length === MAX_LEAVES) return leaf;
    const numbered = { ...leaf, leaf: leaves.length };
    leaves.push(numbered);
    return numbered;
  };

  const text = (value: string, prefix: boolean, ranks: boolean): IndexQuery => {
    const sections = termSections({ type: "term", text: value, quoted: true, prefix }, world.split);
    const nodes = sections.map((phrases) => ranking({ type: "phrases", phrases, leaf: null }, ranks));
    return { type: "and", nodes };
  };

  const field = ({ field, value, prefix }: FieldNode): IndexQuery => {
    switch (field) {
      case "project":
        return { type: "keys", keys: world.inProject(value) };
      case "agent":
        return { type: "keys", keys: world.ofAgent({ value, prefix }) };
      case "tag":
        return { type: "keys", keys: world.tagged({ value, prefix }) };
      case "note":
        return { type: "keys", keys: world.noted({ value, prefix }) };
      case "name": {
        const words = value.split(/\s+/).filter((word) => word !== "");
        const nodes = words.map((word, place) => text(word, prefix && place === words.length - 1, false));
        return { type: "keys", keys: world.named({ value, prefix }, { type: "and", nodes }) };
      }
      default:
        return { type: "values", query: valueQuery(field, { value, prefix }) };
    }
  };

  const plan = (node: QueryNode, ranks: boolean): IndexQuery => {
    switch (node.type) {
      case "and":
      case "or":
        return { type: node.type, nodes: node.nodes.map((child) => plan(child, ranks)) };
      case "not":
        return { type: "not", node: plan(node.node, false) };
      case "term":
        return text(node.text, node.prefix, ranks);
      case "substring":
        return ranking({ type: "substring", text: node.text, leaf: null }, ranks);
      case "field":
        return field(node);
      case "role":
        return kindsOf(node.role);
      case "is":
        return { type: "keys", keys: world.inState(node.state) };
      case "has":
        return { type: "keys", keys: world.withNotes() };
      case "time": {
        // The parser has rejected invalid times.
        const time = readTypedTime(node.value, world.now).time ?? world.now;
        return node.side === "after"
          ? { type: "time", from: time, before: Number.POSITIVE_INFINITY }
          : { type: "time", from: Number.NEGATIVE_INFINITY, before: time };
      }
    }
  };

  return { root: plan(query, true), leaves };
}
