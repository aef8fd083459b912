import { type MouseEvent, type RefObject, useCallback, useRef } from "react";
import { useSessionStore } from "../client/service-context.tsx";
import type { MenuPlace } from "../design/menu.tsx";
import { toastError } from "../design/toast.tsx";
import { t } from "../i18n/text.ts";
import { focusSession } from "../shortcuts/pane-focus.ts";
import { clearSelection, extendTo, focusRow, toggleRow, toggleTo } from "./selection.ts";
import type { ListState } from "./use-list-state.ts";

/** Events of rows. The functions are stable, so that a row is rendered again only when its session changes. */
export interface RowEvents {
  onClick(event: MouseEvent, path: string): void;
  /** @param isRange whether all rows from the last one on are meant. */
  onToggle(path: string, isRange?: boolean): void;
  onMenu(path: string, at: MenuPlace): void;
  onRenamed(): void;
  /** Shows the subagents of a session below it, or no longer. */
  onUnfold(path: string): void;
}

/** @param paths of the sessions, in the order of the rows. */
export function useRowEvents(
  { setSelection, setMenuAt, setRenaming, setUnfolded }: ListState,
  paths: readonly string[],
  scroller: RefObject<HTMLElement | null>,
): RowEvents {
  const store = useSessionStore();
  const latestPaths = useRef(paths);
  latestPaths.current = paths;
  const onClick = useCallback(
    (event: MouseEvent, path: string) => {
      scroller.current?.focus({ preventScroll: true });
      const isRange = event.shiftKey;
      if (!isRange && !event.ctrlKey && !event.metaKey) {
        setSelection((now) => clearSelection(focusRow(now, path)));
        // What is typed next is for its agent.
        if (store.get().records.get(path)?.is_live === true) focusSession(path);
        return;
      }
      event.preventDefault();
      setSelection((now) => (isRange ? extendTo(now, latestPaths.current, path) : toggleRow(now, path)));
    },
    [setSelection, scroller, store],
  );
  const onToggle = useCallback(
    (path: string, isRange = false) =>
      setSelection((now) => (isRange ? toggleTo(now, latestPaths.current, path) : toggleRow(now, path))),
    [setSelection],
  );
  const onMenu = useCallback(
    (path: string, at: MenuPlace) => {
      // What the menu has taken the focus from gets it back.
      scroller.current?.focus({ preventScroll: true });
      setSelection((now) => (now.selected.has(path) ? now : focusRow(clearSelection(now), path)));
      setMenuAt({ path, ...at });
    },
    [setSelection, setMenuAt, scroller],
  );
  const onRenamed = useCallback(() => {
    setRenaming(null);
    scroller.current?.focus({ preventScroll: true });
  }, [setRenaming, scroller]);
  const onUnfold = useCallback(
    (path: string) => {
      store.loadSubagents(path).catch((error) => toastError(t("list.subagents_failed"), error));
      setUnfolded((now) => {
        const next = new Set(now);
        if (!next.delete(path)) next.add(path);
        return next;
      });
    },
    [store, setUnfolded],
  );
  return { onClick, onToggle, onMenu, onRenamed, onUnfold };
}
