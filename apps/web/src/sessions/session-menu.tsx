import type { SessionRecord } from "@sm/router/client";
import {
  Archive,
  ArchiveRestore,
  CheckCheck,
  ChevronsRight,
  Copy,
  Download,
  ExternalLink,
  Folder,
  Link,
  ListTree,
  Pencil,
  Play,
  Star,
  StarOff,
  StickyNote,
  Tag,
  Terminal,
  Trash2,
  UsersRound,
} from "lucide-react";
import { useStarter } from "../agents/use-starter.ts";
import { useIsHub, useMayChange } from "../client/hub.ts";
import { useTags } from "../client/tags.ts";
import { TagDot } from "../design/chip.tsx";
import { MenuCheck, MenuItem, MenuLabel, MenuSeparator, SubMenu } from "../design/menu.tsx";
import { isDesktop } from "../desktop/desktop.ts";
import { reveal } from "../desktop/reveal.ts";
import { requestExport } from "../export/export-request.ts";
import { requestProjectShare } from "../hub/share-request.ts";
import { t } from "../i18n/text.ts";
import { areArchived, areOwn, type SessionActions } from "./session-actions.ts";

export interface SessionMenuProps {
  /** One session, or several that are chosen. */
  records: readonly SessionRecord[];
  actions: SessionActions;
  onRename?(path: string): void;
  /** Lets the user write the note on the session that is open. */
  onNote?(): void;
  onSelect?(path: string): void;
  /** Whether the subagents of the session are shown below it. */
  isUnfolded?: boolean;
  onUnfold?(path: string): void;
  onNewTag(): void;
  onDelete(records: readonly SessionRecord[]): void;
}

/** What can be done with sessions, as the items of a menu. */
export function SessionMenu(props: SessionMenuProps) {
  const { records, actions, onRename, onNote, onSelect, isUnfolded = false, onUnfold, onNewTag, onDelete } = props;
  const { resume } = useStarter();
  const isHub = useIsHub();
  const mayChange = useMayChange();
  const [only] = records.length === 1 ? records : [];
  const canDelete = records.every(({ capabilities }) => capabilities.delete);
  const areFavorites = records.every(({ is_favorite }) => is_favorite);
  return (
    <>
      {only !== undefined && (
        <>
          <MenuItem
            icon={ExternalLink}
            onSelect={() => window.open(`/session?${new URLSearchParams({ path: only.path })}`, "_blank", "noopener")}
          >
            {t(isDesktop ? "desktop.open_in_browser" : "list.open_tab")}
          </MenuItem>
          {onRename !== undefined && only.capabilities.rename && mayChange && (
            <MenuItem icon={Pencil} keys="f2" onSelect={() => onRename(only.path)}>
              {t("list.rename")}
            </MenuItem>
          )}
          {onNote !== undefined && mayChange && (
            <MenuItem icon={StickyNote} onSelect={onNote}>
              {t("list.note")}
            </MenuItem>
          )}
          {onUnfold !== undefined && only.subagent_count > 0 && (
            <MenuItem
              icon={ListTree}
              keys={isUnfolded ? "arrowleft" : "arrowright"}
              onSelect={() => onUnfold(only.path)}
            >
              {t(isUnfolded ? "list.hide_subagents" : "list.show_subagents")}
            </MenuItem>
          )}
          {onSelect !== undefined && (
            <MenuItem icon={CheckCheck} keys="x" onSelect={() => onSelect(only.path)}>
              {t("list.select")}
            </MenuItem>
          )}
        </>
      )}
      {mayChange && (
        <>
          <MenuItem
            icon={areFavorites ? StarOff : Star}
            keys="s"
            onSelect={() => actions.setFavorite(records, !areFavorites)}
          >
            {t(areFavorites ? "list.remove_favorite" : "list.add_favorite")}
          </MenuItem>
          <SubMenu icon={Tag} text={t("list.tags")}>
            <TagChoices records={records} actions={actions} />
            <MenuSeparator />
            <MenuItem onSelect={onNewTag}>{t("list.new_tag")}…</MenuItem>
          </SubMenu>
        </>
      )}
      {mayChange && areOwn(records) && (
        <MenuItem
          icon={areArchived(records) ? ArchiveRestore : Archive}
          keys="e"
          onSelect={() => actions.setArchived(records, !areArchived(records))}
        >
          {t(areArchived(records) ? "list.unarchive" : "list.archive")}
        </MenuItem>
      )}
      <MenuItem
        icon={Download}
        keys="mod+shift+e"
        onSelect={() => requestExport({ paths: records.map(({ path }) => path) })}
      >
        {t("export.choose")}
      </MenuItem>
      {only !== undefined && !isHub && (
        <MenuItem icon={Link} onSelect={() => requestExport({ paths: [only.path], isShared: true })}>
          {t("share.choose")}
        </MenuItem>
      )}
      {isHub && mayChange && only?.cwd != null && only.owner === null && (
        <MenuItem icon={UsersRound} onSelect={() => requestProjectShare(only.cwd)}>
          {t("rail.share_project")}
        </MenuItem>
      )}
      {only !== undefined && (
        <>
          <MenuItem icon={ChevronsRight} onSelect={() => requestExport({ paths: [only.path], isHandOver: true })}>
            {t("export.hand_over")}
          </MenuItem>
          <MenuSeparator />
          {only.capabilities.start && !only.is_live && (
            <MenuItem icon={Play} onSelect={() => resume(only.path)}>
              {t("live.resume_session")}
            </MenuItem>
          )}
          {only.capabilities.resume_command !== null && (
            <MenuItem icon={Terminal} onSelect={() => actions.copyResumeCommand(only)}>
              {t("list.copy_resume")}
            </MenuItem>
          )}
          <MenuItem icon={Copy} onSelect={() => actions.copyPath(only)}>
            {t("list.copy_path")}
          </MenuItem>
          {isDesktop && (
            <MenuItem icon={Folder} onSelect={() => void reveal(only.path)}>
              {t("desktop.reveal")}
            </MenuItem>
          )}
        </>
      )}
      {canDelete && mayChange && (
        <>
          <MenuSeparator />
          <MenuItem icon={Trash2} keys="#" isDanger onSelect={() => onDelete(records)}>
            {t("list.delete")}
          </MenuItem>
        </>
      )}
    </>
  );
}

/** Every tag, checked where all sessions have it. */
export function TagChoices({ records, actions }: Pick<SessionMenuProps, "records" | "actions">) {
  const tags = useTags();
  if (tags.inOrder.length === 0) return <MenuLabel>{t("list.no_tags")}</MenuLabel>;
  return tags.inOrder.map(({ tag, depth }) => {
    const having = records.filter(({ tag_ids }) => tag_ids.includes(tag.id)).length;
    const checked = having === 0 ? false : having === records.length ? true : "indeterminate";
    return (
      <MenuCheck
        key={tag.id}
        keepOpen
        checked={checked}
        onCheckedChange={() => actions.setTag(records, tag.id, checked !== true)}
      >
        <span style={{ paddingLeft: depth * 12 }} />
        <TagDot color={tag.color} />
        {tag.name}
      </MenuCheck>
    );
  });
}
