import type { SessionRecord } from "@sm/router/client";
import { useDeferredValue, useEffect, useMemo, useRef } from "react";
import { groupBy } from "../browser/group-by.ts";
import { useMe } from "../client/hub.ts";
import { useSessionStore, useSessions } from "../client/service-context.tsx";
import { keyOf } from "../client/sessions.ts";
import { useTags } from "../client/tags.ts";
import { formatDay } from "../i18n/format.ts";
import { t } from "../i18n/text.ts";
import { useProjectName } from "../projects/use-project-name.ts";
import { useHiddenSessions } from "../sessions/pending-deletions.ts";
import { listQuery } from "./list-query.ts";
import type { ListSearch } from "./list-search.ts";
import { type GroupNames, layOutRows, type Row, unfoldRows } from "./rows.ts";
import { selectSessions } from "./select.ts";
import { keepSteady, type SteadyList } from "./steady.ts";

export interface SessionRows {
  /** What they are the rows of: typing is ahead of them. */
  of: ListSearch;
  /** With the subagents that are unfolded. */
  rows: readonly Row[];
  /** Those of the list, without subagents. */
  sessions: readonly SessionRecord[];
  /** New sessions that wait until the list may move. */
  held: number;
  /** How many there are, loaded or not. */
  count: number;
  /** Whether more are loaded when the end comes into sight. */
  hasMore: boolean;
}

/** Oldest first, as they were started. */
function subagentsByParent(
  subagents: ReadonlyMap<string, SessionRecord>,
  hidden: ReadonlySet<string>,
): ReadonlyMap<string | null, SessionRecord[]> {
  const shown = [...subagents.values()].filter(({ path }) => !hidden.has(path));
  shown.sort((a, b) => (a.created_at === b.created_at ? 0 : a.created_at < b.created_at ? -1 : 1));
  return groupBy(shown, ({ parent_session_path: parent }) => parent);
}

/**
 * Filters, sorts and groups the sessions of the list.
 *
 * @param unfolded sessions below which their subagents are shown.
 * @param isHeld whether rows must keep their positions, because the user is about to click.
 */
export function useSessionRows(search: ListSearch, unfolded: ReadonlySet<string>, isHeld: boolean): SessionRows {
  const { records, subagents, archived, archivedState, state, isPart, list, total } = useSessions();
  const store = useSessionStore();
  const hidden = useHiddenSessions();
  const tags = useTags();
  const projectOf = useProjectName();
  const me = useMe()?.name ?? null;
  // Typing is more urgent than what it filters.
  const wanted = useDeferredValue(search);
  const shown = useRef<{ search: ListSearch; list: string | null; sessions: readonly SessionRecord[] } | null>(null);

  // A time such as `7d` is another one at each moment, and the list the same until it is changed.
  const query = useMemo(() => listQuery(wanted, tags.below, new Date(), me), [wanted, tags, me]);
  const isArchive = wanted.archived === true;
  useEffect(() => {
    if (!isArchive) store.show(query);
    else if (archivedState === null) void store.loadArchived();
  }, [store, query, isArchive, archivedState]);
  // Until the service answers, the list is made of what is here.
  const answered = isPart && !isArchive && list?.key === keyOf(query) ? list : null;
  const listed = isArchive ? archived : (answered?.records ?? records);
  const listKey = answered?.key ?? null;

  const selected = useMemo(() => {
    const sessions = selectSessions(listed.values(), wanted, tags.below, new Date());
    return hidden.size === 0 ? sessions : sessions.filter(({ path }) => !hidden.has(path));
  }, [listed, wanted, tags, hidden]);

  const { sessions, held } = useMemo((): SteadyList => {
    const previous = shown.current;
    const mayMove =
      !isHeld || state === "loading" || previous === null || previous.search !== wanted || previous.list !== listKey;
    const steady = mayMove
      ? { sessions: selected, held: 0 }
      : keepSteady(
          previous.sessions.filter(({ path }) => !hidden.has(path)),
          selected,
        );
    shown.current = { search: wanted, list: listKey, sessions: steady.sessions };
    return steady;
  }, [selected, isHeld, state, wanted, hidden, listKey]);

  const { group = "day", sort } = wanted;
  const listRows = useMemo(
    () => layOutRows(sessions, group, makeGroupNames(projectOf), sort),
    [sessions, group, projectOf, sort],
  );
  const below = useMemo(() => subagentsByParent(subagents, hidden), [subagents, hidden]);
  const rows = useMemo(
    () => unfoldRows(listRows, unfolded, (path) => below.get(path) ?? []),
    [listRows, unfolded, below],
  );
  const count = answered === null || wanted.model !== undefined ? sessions.length : (answered.total ?? total);
  return { rows, of: wanted, sessions, held, count, hasMore: answered?.hasMore === true };
}

/** Names days once: a list has few of them and many sessions. */
function makeGroupNames(projectOf: (cwd: string) => string): GroupNames {
  const now = new Date();
  const days = new Map<number, string>();
  return {
    day(time) {
      const date = new Date(time);
      const day = date.getFullYear() * 10_000 + date.getMonth() * 100 + date.getDate();
      const known = days.get(day) ?? formatDay(date, now);
      days.set(day, known);
      return known;
    },
    project: (cwd) => (cwd === null ? t("rail.no_project") : projectOf(cwd)),
  };
}
