import { useNavigate } from "@tanstack/react-router";
import { Languages, Rows3, Rows4, SunMoon } from "lucide-react";
import { useMemo } from "react";
import { densityPreference } from "../appearance/density.ts";
import { languageChoices } from "../appearance/language-choices.ts";
import { themePreference } from "../appearance/theme.ts";
import { usePreference } from "../browser/preference.ts";
import { useIsHub, useMayChange } from "../client/hub.ts";
import { localePreference } from "../i18n/locale.ts";
import { type PlainTextKey, t } from "../i18n/text.ts";
import { groupsFor, type SectionName } from "../settings/sections.ts";
import type { PaletteEntry } from "./palette-entry.ts";
import { makeSearchable } from "./palette-items.ts";

/** What else people call it. */
const WORDS: Readonly<Partial<Record<SectionName, PlainTextKey>>> = {
  sessions: "palette.words_directories",
  appearance: "palette.words_theme",
  "api-keys": "palette.words_api_keys",
  versions: "palette.words_versions",
  vault: "palette.words_vault",
};

/** The parts of the settings, and the choices of how the page looks. */
export function useSettingsEntries() {
  const navigate = useNavigate();
  const isHub = useIsHub();
  const mayChange = useMayChange();
  // Texts are those of the language.
  const locale = usePreference(localePreference);
  // biome-ignore lint/correctness/useExhaustiveDependencies: see above
  return useMemo(() => {
    const sections = groupsFor({ isHub, mayChange })
      .flatMap(({ sections }) => sections)
      .map(({ name, title, icon }): PaletteEntry => {
        const words = WORDS[name];
        return {
          id: `settings ${name}`,
          text: t(title),
          detail: t("rail.settings"),
          ...(words !== undefined && { words: t(words) }),
          icon,
          run: () => void navigate({ to: "/settings/$", params: { _splat: name } }),
        };
      });
    const densities = (["comfortable", "compact"] as const).map(
      (density): PaletteEntry => ({
        id: `density ${density}`,
        text: t(`settings.density_${density}`),
        detail: t("settings.density"),
        icon: density === "compact" ? Rows4 : Rows3,
        run: () => densityPreference.set(density),
      }),
    );
    const themes = (["light", "dark", "system"] as const).map(
      (theme): PaletteEntry => ({
        id: `theme ${theme}`,
        text: t(`frame.theme_${theme}`),
        detail: t("frame.theme"),
        words: t("palette.words_theme"),
        icon: SunMoon,
        run: () => themePreference.set(theme),
      }),
    );
    const languages = languageChoices().map(
      ({ value, text }): PaletteEntry => ({
        id: `language ${value}`,
        text,
        detail: t("frame.language"),
        words: LANGUAGE_WORDS,
        icon: Languages,
        run: () => localePreference.set(value),
      }),
    );
    return makeSearchable([...sections, ...densities, ...themes, ...languages]);
  }, [navigate, locale, isHub, mayChange]);
}

/** Found in every language: who cannot read the page looks for another one. */
const LANGUAGE_WORDS = "language 语言";
