import type { SearchOptions } from "../../library.ts";
import { parseQuery } from "../../search/query.ts";
import type { QueryLeaf, QueryNode, StateNode } from "../../search/query-tree.ts";
import type { SearchTask } from "../search/search-tasks.ts";
import type { StateStore } from "../state/ports.ts";

/**
 * Resolves tags, favorites and running agents in a query, for a thread without access to them.
 *
 * @param paths sessions selected by the payload's tags.
 * @param live sessions with a running agent.
 * @throws AppError INVALID_PAYLOAD for an invalid query.
 */
export async function searchTask(
  options: SearchOptions,
  paths: readonly string[] | null,
  marks: Pick<StateStore, "favorites" | "sessionsUnderTag">,
  live: ReadonlySet<string>,
): Promise<SearchTask> {
  const leaves = leavesOf(parseQuery(options.query));
  const asksFor = (state: StateNode["state"]) => leaves.some((leaf) => leaf.type === "is" && leaf.state === state);
  const tagged: SearchTask["tagged"] = [];
  for (const leaf of leaves) {
    if (leaf.type !== "field" || leaf.field !== "tag") continue;
    tagged.push({ value: leaf.value, prefix: leaf.prefix, paths: [...(await marks.sessionsUnderTag(leaf))] });
  }
  return {
    ...options,
    now: Date.now(),
    paths,
    tagged,
    favorite: asksFor("favorite") ? await marks.favorites() : [],
    live: asksFor("live") ? [...live] : [],
  };
}

function leavesOf(node: QueryNode): QueryLeaf[] {
  switch (node.type) {
    case "and":
    case "or":
      return node.nodes.flatMap(leavesOf);
    case "not":
      return leavesOf(node.node);
    default:
      return [node];
  }
}
