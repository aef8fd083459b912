import type { SessionRecord } from "@sm/router/client";
import { groupBy } from "../browser/group-by.ts";
import type { ListGroup, ListSort } from "./list-search.ts";

/** One line of the list. */
export type Row =
  | { readonly kind: "session"; readonly key: string; readonly record: SessionRecord; readonly depth: number }
  | { readonly kind: "group"; readonly key: string; readonly title: string; readonly count: number };

/** What groups are called: by the page's language and calendar. */
export interface GroupNames {
  /** The heading of a day; the same for all times of it. */
  day(time: string): string;
  project(cwd: string | null): string;
}

/** Lays sessions, which are in the order of the list, out in rows. Days are those of the time that it is sorted by. */
export function layOutRows(
  sessions: readonly SessionRecord[],
  group: ListGroup,
  names: GroupNames,
  sort: ListSort = "modified",
): Row[] {
  switch (group) {
    case "none":
      return sessions.map((record) => sessionRow(record, 0));
    case "day":
      return rowsInGroups(sessions, (record) => names.day(sort === "created" ? record.created_at : record.modified_at));
    case "project":
      return rowsInGroups(sessions, (record) => names.project(record.cwd));
    case "forks":
      return forkTree(sessions);
  }
}

/** Groups in the order of their first sessions. */
function rowsInGroups(sessions: readonly SessionRecord[], titleOf: (record: SessionRecord) => string): Row[] {
  const groups = groupBy(sessions, titleOf);
  return [...groups].flatMap(([title, records]): Row[] => [
    { kind: "group", key: `group ${title}`, title, count: records.length },
    ...records.map((record) => sessionRow(record, 0)),
  ]);
}

/** Sessions below the one that they were forked from, where that is in the list. */
function forkTree(sessions: readonly SessionRecord[]): Row[] {
  const listed = new Set(sessions.map(({ path }) => path));
  const forks = groupBy(sessions, ({ path, parent_session_path: parent }) =>
    parent !== null && parent !== path && listed.has(parent) ? parent : null,
  );
  const rows: Row[] = [];
  const shown = new Set<string>();
  // A stack: files that name each other as parents could be deeper than calls may go.
  const walk = (roots: readonly SessionRecord[]) => {
    const open = roots.toReversed().map((record) => ({ record, depth: 0 }));
    for (let next = open.pop(); next !== undefined; next = open.pop()) {
      const { record, depth } = next;
      if (shown.has(record.path)) continue;
      shown.add(record.path);
      rows.push(sessionRow(record, depth));
      for (const fork of (forks.get(record.path) ?? []).toReversed()) open.push({ record: fork, depth: depth + 1 });
    }
  };
  walk(forks.get(null) ?? []);
  // The remaining sessions form cycles, each starting with its first one.
  walk(sessions);
  return rows;
}

/** Puts the subagents of unfolded sessions below them. */
export function unfoldRows(
  rows: readonly Row[],
  unfolded: ReadonlySet<string>,
  subagentsOf: (path: string) => readonly SessionRecord[],
): readonly Row[] {
  if (unfolded.size === 0) return rows;
  const shown = new Set(rows.map(({ key }) => key));
  const all: Row[] = [];
  // A stack, see above.
  const open = rows.toReversed();
  for (let row = open.pop(); row !== undefined; row = open.pop()) {
    all.push(row);
    if (row.kind !== "session" || !unfolded.has(row.key)) continue;
    const { depth } = row;
    const below = subagentsOf(row.key).filter(({ path }) => !shown.has(path));
    for (const { path } of below) shown.add(path);
    open.push(...below.map((record) => sessionRow(record, depth + 1)).reverse());
  }
  return all;
}

function sessionRow(record: SessionRecord, depth: number): Row {
  return { kind: "session", key: record.path, record, depth };
}
