import { LOCALES, type Locale } from "../i18n/locale.ts";
import { t } from "../i18n/text.ts";

/** Languages of the page, each by its own name. */
export function languageChoices(): { value: Locale | "system"; text: string }[] {
  return [
    { value: "system", text: t("frame.language_system") },
    { value: "en", text: LOCALES.en.name },
    { value: "zh", text: LOCALES.zh.name },
  ];
}
