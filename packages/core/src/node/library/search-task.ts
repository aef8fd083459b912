import type { ArchivedFilter, SearchOptions } from "../../library.ts";
import { nameMatcher } from "../../search/own-name.ts";
import { parseQuery } from "../../search/query.ts";
import type { QueryLeaf, QueryNode, StateNode } from "../../search/query-tree.ts";
import type { SessionOutcome } from "../../session/record.ts";
import type { SearchTask } from "../search/search-tasks.ts";
import type { SharedPaths } from "../search/shared-paths.ts";
import type { BookmarkStore, StateStore } from "../state/ports.ts";
import type { Notes } from "./notes.ts";

/** What of sessions is not in their files. */
export interface SessionState {
  marks: Pick<StateStore, "favorites" | "sessionsUnderTag">;
  /** Names that sessions have apart from their files, by path. */
  names: ReadonlyMap<string, string>;
  /** Sessions with a running agent. */
  live: ReadonlySet<string>;
  archived: SharedPaths;
  /** Sessions whose files their agents will delete soon. */
  expiring(): Promise<string[]>;
  /** Sessions whose last run has ended so. */
  ended(outcome: SessionOutcome): Promise<string[]>;
  notes: Notes;
  bookmarks: Pick<BookmarkStore, "paths">;
}

/**
 * Resolves tags, favorites and running agents in a query, for a thread without access to them.
 *
 * @param paths sessions selected by the payload's tags.
 * @throws AppError INVALID_PAYLOAD for an invalid query.
 */
export async function searchTask(
  options: SearchOptions,
  paths: readonly string[] | null,
  { marks, names, live, archived, expiring, ended, notes, bookmarks }: SessionState,
): Promise<SearchTask> {
  const leaves = leavesOf(parseQuery(options.query));
  const asksFor = (state: StateNode["state"]) => leaves.some((leaf) => leaf.type === "is" && leaf.state === state);
  const tagged: SearchTask["tagged"] = [];
  const named: SearchTask["named"] = [];
  const noted: SearchTask["noted"] = [];
  for (const leaf of leaves) {
    if (leaf.type !== "field") continue;
    const { field, value, prefix } = leaf;
    if (field === "tag") tagged.push({ value, prefix, paths: [...(await marks.sessionsUnderTag(leaf))] });
    if (field === "note") noted.push({ value, prefix, paths: await notes.matching(leaf) });
    if (field !== "name") continue;
    const matches = nameMatcher(leaf);
    named.push({ value, prefix, paths: [...names].flatMap(([path, name]) => (matches(name) ? [path] : [])) });
  }
  return {
    ...options,
    now: Date.now(),
    paths,
    tagged,
    noted,
    withNotes: leaves.some(({ type }) => type === "has") ? await notes.paths() : [],
    named,
    renamed: named.length === 0 ? [] : [...names.keys()],
    favorite: asksFor("favorite") ? await marks.favorites() : [],
    bookmarked: asksFor("bookmarked") ? await bookmarks.paths() : [],
    live: asksFor("live") ? [...live] : [],
    expiring: asksFor("expiring") ? await expiring() : [],
    failed: asksFor("failed") ? await ended("failed") : [],
    aborted: asksFor("aborted") ? await ended("aborted") : [],
    archived: asksFor("archived") ? "include" : archivedIn(options),
    archivedPaths: archived,
  };
}

/** Whoever searches one session has chosen it, archived or not. */
function archivedIn({ path, archived = "exclude" }: SearchOptions): ArchivedFilter {
  return path !== undefined && archived === "exclude" ? "include" : archived;
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
