import { skipToken, useQuery } from "@tanstack/react-query";
import { useNavigate, useRouterState } from "@tanstack/react-router";
import { Archive, ArrowUp } from "lucide-react";
import { Suspense, useEffect, useMemo, useRef, useState } from "react";
import { INDEX_PROGRESS } from "../client/event-cache.ts";
import { useIsHub, useMayChange } from "../client/hub.ts";
import { useSessionStore, useSessions } from "../client/service-context.tsx";
import { Button } from "../design/button.tsx";
import { ErrorState } from "../design/error-state.tsx";
import { lazyPart } from "../design/lazy-part.ts";
import { EmptyState } from "../design/placeholder.tsx";
import { withTexts } from "../i18n/locale.ts";
import { t } from "../i18n/text.ts";
import { DeleteHost } from "../sessions/delete-host.tsx";
import { useSessionActions } from "../sessions/session-actions.ts";
import { useUndoCount } from "../sessions/undo.ts";
import { useDeletion } from "../sessions/use-deletion.ts";
import { useActions } from "../shortcuts/actions.ts";
import type { RawSearch } from "../url/search-params.ts";
import { textIn } from "../url/search-params.ts";
import { FirstRun, NoMatch, SkeletonRows } from "./empty-list.tsx";
import { FilterChips } from "./filter-chips.tsx";
import { ListHeader } from "./list-header.tsx";
import { ListNews } from "./list-news.tsx";
import { hasFilters, readListSearch } from "./list-search.ts";
import { focusRow, pruneSelection } from "./selection.ts";
import { SessionGrid } from "./session-grid.tsx";
import { useListActions } from "./use-list-actions.ts";
import { useListSearch } from "./use-list-search.ts";
import { useListState } from "./use-list-state.ts";
import { useSessionRows } from "./use-session-rows.ts";

const ArchiveOldDialog = lazyPart(
  withTexts(() => import("../sessions/archive-old-dialog.tsx")),
  "ArchiveOldDialog",
  "asked",
);
const HubFirstRun = lazyPart(
  withTexts(() => import("../hub/first-run.tsx")),
  "HubFirstRun",
  "asked",
);
const NewTagDialog = lazyPart(
  withTexts(() => import("../sessions/new-tag-dialog.tsx")),
  "NewTagDialog",
);
const SelectionBar = lazyPart(
  withTexts(() => import("./selection-bar.tsx")),
  "SelectionBar",
);

/** All sessions: found, arranged, chosen and changed. */
export function SessionList() {
  const search = useListSearch();
  const all = useSessions();
  const store = useSessionStore();
  const actions = useSessionActions();
  const navigate = useNavigate();
  const state = useListState();
  const { selection, setSelection, renaming, setRenaming, unfolded, menuAt, isPointed, setPointed } = state;
  const [tagging, setTagging] = useState<readonly string[] | null>(null);
  const openPath = useRouterState({
    select: ({ location }) =>
      location.pathname === "/session" ? (textIn(location.search as RawSearch, "path") ?? null) : null,
  });
  const isBusy = renaming !== null || menuAt !== null || selection.selected.size > 0;
  const { rows, of, sessions, held, count, hasMore } = useSessionRows(search, unfolded, isPointed || isBusy);
  const shown = useMemo(() => rows.flatMap((row) => (row.kind === "session" ? row.record : [])), [rows]);
  const paths = useMemo(() => shown.map(({ path }) => path), [shown]);
  const byPath = useMemo(() => new Map(shown.map((record) => [record.path, record])), [shown]);
  const recordsOf = (wanted: Iterable<string>) => [...wanted].flatMap((path) => byPath.get(path) ?? []);
  const chosen = recordsOf(selection.selected);

  // Who types fast presses Enter before the list is of what was typed, and means its first session.
  const [entered, setEntered] = useState<string | null>(null);
  const [first] = paths;
  const isOfEntered = entered !== null && (of.q ?? "") === entered;
  useEffect(() => {
    if (!isOfEntered) return;
    setEntered(null);
    if (first !== undefined) void navigate({ to: "/session", search: openedIn(first) });
  }, [isOfEntered, first, navigate]);

  const before = useRef(paths);
  useEffect(() => {
    const rowsBefore = before.current;
    before.current = paths;
    setSelection((now) => pruneSelection(now, (path) => byPath.has(path), rowsBefore));
  }, [byPath, paths, setSelection]);

  // What comes back is shown, although the pointer is over the rows.
  const undoCount = useUndoCount();
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs for another number
  useEffect(() => setPointed(false), [undoCount, setPointed]);

  /** What stands in the list below the open session that goes is shown instead, else what stands above it. */
  function leave(gone: readonly string[]) {
    if (openPath === null || !gone.includes(openPath)) return;
    const at = paths.indexOf(openPath);
    const next = [...paths.slice(at + 1), ...paths.slice(0, Math.max(0, at)).reverse()].find(
      (path) => !gone.includes(path),
    );
    const ofList = (now: object) => readListSearch(now as RawSearch);
    if (next === undefined) void navigate({ to: "/", search: ofList as never, replace: true });
    else
      void navigate({
        to: "/session",
        search: ((now: object) => ({ ...ofList(now), path: next })) as never,
        replace: true,
      });
  }
  const deletion = useDeletion(actions, leave);
  const remove = (targets: readonly string[]) => deletion.remove(recordsOf(targets));

  useListActions({ paths, openPath, selection, setSelection, recordsOf, actions, setRenaming, setTagging, remove });

  const [isArchivingOld, setArchivingOld] = useState(false);
  const mayChange = useMayChange();
  useActions(
    mayChange
      ? [{ id: "list.archive_old", title: "list.archive_old", group: "list", run: () => setArchivingOld(true) }]
      : [],
  );

  const isHub = useIsHub();
  const isEmpty = sessions.length === 0;
  const isArchive = search.archived === true;
  const source = isArchive ? all.archived : all.records;
  const sourceState = isArchive ? (all.archivedState ?? "loading") : all.state;
  const isLoading = sourceState === "loading" && source.size === 0;
  return (
    <>
      <ListHeader
        search={search}
        shown={count}
        onFirst={() => first !== undefined && setSelection((now) => focusRow(now, first))}
        onEnter={setEntered}
        onArchiveOld={() => setArchivingOld(true)}
      />
      <FilterChips search={search} />
      <Progress />
      <ListNews />
      {held > 0 && (
        <div className="flex shrink-0 justify-center pb-1">
          <Button size="sm" icon={ArrowUp} onClick={() => setPointed(false)} className="text-accent">
            {t("list.new", { count: held })}
          </Button>
        </div>
      )}
      {isLoading ? (
        <SkeletonRows />
      ) : sourceState === "failed" && isEmpty ? (
        <ErrorState
          error={all.error}
          title={t("list.failed")}
          onRetry={() => void (isArchive ? store.loadArchived() : store.load())}
        />
      ) : isEmpty && hasFilters(search) && source.size > 0 ? (
        <NoMatch search={search} />
      ) : isEmpty && isArchive ? (
        <EmptyState icon={Archive} title={t("list.archive_empty")}>
          {t("list.archive_text")}
        </EmptyState>
      ) : isEmpty && isHub ? (
        <Suspense fallback={<SkeletonRows />}>
          <HubFirstRun />
        </Suspense>
      ) : isEmpty ? (
        <FirstRun />
      ) : (
        <SessionGrid
          rows={rows}
          onEnd={hasMore ? store.more : null}
          paths={paths}
          openPath={openPath}
          group={search.group ?? "day"}
          sort={search.sort ?? "modified"}
          isOfProject={search.project !== undefined}
          state={state}
          recordsOf={recordsOf}
          actions={actions}
          onNewTag={setTagging}
          onDelete={remove}
        />
      )}
      <Suspense>
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
        {tagging !== null && (
          <NewTagDialog onClose={() => setTagging(null)} records={recordsOf(tagging)} actions={actions} />
        )}
        {isArchivingOld && <ArchiveOldDialog onClose={() => setArchivingOld(false)} />}
      </Suspense>
      <DeleteHost deletion={deletion} />
    </>
  );
}

/** What the URL says with another session open in the list. */
function openedIn(path: string): never {
  return ((now: object) => ({ ...now, path, entry: undefined, leaf: undefined })) as never;
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
