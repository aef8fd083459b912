import type { SessionRecord } from "@sm/router/client";
import { useNavigate } from "@tanstack/react-router";
import { type KeyboardEvent, type MouseEvent, useCallback, useEffect, useId, useRef } from "react";
import { useTags } from "../client/tags.ts";
import { MenuAt } from "../design/menu.tsx";
import { formatNumber } from "../i18n/format.ts";
import { t } from "../i18n/text.ts";
import type { SessionActions } from "../sessions/session-actions.ts";
import { SessionMenu } from "../sessions/session-menu.tsx";
import type { ListGroup } from "./list-search.ts";
import type { Row } from "./rows.ts";
import { clearSelection, extendTo, focusRow, moveBy, selectAll, toggleRow } from "./selection.ts";
import { RENAME_FIELD, SessionRow } from "./session-row.tsx";
import { useListScroll } from "./use-list-scroll.ts";
import type { ListState } from "./use-list-state.ts";

export interface SessionGridProps {
  rows: readonly Row[];
  /** Of the sessions, in the order of the rows. */
  paths: readonly string[];
  openPath: string | null;
  group: ListGroup;
  state: ListState;
  recordsOf(paths: Iterable<string>): readonly SessionRecord[];
  actions: SessionActions;
  onNewTag(paths: readonly string[]): void;
  onDelete(paths: readonly string[]): void;
}

/** The rows of the list, of which only those in sight exist. The grid itself has the focus, whatever row is active. */
export function SessionGrid(props: SessionGridProps) {
  const { rows, paths, openPath, actions } = props;
  const { selection, setSelection, renaming, setRenaming, menuAt, setMenuAt, setPointed } = props.state;
  const navigate = useNavigate();
  const tags = useTags();
  const gridId = useId();
  const scroller = useRef<HTMLDivElement>(null);
  const { virtualizer, heading, indexOf } = useListScroll(rows, scroller);
  const items = virtualizer.getVirtualItems();
  const activeIndex = selection.active === null ? -1 : indexOf(selection.active);
  const isActiveThere = items.some(({ index }) => index === activeIndex);
  const latestPaths = useRef(paths);
  latestPaths.current = paths;

  // What has gone from under the pointer is not left by it.
  useEffect(() => () => setPointed(false), [setPointed]);

  const open = useCallback(
    (path: string) => {
      const search = (now: object) => ({ ...now, path, entry: undefined, leaf: undefined }) as never;
      void navigate({ to: "/session", search });
    },
    [navigate],
  );

  // An open session is in sight, wherever it was opened from; its row is where the keyboard goes on.
  const openIndex = openPath === null ? -1 : indexOf(openPath);
  const isOpenListed = openIndex >= 0;
  // biome-ignore lint/correctness/useExhaustiveDependencies: afterwards the list is scrolled by its reader alone
  useEffect(() => {
    if (openPath === null || !isOpenListed) return;
    setSelection((now) => (now.active === openPath ? now : focusRow(now, openPath)));
    virtualizer.scrollToIndex(indexOf(openPath), { align: "auto" });
  }, [openPath, isOpenListed]);

  const onClick = useCallback(
    (event: MouseEvent, path: string) => {
      scroller.current?.focus({ preventScroll: true });
      const isRange = event.shiftKey;
      if (!isRange && !event.ctrlKey && !event.metaKey) {
        setSelection((now) => clearSelection(focusRow(now, path)));
        return;
      }
      event.preventDefault();
      setSelection((now) => (isRange ? extendTo(now, latestPaths.current, path) : toggleRow(now, path)));
    },
    [setSelection],
  );
  const onToggle = useCallback((path: string) => setSelection((now) => toggleRow(now, path)), [setSelection]);
  const onMenu = useCallback(
    (path: string, at: { x: number; y: number }) => {
      setSelection((now) => (now.selected.has(path) ? now : focusRow(clearSelection(now), path)));
      setMenuAt({ path, ...at });
    },
    [setSelection, setMenuAt],
  );
  const onRenamed = useCallback(() => {
    setRenaming(null);
    scroller.current?.focus({ preventScroll: true });
  }, [setRenaming]);

  function onKeyDown(event: KeyboardEvent<HTMLDivElement>) {
    if (event.target !== event.currentTarget) return;
    const { active } = selection;
    const mod = event.ctrlKey || event.metaKey;
    const page = Math.max(1, Math.floor((scroller.current?.clientHeight ?? 0) / 56) - 1);
    const step = mod ? undefined : STEPS[event.key]?.(page, paths.length);
    if (step !== undefined) {
      const next = moveBy(selection, paths, step, event.shiftKey);
      setSelection(() => next);
      if (next.active !== null) virtualizer.scrollToIndex(indexOf(next.active), { align: "auto" });
    } else if (mod && event.key.toLowerCase() === "a") setSelection((now) => selectAll(now, paths));
    else if (event.key === "Enter" && active !== null) open(active);
    else if ((event.key === " " || event.key === "x") && active !== null) onToggle(active);
    else if (event.key === "Delete" && active !== null)
      props.onDelete(selection.selected.size > 0 ? [...selection.selected] : [active]);
    else if ((event.key === "ContextMenu" || (event.shiftKey && event.key === "F10")) && active !== null) {
      const row = document.getElementById(`${gridId}-${activeIndex}`)?.getBoundingClientRect();
      onMenu(active, { x: (row?.left ?? 0) + 48, y: row?.bottom ?? 0 });
    } else return;
    event.preventDefault();
  }

  const menuPaths = menuAt === null ? [] : selection.selected.has(menuAt.path) ? selection.selected : [menuAt.path];
  return (
    <div
      className="relative min-h-0 flex-1"
      onPointerEnter={(event) => event.pointerType === "mouse" && setPointed(true)}
      onPointerLeave={() => setPointed(false)}
    >
      {heading !== null && virtualizer.scrollOffset !== null && virtualizer.scrollOffset > 0 && (
        <div aria-hidden className="absolute inset-x-0 top-0 z-10 flex gap-2 bg-panel px-6 py-1.5 text-xs touch:py-2">
          <GroupHeading title={heading.title} count={heading.count} />
        </div>
      )}
      <div
        ref={scroller}
        role="grid"
        aria-label={t("list.rows")}
        aria-multiselectable
        aria-rowcount={rows.length}
        aria-activedescendant={isActiveThere ? `${gridId}-${activeIndex}` : undefined}
        tabIndex={0}
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
                  <div role="row" aria-rowindex={index + 1} className="flex h-full items-end gap-2 px-6 pb-1 text-xs">
                    <GroupHeading title={row.title} count={row.count} />
                  </div>
                ) : (
                  <SessionRow
                    id={`${gridId}-${index}`}
                    rowIndex={index + 1}
                    record={row.record}
                    depth={row.depth}
                    group={props.group}
                    isOpen={row.key === openPath}
                    isSelected={selection.selected.has(row.key)}
                    isActive={row.key === selection.active}
                    isSelecting={selection.selected.size > 0}
                    isRenaming={row.key === renaming}
                    tags={tags}
                    actions={actions}
                    onClick={onClick}
                    onToggle={onToggle}
                    onMenu={onMenu}
                    onRenamed={onRenamed}
                  />
                )}
              </div>
            );
          })}
        </div>
      </div>
      <MenuAt
        at={menuAt}
        label={t("list.actions")}
        onClose={() => setMenuAt(null)}
        onClosed={() => (document.getElementById(RENAME_FIELD) ?? scroller.current)?.focus({ preventScroll: true })}
      >
        <SessionMenu
          records={props.recordsOf(menuPaths)}
          actions={actions}
          onRename={setRenaming}
          onSelect={onToggle}
          onNewTag={() => props.onNewTag([...menuPaths])}
          onDelete={(records) => props.onDelete(records.map(({ path }) => path))}
        />
      </MenuAt>
    </div>
  );
}

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

/** How far keys go, with the rows of a page and of the list. */
const STEPS: Readonly<Record<string, (page: number, all: number) => number>> = {
  ArrowDown: () => 1,
  ArrowUp: () => -1,
  j: () => 1,
  k: () => -1,
  PageDown: (page) => page,
  PageUp: (page) => -page,
  Home: (_page, all) => -all,
  End: (_page, all) => all,
};
