import { type Density, densityPreference } from "../appearance/density.ts";
import { languageChoices } from "../appearance/language-choices.ts";
import { useThemeChoice } from "../appearance/use-theme-choice.ts";
import { usePreference } from "../browser/preference.ts";
import { useIsHub } from "../client/hub.ts";
import { Segments } from "../design/choices.tsx";
import { isDesktop } from "../desktop/desktop.ts";
import { localePreference } from "../i18n/locale.ts";
import { t } from "../i18n/text.ts";
import { NotificationSwitch } from "./notification-switch.tsx";
import { PushDevices } from "./push-devices.tsx";
import { SectionIntro, SettingsGroup } from "./section-parts.tsx";

/** Colours, language, density and notifications: what only this browser remembers. */
export function AppearanceSection() {
  const { value, options, agentOptions, choose } = useThemeChoice();
  const locale = usePreference(localePreference);
  const density = usePreference(densityPreference);
  const isHub = useIsHub();
  return (
    <>
      <SectionIntro>{t("settings.appearance_text")}</SectionIntro>
      <SettingsGroup title={t("frame.theme")}>
        <Segments label={t("frame.theme")} value={value} onChange={choose} options={options} />
      </SettingsGroup>
      {agentOptions.length > 0 && (
        <SettingsGroup title={t("frame.agent_themes")}>
          <Segments label={t("frame.agent_themes")} value={value} onChange={choose} options={agentOptions} />
        </SettingsGroup>
      )}
      <SettingsGroup title={t("frame.language")}>
        <Segments
          label={t("frame.language")}
          value={locale}
          onChange={localePreference.set}
          options={languageChoices()}
        />
      </SettingsGroup>
      <SettingsGroup title={t("settings.density")}>
        <Segments<Density>
          label={t("settings.density")}
          value={density}
          onChange={densityPreference.set}
          options={[
            { value: "comfortable", text: t("settings.density_comfortable") },
            { value: "compact", text: t("settings.density_compact") },
          ]}
        />
      </SettingsGroup>
      {/* Agents tell of themselves where they run. */}
      {!isHub && (
        <SettingsGroup title={t("frame.notifications")}>
          <NotificationSwitch />
        </SettingsGroup>
      )}
      {!isDesktop && !isHub && (
        <SettingsGroup title={t("push.title")}>
          <PushDevices />
        </SettingsGroup>
      )}
    </>
  );
}
