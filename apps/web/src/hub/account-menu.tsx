import { CircleUser } from "lucide-react";
import { useIsHub, useMe } from "../client/hub.ts";
import { lazyPart } from "../design/lazy-part.ts";
import { MenuButton } from "../design/menu-button.tsx";
import { withTexts } from "../i18n/locale.ts";
import { t } from "../i18n/text.ts";

const AccountChoices = lazyPart(
  withTexts(() => import("./account-choices.tsx")),
  "AccountChoices",
);

/** Who uses the page, on a hub; and the way out. */
export function AccountMenu() {
  const isHub = useIsHub();
  const me = useMe();
  if (!isHub) return null;
  const label = me === null ? t("rail.account") : t("rail.account_of", { name: me.name });
  return (
    <MenuButton icon={CircleUser} label={label}>
      {(menu) => <AccountChoices {...menu} />}
    </MenuButton>
  );
}
