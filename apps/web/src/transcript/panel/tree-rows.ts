import type { TreeEntry } from "@sm/core";
import type { SessionTree } from "../../entries/session-tree.ts";

/** What a tree shows: where one can turn, or everything. */
export type TreeFilter = "prompts" | "bookmarks" | "all";

export interface TreeRow {
  entry: TreeEntry;
  level: number;
  /** Something else turns aside above it. */
  startsRun: boolean;
  isOnBranch: boolean;
}

/** Lays a tree out in rows; the beginning of each run is always among them, else a fork would lead nowhere. */
export function treeRows(
  tree: SessionTree,
  branch: ReadonlySet<string | undefined>,
  filter: TreeFilter,
  labels: Readonly<Record<string, string>>,
): TreeRow[] {
  const rows: TreeRow[] = [];
  let startsRun = false;
  let level = 0;
  for (const line of tree.lines()) {
    const entry = tree.entries[line.ordinal];
    if (entry === undefined) continue;
    // What begins a run may be left out; what comes first of it is its beginning then.
    startsRun = line.startsRun || (startsRun && line.level === level);
    level = line.level;
    if (!isShown(entry, filter, labels) && !(line.startsRun && filter === "prompts" && line.level > 0)) continue;
    rows.push({ entry, level: line.level, startsRun, isOnBranch: branch.has(entry.id) });
    startsRun = false;
  }
  return rows;
}

function isShown(entry: TreeEntry, filter: TreeFilter, labels: Readonly<Record<string, string>>): boolean {
  // The agent shows it nowhere either.
  if (entry.type === "usage") return false;
  const isBookmarked = Object.hasOwn(labels, entry.id);
  if (filter === "all") return true;
  if (filter === "bookmarks") return isBookmarked;
  return isBookmarked || isPrompt(entry) || entry.kind === "summary" || entry.subagents !== undefined;
}

/** Whether the user says something in it. */
export function isPrompt({ role }: TreeEntry): boolean {
  return role === "user";
}
