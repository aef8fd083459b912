import { languageChoices } from "../appearance/language-choices.ts";
import { useThemeChoice } from "../appearance/use-theme-choice.ts";
import { usePreference } from "../browser/preference.ts";
import { MenuAt, MenuChoice, MenuSeparator } from "../design/menu.tsx";
import type { MenuOfButton } from "../design/menu-button.tsx";
import { localePreference } from "../i18n/locale.ts";
import { t } from "../i18n/text.ts";

/** The menu of colours and languages. */
export function AppearanceChoices(menu: MenuOfButton) {
  const locale = usePreference(localePreference);
  return (
    <MenuAt {...menu} align="end" side="top">
      <ThemeChoices />
      <MenuSeparator />
      <MenuChoice
        label={t("frame.language")}
        value={locale}
        onChange={localePreference.set}
        options={languageChoices()}
      />
    </MenuAt>
  );
}

/** Themes are asked for when the menu is open. */
function ThemeChoices() {
  const { value, options, agentOptions, choose } = useThemeChoice();
  return (
    <>
      <MenuChoice label={t("frame.theme")} value={value} onChange={choose} options={options} />
      {agentOptions.length > 0 && (
        <MenuChoice label={t("frame.agent_themes")} value={value} onChange={choose} options={agentOptions} />
      )}
    </>
  );
}
