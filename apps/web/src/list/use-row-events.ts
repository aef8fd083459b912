import { type MouseEvent, type RefObject, useCallback, useRef } from "react";
import { clearSelection, extendTo, focusRow, toggleRow } from "./selection.ts";
import type { ListState } from "./use-list-state.ts";

/** Events of rows. The functions are stable, so that a row is rendered again only when its session changes. */
export interface RowEvents {
  onClick(event: MouseEvent, path: string): void;
  onToggle(path: string): void;
  onMenu(path: string, at: { x: number; y: number }): void;
  onRenamed(): void;
}

/** @param paths of the sessions, in the order of the rows. */
export function useRowEvents(
  { setSelection, setMenuAt, setRenaming }: ListState,
  paths: readonly string[],
  scroller: RefObject<HTMLElement | null>,
): RowEvents {
  const latestPaths = useRef(paths);
  latestPaths.current = paths;
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
    [setSelection, scroller],
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
  }, [setRenaming, scroller]);
  return { onClick, onToggle, onMenu, onRenamed };
}
