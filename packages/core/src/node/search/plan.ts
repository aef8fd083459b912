import type { IndexQuery } from "@sm/text-index";
import type { SearchRole } from "../../library.ts";
import type { QueryNode } from "../../search/query-tree.ts";
import { PARTS } from "./part-codes.ts";

/** Kinds of text of a role. */
export function kindsOf(role: SearchRole): IndexQuery {
  return { type: "codes", codes: PARTS.map((part) => role === "all" || part.role === role) };
}

/** Whether a query searches text; a query of fields only lists sessions. */
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
