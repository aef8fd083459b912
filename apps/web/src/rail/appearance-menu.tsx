import { SunMoon } from "lucide-react";
import { lazyPart } from "../design/lazy-part.ts";
import { MenuButton } from "../design/menu-button.tsx";
import { withTexts } from "../i18n/locale.ts";
import { t } from "../i18n/text.ts";

const AppearanceChoices = lazyPart(
  withTexts(() => import("./appearance-choices.tsx")),
  "AppearanceChoices",
);

/** Colours and language. */
export function AppearanceMenu() {
  return (
    <MenuButton icon={SunMoon} label={`${t("frame.theme")}, ${t("frame.language")}`}>
      {(menu) => <AppearanceChoices {...menu} />}
    </MenuButton>
  );
}
