import type { SearchOptions } from "../../library.ts";
import { parseQuery } from "../../search/query.ts";
import type { QueryLeaf, QueryNode, StateNode } from "../../search/query-tree.ts";
import type { SearchTask } from "../search/search-tasks.ts";
import type { StateStore } from "../state/ports.ts";

/**
 * Looks up what a query needs to know of tags, favorites and agents at work, for a thread that cannot ask for it.
 *
 * @param paths what the payload's tags leave over.
 * @param live the sessions in which an agent is at work.
 * @throws AppError INVALID_PAYLOAD for a query that cannot be read.
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
