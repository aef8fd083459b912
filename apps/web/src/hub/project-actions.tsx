import { Pin, PinOff, UsersRound } from "lucide-react";
import { MenuAt, MenuItem } from "../design/menu.tsx";
import type { MenuOfButton } from "../design/menu-button.tsx";
import { t } from "../i18n/text.ts";
import { requestProjectShare } from "./share-request.ts";
import { useIsShareable } from "./use-is-shareable.ts";

interface ProjectActionsProps extends MenuOfButton {
  project: string;
  isPinned: boolean;
  onPin(): void;
}

/** What can be done with a project of the navigation, on a hub. */
export function ProjectActions({ project, isPinned, onPin, ...menu }: ProjectActionsProps) {
  const isShareable = useIsShareable(project);
  return (
    <MenuAt {...menu}>
      <MenuItem icon={isPinned ? PinOff : Pin} onSelect={onPin}>
        {t(isPinned ? "hub.unpin_project" : "hub.pin_project")}
      </MenuItem>
      {isShareable && (
        <MenuItem icon={UsersRound} onSelect={() => requestProjectShare(project)}>
          {t("rail.share_project")}
        </MenuItem>
      )}
    </MenuAt>
  );
}
