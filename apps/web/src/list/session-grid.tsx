import type { SessionRecord } from "@sm/router/client";
import { Suspense, useEffect, useId, useRef, useState } from "react";
import { useAgents } from "../client/agents.ts";
import { machinesOf } from "../client/machines.ts";
import { useSessions } from "../client/service-context.tsx";
import { useTags } from "../client/tags.ts";
import { classNames } from "../design/class-names.ts";
import { lazyPart } from "../design/lazy-part.ts";
import { formatNumber } from "../i18n/format.ts";
import { withTexts } from "../i18n/locale.ts";
import { t } from "../i18n/text.ts";
import { useProjectName } from "../projects/use-project-name.ts";
import type { SessionActions } from "../sessions/session-actions.ts";
import type { ListGroup, ListSort } from "./list-search.ts";
import { useRowStates } from "./row-state.ts";
import type { Row } from "./rows.ts";
import { focusRow } from "./selection.ts";
import { SessionRow } from "./session-row.tsx";
import { useGridKeys } from "./use-grid-keys.ts";
import { useListScroll } from "./use-list-scroll.ts";
import type { ListState } from "./use-list-state.ts";
import { useRowEvents } from "./use-row-events.ts";
import { usualModel } from "./usual-model.ts";

const RowMenu = lazyPart(
  withTexts(() => import("./row-menu.tsx")),
  "RowMenu",
);

export interface SessionGridProps {
  rows: readonly Row[];
  /** Of the sessions, in the order of the rows. */
  paths: readonly string[];
  openPath: string | null;
  /** Loads more rows; `null` where there are no more. */
  onEnd: (() => void) | null;
  group: ListGroup;
  sort: ListSort;
  /** Whether the list is of one project, which need not be said in each row. */
  isOfProject: boolean;
  state: ListState;
  recordsOf(paths: Iterable<string>): readonly SessionRecord[];
  actions: SessionActions;
  onNewTag(paths: readonly string[]): void;
  onDelete(paths: readonly string[]): void;
}

/** The rows of the list, of which only those in sight exist. The grid itself has the focus, whatever row is active. */
export function SessionGrid(props: SessionGridProps) {
  const { rows, paths, openPath, onEnd, group, sort, isOfProject, state, actions, onDelete } = props;
  const { selection, setSelection, renaming, menuAt, setPointed } = state;
  const tags = useTags();
  const agents = useAgents();
  const projectOf = useProjectName();
  const isProjectSaid = group === "project" || isOfProject;
  const stateOf = useRowStates();
  const { records } = useSessions();
  const usual = usualModel(records);
  const areMachinesSaid = machinesOf(records).length > 1;
  const gridId = useId();
  const scroller = useRef<HTMLDivElement>(null);
  const [isMenuWanted, setMenuWanted] = useState(false);
  const wantMenu = () => setMenuWanted(true);
  const { virtualizer, heading, indexOf, pageSize, isRestored } = useListScroll(rows, scroller);
  const items = virtualizer.getVirtualItems();
  const activeIndex = selection.active === null ? -1 : indexOf(selection.active);
  const activeRowId = `${gridId}-${activeIndex}`;
  const isActiveThere = items.some(({ index }) => index === activeIndex);
  const events = useRowEvents(state, paths, scroller);
  const recordOf = (path: string) => props.recordsOf([path])[0];
  const scrollTo = (path: string) => virtualizer.scrollToIndex(indexOf(path), { align: "auto" });
  const onKeyDown = useGridKeys({
    ...events,
    state,
    paths,
    openPath,
    recordOf,
    activeRowId,
    pageSize,
    scrollTo,
    onDelete,
  });

  const isNearEnd = (items.at(-1)?.index ?? 0) >= rows.length - AHEAD;
  // biome-ignore lint/correctness/useExhaustiveDependencies: asks once for each end that comes into sight
  useEffect(() => {
    if (isNearEnd) onEnd?.();
  }, [isNearEnd, onEnd, rows.length]);

  // What has gone from under the pointer is not left by it.
  useEffect(() => () => setPointed(false), [setPointed]);

  // Keeps an open session visible; its row is the starting point of the keyboard.
  const wasRestored = useRef(isRestored);
  const isOpenListed = openPath !== null && indexOf(openPath) >= 0;
  // biome-ignore lint/correctness/useExhaustiveDependencies: afterwards the list is scrolled by its reader alone
  useEffect(() => {
    if (openPath === null || !isOpenListed) return;
    setSelection((now) => (now.active === openPath ? now : focusRow(now, openPath)));
    if (!wasRestored.current) scrollTo(openPath);
    wasRestored.current = false;
  }, [openPath, isOpenListed]);

  return (
    <div
      className="relative min-h-0 flex-1 overflow-clip"
      onPointerEnter={(event) => {
        wantMenu();
        if (event.pointerType === "mouse") setPointed(true);
      }}
      onPointerLeave={() => setPointed(false)}
    >
      {heading !== null && (
        <div
          aria-hidden
          style={{ height: heading.height, transform: `translateY(${-heading.pushed}px)` }}
          className={classNames(HEADING, "absolute inset-x-0 top-0 z-10 bg-panel")}
        >
          <GroupHeading title={heading.row.title} count={heading.row.count} />
        </div>
      )}
      <div
        ref={scroller}
        role="grid"
        data-keys="handled"
        aria-label={t("list.rows")}
        aria-multiselectable
        aria-rowcount={rows.length}
        aria-activedescendant={isActiveThere ? activeRowId : undefined}
        tabIndex={0}
        onFocus={wantMenu}
        onKeyDown={onKeyDown}
        className="h-full overflow-y-auto overscroll-contain outline-none"
      >
        <div role="rowgroup" style={{ height: virtualizer.getTotalSize() }} className="relative">
          {items.map(({ index, key, start, size }) => {
            const row = rows[index];
            if (row === undefined) return null;
            return (
              <div
                key={key}
                role="presentation"
                style={{ transform: `translateY(${start}px)`, height: size }}
                className="absolute inset-x-0 top-0 py-px"
              >
                {row.kind === "group" ? (
                  <div role="row" aria-rowindex={index + 1} className={classNames(HEADING, "h-full")}>
                    <GroupHeading title={row.title} count={row.count} />
                  </div>
                ) : (
                  <SessionRow
                    id={`${gridId}-${index}`}
                    rowIndex={index + 1}
                    record={row.record}
                    depth={row.depth}
                    state={stateOf(row.record)}
                    group={group}
                    sort={sort}
                    usualModel={usual}
                    agentName={agents.find(({ format }) => format === row.record.format)?.name ?? null}
                    machine={areMachinesSaid ? row.record.machine : null}
                    project={isProjectSaid || row.record.cwd === null ? null : projectOf(row.record.cwd)}
                    isUnfolded={state.unfolded.has(row.key)}
                    isOpen={row.key === openPath}
                    isSelected={selection.selected.has(row.key)}
                    isActive={row.key === selection.active}
                    isSelecting={selection.selected.size > 0}
                    isRenaming={row.key === renaming}
                    tags={tags}
                    actions={actions}
                    {...events}
                  />
                )}
              </div>
            );
          })}
        </div>
      </div>
      <Suspense>
        {isMenuWanted && <RowMenu {...props} at={menuAt} onSelect={events.onToggle} onUnfold={events.onUnfold} />}
      </Suspense>
    </div>
  );
}

/** Rows before the end at which more are loaded. */
const AHEAD = 50;

/** The same in its row and above the rows, so that nothing moves when it stays there. */
const HEADING = "flex items-end gap-2 px-6 pb-1 text-xs";

function GroupHeading({ title, count }: { title: string; count: number }) {
  return (
    <>
      <span role="rowheader" className="truncate font-strong text-muted">
        {title}
      </span>
      <span role="gridcell" className="text-faint tabular-nums">
        {formatNumber(count)}
      </span>
    </>
  );
}
