import type { SessionRecord } from "@sm/router/client";
import { MenuAt } from "../design/menu.tsx";
import { t } from "../i18n/text.ts";
import type { SessionActions } from "../sessions/session-actions.ts";
import { SessionMenu } from "../sessions/session-menu.tsx";
import type { ListState } from "./use-list-state.ts";

interface RowMenuProps {
  state: ListState;
  recordsOf(paths: Iterable<string>): readonly SessionRecord[];
  actions: SessionActions;
  onNewTag(paths: readonly string[]): void;
  onDelete(paths: readonly string[]): void;
  /** Where it is open, and of which session; `null`: it is closed. */
  at: ListState["menuAt"];
  onSelect(path: string): void;
  onUnfold(path: string): void;
}

/** The menu of a row; of all that are selected where the row is among them. */
export function RowMenu({ at, state, recordsOf, actions, onNewTag, onDelete, onSelect, onUnfold }: RowMenuProps) {
  const { selection, unfolded, setMenuAt, setRenaming } = state;
  const paths = at === null ? [] : selection.selected.has(at.path) ? selection.selected : [at.path];
  return (
    <MenuAt at={at} label={t("list.actions")} onClose={() => setMenuAt(null)}>
      <SessionMenu
        records={recordsOf(paths)}
        actions={actions}
        onRename={setRenaming}
        onSelect={onSelect}
        isUnfolded={at !== null && unfolded.has(at.path)}
        onUnfold={onUnfold}
        onNewTag={() => onNewTag([...paths])}
        onDelete={(records) => onDelete(records.map(({ path }) => path))}
      />
    </MenuAt>
  );
}
