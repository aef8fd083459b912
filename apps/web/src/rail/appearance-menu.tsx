import { SunMoon } from "lucide-react";
import { useThemeChoice } from "../appearance/use-theme-choice.ts";
import { usePreference } from "../browser/preference.ts";
import { IconButton } from "../design/button.tsx";
import { Menu, MenuChoice, MenuSeparator } from "../design/menu.tsx";
import { LOCALES, localePreference } from "../i18n/locale.ts";
import { t } from "../i18n/text.ts";

/** Colours and language. */
export function AppearanceMenu() {
  const locale = usePreference(localePreference);
  return (
    <Menu
      trigger={<IconButton icon={SunMoon} label={`${t("frame.theme")}, ${t("frame.language")}`} />}
      align="end"
      side="top"
    >
      <ThemeChoices />
      <MenuSeparator />
      <MenuChoice
        label={t("frame.language")}
        value={locale}
        onChange={localePreference.set}
        options={[
          { value: "system", text: t("frame.language_system") },
          { value: "en", text: LOCALES.en.name },
          { value: "zh", text: LOCALES.zh.name },
        ]}
      />
    </Menu>
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
