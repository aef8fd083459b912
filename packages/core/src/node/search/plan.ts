import type { IndexQuery } from "@sm/text-index";
import type { SearchRole } from "../../library.ts";
import type { QueryNode } from "../../search/query-tree.ts";
import { PARTS } from "./part-codes.ts";

/** Which kinds of text a role has. */
export function kindsOf(role: SearchRole): IndexQuery {
  return { type: "codes", codes: PARTS.map((part) => role === "all" || part.role === role) };
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
