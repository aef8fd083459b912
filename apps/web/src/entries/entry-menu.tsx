import type { TranscriptItem } from "@sm/core";
import { useNavigate } from "@tanstack/react-router";
import { Braces, Copy, GitFork, Link } from "lucide-react";
import { useCommand } from "../client/commands.ts";
import { copyText } from "../design/copy-text.ts";
import { MenuAt, MenuItem } from "../design/menu.tsx";
import { toast, toastError } from "../design/toast.tsx";
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
  onClose(): void;
}

/** What can be done with an entry. One menu for all entries. */
export function EntryMenu({ path, canFork, place, hrefOf, onSource, onClose }: EntryMenuProps) {
  const navigate = useNavigate();
  const fork = useCommand("fork_session", {
    onSuccess: ({ path: forked }) => {
      toast({ text: t("transcript.forked") });
      void navigate({ to: "/session", search: { path: forked } });
    },
    onError: (error) => toastError(t("transcript.fork_failed"), error),
  });
  const item = place?.item ?? null;
  return (
    <MenuAt at={place?.at ?? null} onClose={onClose} label={t("transcript.entry_menu")}>
      {item !== null && (
        <>
          <MenuItem icon={Link} onSelect={() => void copyText(new URL(hrefOf(item.id), location.href).href)}>
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
          <MenuItem icon={Braces} onSelect={() => onSource(item.id)}>
            {t("transcript.show_source")}
          </MenuItem>
        </>
      )}
    </MenuAt>
  );
}
