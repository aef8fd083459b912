import type { SearchOptions } from "../../library.ts";
import { nameMatcher } from "../../search/own-name.ts";
import { parseQuery } from "../../search/query.ts";
import type { QueryLeaf, QueryNode, StateNode } from "../../search/query-tree.ts";
import type { SearchTask } from "../search/search-tasks.ts";
import type { StateStore } from "../state/ports.ts";

/**
 * Resolves tags, favorites and running agents in a query, for a thread without access to them.
 *
 * @param paths sessions selected by the payload's tags.
 * @param names that sessions have apart from their files, by path.
 * @param live sessions with a running agent.
 * @throws AppError INVALID_PAYLOAD for an invalid query.
 */
export async function searchTask(
  options: SearchOptions,
  paths: readonly string[] | null,
  marks: Pick<StateStore, "favorites" | "sessionsUnderTag">,
  names: ReadonlyMap<string, string>,
  live: ReadonlySet<string>,
): Promise<SearchTask> {
  const leaves = leavesOf(parseQuery(options.query));
  const asksFor = (state: StateNode["state"]) => leaves.some((leaf) => leaf.type === "is" && leaf.state === state);
  const tagged: SearchTask["tagged"] = [];
  const named: SearchTask["named"] = [];
  for (const leaf of leaves) {
    if (leaf.type !== "field") continue;
    const { field, value, prefix } = leaf;
    if (field === "tag") tagged.push({ value, prefix, paths: [...(await marks.sessionsUnderTag(leaf))] });
    if (field !== "name") continue;
    const matches = nameMatcher(leaf);
    named.push({ value, prefix, paths: [...names].flatMap(([path, name]) => (matches(name) ? [path] : [])) });
  }
  return {
    ...options,
    now: Date.now(),
    paths,
    tagged,
    named,
    renamed: named.length === 0 ? [] : [...names.keys()],
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
