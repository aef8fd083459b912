import type { TranscriptItem } from "@sm/core";
import { useNavigate } from "@tanstack/react-router";
import { Bookmark, BookmarkX, Braces, ChevronsRight, Copy, GitFork, Link, StickyNote } from "lucide-react";
import { useCommand } from "../client/commands.ts";
import { useMayChange } from "../client/hub.ts";
import { copyText } from "../design/copy-text.ts";
import { MenuAt, MenuItem, MenuLabel } from "../design/menu.tsx";
import { toast, toastError } from "../design/toast.tsx";
import { isDesktop } from "../desktop/desktop.ts";
import { linkTo } from "../desktop/link.ts";
import { requestExport } from "../export/export-request.ts";
import { costText } from "../i18n/cost.ts";
import { formatCompact, formatMoment } from "../i18n/format.ts";
import { t } from "../i18n/text.ts";
import { plainText } from "./plain-text.ts";

/** For which entry the menu is open, and where. */
export interface EntryMenuPlace {
  item: TranscriptItem;
  at: { x: number; y: number };
}

interface EntryMenuProps {
  path: string;
  canFork: boolean;
  /** `null`: it is closed. */
  place: EntryMenuPlace | null;
  hrefOf(entryId: string): string;
  onSource(entryId: string): void;
  hasNote(entryId: string): boolean;
  onNote(entryId: string): void;
  isBookmarked(entryId: string): boolean;
  onBookmark(entryId: string): void;
  onClose(): void;
}

/** What can be done with an entry. One menu for all entries. */
export function EntryMenu(props: EntryMenuProps) {
  const { path, canFork, place, hrefOf, onSource, hasNote, onNote, isBookmarked, onBookmark, onClose } = props;
  const navigate = useNavigate();
  const mayChange = useMayChange();
  const fork = useCommand("fork_session", {
    onSuccess: ({ path: forked }) => {
      toast({ text: t("transcript.forked") });
      void navigate({ to: "/session", search: { path: forked } });
    },
    onError: (error) => toastError(t("transcript.fork_failed"), error),
  });
  // An address of the service is of no use once the window is closed.
  const link = (id: string) => (isDesktop ? linkTo(path, id) : new URL(hrefOf(id), location.href).href);
  const item = place?.item ?? null;
  return (
    <MenuAt at={place?.at ?? null} onClose={onClose} label={t("transcript.entry_menu")}>
      {item !== null && (
        <>
          {factsOf(item) !== "" && <MenuLabel>{factsOf(item)}</MenuLabel>}
          <MenuItem icon={Link} onSelect={() => void copyText(link(item.id))}>
            {t("transcript.copy_link")}
          </MenuItem>
          <MenuItem icon={Copy} onSelect={() => void copyText(plainText(item))}>
            {t("transcript.copy_text")}
          </MenuItem>
          {canFork && (
            <MenuItem icon={GitFork} onSelect={() => fork.mutate({ path, entry_id: item.id })}>
              {t("transcript.fork_here")}
            </MenuItem>
          )}
          <MenuItem
            icon={ChevronsRight}
            onSelect={() => requestExport({ paths: [path], leafId: item.id, isHandOver: true })}
          >
            {t("transcript.hand_over_here")}
          </MenuItem>
          {mayChange && (
            <>
              <MenuItem icon={isBookmarked(item.id) ? BookmarkX : Bookmark} onSelect={() => onBookmark(item.id)}>
                {t(isBookmarked(item.id) ? "transcript.bookmark_remove" : "transcript.bookmark_add")}
              </MenuItem>
              <MenuItem icon={StickyNote} onSelect={() => onNote(item.id)}>
                {t(hasNote(item.id) ? "transcript.note_edit" : "transcript.note_add")}
              </MenuItem>
            </>
          )}
          <MenuItem icon={Braces} onSelect={() => onSource(item.id)}>
            {t("transcript.show_source")}
          </MenuItem>
        </>
      )}
    </MenuAt>
  );
}

/** When it was written, and what it took. */
function factsOf(item: TranscriptItem): string {
  const facts = item.timestamp === null ? [] : [formatMoment(item.timestamp)];
  const usage = "usage" in item ? item.usage : null;
  if (usage !== null && usage.total_tokens > 0) {
    const cost = costText(usage);
    facts.push(t("transcript.tokens", { tokens: formatCompact(usage.total_tokens) }), ...(cost === null ? [] : [cost]));
  }
  return facts.join(" · ");
}
