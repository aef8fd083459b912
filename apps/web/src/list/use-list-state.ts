import { useState } from "react";
import type { MenuPlace } from "../design/menu.tsx";
import { NO_SELECTION, type Selection } from "./selection.ts";

/** Pending user actions in the list. */
export interface ListState {
  selection: Selection;
  setSelection(change: (selection: Selection) => Selection): void;
  /** Path of the session that gets another name. */
  renaming: string | null;
  setRenaming(path: string | null): void;
  /** Paths of the sessions whose subagents are shown. */
  unfolded: ReadonlySet<string>;
  setUnfolded(change: (unfolded: ReadonlySet<string>) => ReadonlySet<string>): void;
  /** Where a menu is open, and of which session. */
  menuAt: (MenuPlace & { path: string }) | null;
  setMenuAt(at: ListState["menuAt"]): void;
  /** Whether the pointer is over the rows. */
  isPointed: boolean;
  setPointed(isPointed: boolean): void;
}

const NONE: ReadonlySet<string> = new Set();

export function useListState(): ListState {
  const [selection, setSelection] = useState(NO_SELECTION);
  const [renaming, setRenaming] = useState<string | null>(null);
  const [unfolded, setUnfolded] = useState<ReadonlySet<string>>(NONE);
  const [menuAt, setMenuAt] = useState<ListState["menuAt"]>(null);
  const [isPointed, setPointed] = useState(false);
  return {
    selection,
    setSelection,
    renaming,
    setRenaming,
    unfolded,
    setUnfolded,
    menuAt,
    setMenuAt,
    isPointed,
    setPointed,
  };
}
