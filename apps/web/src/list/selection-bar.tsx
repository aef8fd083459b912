import type { SessionRecord } from "@sm/router/client";
import { Archive, ArchiveRestore, Ellipsis, Star, Tag, Trash2, X } from "lucide-react";
import { useMayChange } from "../client/hub.ts";
import { Button, IconButton } from "../design/button.tsx";
import { Menu, MenuItem, MenuSeparator } from "../design/menu.tsx";
import { t } from "../i18n/text.ts";
import { areArchived, areOwn, type SessionActions } from "../sessions/session-actions.ts";
import { SessionMenu, TagChoices } from "../sessions/session-menu.tsx";
import { clearSelection, type Selection, selectAll } from "./selection.ts";

export interface SelectionBarProps {
  records: readonly SessionRecord[];
  total: number;
  paths: readonly string[];
  actions: SessionActions;
  setSelection(change: (selection: Selection) => Selection): void;
  onNewTag(): void;
  onDelete(): void;
}

/** What can be done with all sessions that are chosen, below the list. */
export function SelectionBar({ records, total, paths, actions, setSelection, onNewTag, onDelete }: SelectionBarProps) {
  const mayChange = useMayChange();
  const areFavorites = records.every(({ is_favorite }) => is_favorite);
  return (
    <div role="toolbar" aria-label={t("list.actions")} className="flex shrink-0 items-center gap-1 bg-accent-soft p-2">
      <IconButton
        icon={X}
        label={t("list.clear_selection")}
        keys="escape"
        size="sm"
        onClick={() => setSelection(clearSelection)}
      />
      <output className="min-w-0 flex-1 truncate px-1 text-sm tabular-nums">
        {t("list.selected", { count: records.length })}
      </output>
      {records.length < total && (
        <Button size="sm" variant="ghost" onClick={() => setSelection((now) => selectAll(now, paths))}>
          {t("list.select_all")}
        </Button>
      )}
      {mayChange && (
        <>
          <IconButton
            icon={Star}
            label={t(areFavorites ? "list.remove_favorite" : "list.add_favorite")}
            keys="s"
            size="sm"
            onClick={() => actions.setFavorite(records, !areFavorites)}
          />
          <Menu trigger={<IconButton icon={Tag} label={t("list.tags")} size="sm" />} side="top" align="end">
            <TagChoices records={records} actions={actions} />
            <MenuSeparator />
            <MenuItem onSelect={onNewTag}>{t("list.new_tag")}…</MenuItem>
          </Menu>
        </>
      )}
      {mayChange && areOwn(records) && (
        <IconButton
          icon={areArchived(records) ? ArchiveRestore : Archive}
          label={t(areArchived(records) ? "list.unarchive" : "list.archive")}
          keys="e"
          size="sm"
          onClick={() => actions.setArchived(records, !areArchived(records))}
        />
      )}
      {mayChange && records.some(({ capabilities }) => capabilities.delete) && (
        <IconButton icon={Trash2} label={t("list.delete")} keys="#" size="sm" onClick={onDelete} />
      )}
      <Menu trigger={<IconButton icon={Ellipsis} label={t("list.actions")} size="sm" />} side="top" align="end">
        <SessionMenu records={records} actions={actions} onNewTag={onNewTag} onDelete={onDelete} />
      </Menu>
    </div>
  );
}
