import type { SessionRecord } from "@sm/router/client";
import { useNavigate } from "@tanstack/react-router";
import type { KeyboardEvent } from "react";
import { useActions } from "../shortcuts/actions.ts";
import { focusSession, stayInList } from "../shortcuts/pane-focus.ts";
import type { Action } from "../shortcuts/registry.ts";
import { focusRow, moveBy, selectAll } from "./selection.ts";
import type { ListState } from "./use-list-state.ts";
import type { RowEvents } from "./use-row-events.ts";

interface GridKeysOptions extends Pick<RowEvents, "onToggle" | "onMenu" | "onUnfold"> {
  state: ListState;
  /** Of the sessions, in the order of the rows. */
  paths: readonly string[];
  openPath: string | null;
  recordOf(path: string): SessionRecord | undefined;
  /** Id of the element of the active row. */
  activeRowId: string;
  /** Rows of a page. */
  pageSize(): number;
  scrollTo(path: string): void;
  onDelete(paths: readonly string[]): void;
}

/** What keys do on the list: move, choose, open, read, delete, show the menu, unfold. */
export function useGridKeys(options: GridKeysOptions): (event: KeyboardEvent<HTMLElement>) => void {
  const { state, paths, openPath, recordOf, activeRowId, pageSize, scrollTo, onToggle, onMenu, onUnfold, onDelete } =
    options;
  const { selection, setSelection, unfolded } = state;
  const { active, selected } = selection;
  const navigate = useNavigate();
  useActions(ON_THE_LIST);

  /** Shows a session beside the list, which keeps the focus. */
  function peek(path: string): void {
    if (path === openPath) return;
    const search = (now: object) => ({ ...now, path, entry: undefined, leaf: undefined }) as never;
    void navigate({ to: "/session", search });
  }

  function read(path: string): void {
    peek(path);
    focusSession(path);
  }

  /** To the left a session folds its subagents, and a subagent leads to the one that has started it. */
  function fold(path: string): void {
    const parent = recordOf(path)?.parent_session_path ?? null;
    if (unfolded.has(path)) onUnfold(path);
    else if (parent !== null && unfolded.has(parent) && paths.includes(parent)) {
      setSelection((now) => focusRow(now, parent));
      scrollTo(parent);
    }
  }

  return (event) => {
    const { target, currentTarget, key } = event;
    if (target !== currentTarget) return;
    stayInList();
    const mod = event.ctrlKey || event.metaKey;
    const step = mod ? undefined : STEPS[key]?.(pageSize(), paths.length);
    if (step !== undefined) {
      const next = moveBy(selection, paths, step, event.shiftKey);
      setSelection(() => next);
      if (next.active !== null) scrollTo(next.active);
    } else if (mod && key.toLowerCase() === "a") setSelection((now) => selectAll(now, paths));
    else if (active === null) return;
    else if (key === "Enter") read(active);
    else if (key === " ") peek(active);
    else if (key === "x") onToggle(active);
    else if (key === "ArrowRight" && (recordOf(active)?.subagent_count ?? 0) > 0 && !unfolded.has(active))
      onUnfold(active);
    else if (key === "ArrowRight") read(active);
    else if (key === "ArrowLeft") fold(active);
    else if (key === "Delete") onDelete(selected.size > 0 ? [...selected] : [active]);
    else if (key === "ContextMenu" || (event.shiftKey && key === "F10")) {
      const row = document.getElementById(activeRowId)?.getBoundingClientRect();
      onMenu(active, { x: (row?.left ?? 0) + 48, y: row?.bottom ?? 0, byKey: true });
    } else return;
    event.preventDefault();
  };
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

const ON_LIST = { group: "focused_list", onlyKeys: true, isShownOnly: true, run: () => {} } as const;

const ON_THE_LIST: readonly Action[] = [
  { id: "rows.next", title: "list.next_row", keys: ["arrowdown", "j"], ...ON_LIST },
  { id: "rows.previous", title: "list.row_before", keys: ["arrowup", "k"], ...ON_LIST },
  { id: "rows.ends", title: "list.first_or_last", keys: ["home", "end"], ...ON_LIST },
  { id: "rows.peek", title: "list.peek", keys: "space", ...ON_LIST },
  { id: "rows.read", title: "list.read", keys: ["enter", "arrowright"], ...ON_LIST },
  { id: "rows.select", title: "list.select", keys: "x", ...ON_LIST },
  { id: "rows.select_all", title: "list.select_all", keys: "mod+a", ...ON_LIST },
  { id: "rows.menu", title: "list.actions", keys: "shift+f10", ...ON_LIST },
  { id: "rows.delete", title: "list.delete", keys: "delete", ...ON_LIST },
];
