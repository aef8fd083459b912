import { skipToken, useQuery } from "@tanstack/react-query";
import { useRouterState } from "@tanstack/react-router";
import { ArrowUp } from "lucide-react";
import { useEffect, useMemo, useState } from "react";
import { INDEX_PROGRESS } from "../client/event-cache.ts";
import { useSessionStore, useSessions } from "../client/service-context.tsx";
import { Button } from "../design/button.tsx";
import { ErrorState } from "../design/error-state.tsx";
import { t } from "../i18n/text.ts";
import { DeleteDialog } from "../sessions/delete-dialog.tsx";
import { NewTagDialog } from "../sessions/new-tag-dialog.tsx";
import { useSessionActions } from "../sessions/session-actions.ts";
import type { RawSearch } from "../url/search-params.ts";
import { textIn } from "../url/search-params.ts";
import { FirstRun, NoMatch, SkeletonRows } from "./empty-list.tsx";
import { FilterChips } from "./filter-chips.tsx";
import { ListHeader } from "./list-header.tsx";
import { hasFilters } from "./list-search.ts";
import { pruneSelection } from "./selection.ts";
import { SelectionBar } from "./selection-bar.tsx";
import { SessionGrid } from "./session-grid.tsx";
import { useAgentNews } from "./use-agent-news.ts";
import { useListActions } from "./use-list-actions.ts";
import { useListSearch } from "./use-list-search.ts";
import { useListState } from "./use-list-state.ts";
import { useSessionRows } from "./use-session-rows.ts";

/** All sessions: found, arranged, chosen and changed. */
export function SessionList() {
  useAgentNews();
  const search = useListSearch();
  const all = useSessions();
  const store = useSessionStore();
  const actions = useSessionActions();
  const state = useListState();
  const { selection, setSelection, renaming, setRenaming, unfolded, menuAt, isPointed, setPointed } = state;
  const [tagging, setTagging] = useState<readonly string[] | null>(null);
  const [deleting, setDeleting] = useState<readonly string[] | null>(null);
  const openPath = useRouterState({
    select: ({ location }) =>
      location.pathname === "/session" ? (textIn(location.search as RawSearch, "path") ?? null) : null,
  });
  const isBusy = renaming !== null || menuAt !== null || selection.selected.size > 0;
  const { rows, sessions, held, count, hasMore } = useSessionRows(search, unfolded, isPointed || isBusy);
  const shown = useMemo(() => rows.flatMap((row) => (row.kind === "session" ? row.record : [])), [rows]);
  const paths = useMemo(() => shown.map(({ path }) => path), [shown]);
  const byPath = useMemo(() => new Map(shown.map((record) => [record.path, record])), [shown]);
  const recordsOf = (wanted: Iterable<string>) => [...wanted].flatMap((path) => byPath.get(path) ?? []);
  const chosen = recordsOf(selection.selected);

  useEffect(() => setSelection((now) => pruneSelection(now, (path) => byPath.has(path))), [byPath, setSelection]);

  /** Whatever an agent still writes to is deleted only when one insists. */
  function remove(targets: readonly string[]) {
    const records = recordsOf(targets);
    if (records.some(({ is_live }) => is_live)) setDeleting(targets);
    else actions.remove(records);
  }

  useListActions({ paths, openPath, selection, setSelection, recordsOf, actions, setRenaming, setTagging, remove });

  const isEmpty = sessions.length === 0;
  const isLoading = all.state === "loading" && all.records.size === 0;
  return (
    <>
      <ListHeader search={search} shown={count} />
      <FilterChips search={search} />
      <Progress />
      {held > 0 && (
        <div className="flex shrink-0 justify-center pb-1">
          <Button size="sm" icon={ArrowUp} onClick={() => setPointed(false)} className="text-accent">
            {t("list.new", { count: held })}
          </Button>
        </div>
      )}
      {isLoading ? (
        <SkeletonRows />
      ) : all.state === "failed" && isEmpty ? (
        <ErrorState error={all.error} title={t("list.failed")} onRetry={() => void store.load()} />
      ) : isEmpty && hasFilters(search) && all.records.size > 0 ? (
        <NoMatch search={search} />
      ) : isEmpty ? (
        <FirstRun />
      ) : (
        <SessionGrid
          rows={rows}
          onEnd={hasMore ? store.more : null}
          paths={paths}
          openPath={openPath}
          group={search.group ?? "day"}
          state={state}
          recordsOf={recordsOf}
          actions={actions}
          onNewTag={setTagging}
          onDelete={remove}
        />
      )}
      {chosen.length > 0 && (
        <SelectionBar
          records={chosen}
          total={shown.length}
          actions={actions}
          setSelection={setSelection}
          paths={paths}
          onNewTag={() => setTagging([...selection.selected])}
          onDelete={() => remove([...selection.selected])}
        />
      )}
      <NewTagDialog
        open={tagging !== null}
        onClose={() => setTagging(null)}
        records={recordsOf(tagging ?? [])}
        actions={actions}
      />
      <DeleteDialog
        open={deleting !== null}
        onClose={() => setDeleting(null)}
        onDelete={() => actions.remove(recordsOf(deleting ?? []), { force: true })}
      />
    </>
  );
}

/** A line that grows while sessions are loaded, or read for the search. */
function Progress() {
  const { state, records, total } = useSessions();
  const { data: index } = useQuery<{ done: number; total: number }>({ queryKey: INDEX_PROGRESS, queryFn: skipToken });
  const isLoading = state === "loading" && records.size > 0 && records.size < total;
  const progress = isLoading ? { done: records.size, total } : index;
  if (progress === undefined || progress.done >= progress.total) return null;
  const { done, total: all } = progress;
  const text = t(isLoading ? "list.loading" : "list.indexing", { done, total: all });
  return (
    <div className="shrink-0 px-4 pb-1" title={text}>
      <progress
        aria-label={text}
        value={done}
        max={all}
        className="block h-1 w-full appearance-none overflow-hidden rounded-full bg-press [&::-moz-progress-bar]:bg-accent [&::-webkit-progress-bar]:bg-transparent [&::-webkit-progress-value]:bg-accent"
      />
    </div>
  );
}
