import { useNavigate } from "@tanstack/react-router";
import { LogOut, UsersRound } from "lucide-react";
import { useMe } from "../client/hub.ts";
import { useService } from "../client/service-context.tsx";
import { MenuAt, MenuItem, MenuLabel, MenuSeparator } from "../design/menu.tsx";
import type { MenuOfButton } from "../design/menu-button.tsx";
import { t } from "../i18n/text.ts";
import { signOut } from "./sign-out.ts";

/** The menu of the user's account. */
export function AccountChoices(menu: MenuOfButton) {
  const me = useMe();
  const service = useService();
  const navigate = useNavigate();
  return (
    <MenuAt {...menu} align="end" side="top">
      {me !== null && <MenuLabel>{`${me.name} · ${t(`hub.role_${me.role}`)}`}</MenuLabel>}
      <MenuItem icon={UsersRound} onSelect={() => void navigate({ to: "/settings/$", params: { _splat: "sharing" } })}>
        {t("settings.sharing")}
      </MenuItem>
      <MenuSeparator />
      <MenuItem icon={LogOut} onSelect={() => void signOut(service)}>
        {t("hub.sign_out")}
      </MenuItem>
    </MenuAt>
  );
}
