import type { SessionRecord } from "@sm/router/client";
import type { MouseEvent } from "react";
import type { TagTree } from "../client/tags.ts";
import type { MenuPlace } from "../design/menu.tsx";
import type { SessionActions } from "../sessions/session-actions.ts";
import type { ListGroup, ListSort } from "./list-search.ts";
import type { RowState } from "./row-state.ts";

/** What a row is of, and what happens in it. */
export interface SessionRowProps {
  record: SessionRecord;
  depth: number;
  /** Of the row, for what the grid says of it. */
  id: string;
  rowIndex: number;
  /** Whether its subagents are shown below. */
  isUnfolded: boolean;
  isOpen: boolean;
  isSelected: boolean;
  /** Whether the keyboard is here. */
  isActive: boolean;
  /** Whether rows are being chosen, so that every one shows its box. */
  isSelecting: boolean;
  isRenaming: boolean;
  /** What its agent does, where that is known. */
  state: RowState | null;
  /** What the rows are grouped by need not be said in each. */
  group: ListGroup;
  /** What the rows are sorted by is said in each. */
  sort: ListSort;
  /** The model that need not be said. */
  usualModel: string | null;
  /** Of the agent; `null` where all rows are of one. */
  agentName: string | null;
  /** Name of the machine that has sent it; `null` where all rows are of one. */
  machine: string | null;
  /** Of its working directory; `null` where that is said elsewhere. */
  project: string | null;
  tags: TagTree;
  actions: SessionActions;
  onClick(event: MouseEvent, path: string): void;
  onToggle(path: string, isRange: boolean): void;
  onMenu(path: string, at: MenuPlace): void;
  onRenamed(): void;
  onUnfold(path: string): void;
}
