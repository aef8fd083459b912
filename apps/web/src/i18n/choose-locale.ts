/** Languages that there are texts in. */
export type Locale = "en" | "zh";

/** Parses the stored choice of a language; `system` follows the browser's. */
export function readLocale(stored: unknown): Locale | "system" {
  return stored === "en" || stored === "zh" ? stored : "system";
}

/** The language of the page. */
export function wantedLocale(chosen: Locale | "system"): Locale {
  if (chosen !== "system") return chosen;
  const [preferred = "en"] = navigator.languages.filter((tag) => /^(en|zh)\b/i.test(tag));
  return preferred.toLowerCase().startsWith("zh") ? "zh" : "en";
}
