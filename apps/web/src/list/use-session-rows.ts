import type { SessionRecord } from "@sm/router/client";
import { useDeferredValue, useMemo, useRef } from "react";
import { useSessions } from "../client/service-context.tsx";
import { useTags } from "../client/tags.ts";
import { formatDay } from "../i18n/format.ts";
import { t } from "../i18n/text.ts";
import { projectName } from "../projects/project-name.ts";
import { useHiddenSessions } from "../sessions/pending-deletions.ts";
import type { ListSearch } from "./list-search.ts";
import { type GroupNames, layOutRows, type Row } from "./rows.ts";
import { selectSessions } from "./select.ts";
import { keepSteady, type SteadyList } from "./steady.ts";

export interface SessionRows {
  rows: readonly Row[];
  /** Sessions in the order of the rows. */
  sessions: readonly SessionRecord[];
  /** New sessions that wait until the list may move. */
  held: number;
}

/**
 * Filters, sorts and groups the sessions of the list.
 *
 * @param isHeld whether rows must keep their positions, because the user is about to click.
 */
export function useSessionRows(search: ListSearch, isHeld: boolean): SessionRows {
  const { records, state } = useSessions();
  const hidden = useHiddenSessions();
  const tags = useTags();
  // Typing is more urgent than what it filters.
  const wanted = useDeferredValue(search);
  const shown = useRef<{ search: ListSearch; sessions: readonly SessionRecord[] } | null>(null);

  const selected = useMemo(() => {
    const sessions = selectSessions(records.values(), wanted, tags.below, new Date());
    return hidden.size === 0 ? sessions : sessions.filter(({ path }) => !hidden.has(path));
  }, [records, wanted, tags, hidden]);

  const { sessions, held } = useMemo((): SteadyList => {
    const previous = shown.current;
    const mayMove = !isHeld || state === "loading" || previous === null || previous.search !== wanted;
    const list = mayMove
      ? { sessions: selected, held: 0 }
      : keepSteady(
          previous.sessions.filter(({ path }) => !hidden.has(path)),
          selected,
        );
    shown.current = { search: wanted, sessions: list.sessions };
    return list;
  }, [selected, isHeld, state, wanted, hidden]);

  const group = wanted.group ?? "day";
  const rows = useMemo(() => layOutRows(sessions, group, makeGroupNames()), [sessions, group]);
  return { rows, sessions, held };
}

/** Names days once: a list has few of them and many sessions. */
function makeGroupNames(): GroupNames {
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
    project: (cwd) => (cwd === null ? t("rail.no_project") : projectName(cwd)),
  };
}
