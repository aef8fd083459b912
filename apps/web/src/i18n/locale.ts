import { createPreference } from "../browser/preference.ts";
import { type Locale, readLocale, wantedLocale } from "./choose-locale.ts";
import type { en } from "./en.ts";
import { enFirst } from "./en-first.ts";
import type { Message } from "./message.ts";

/** Languages that there is a catalogue of, with the tag for Intl and `lang`, and their own names. */
export const LOCALES = {
  en: { tag: "en", name: "English" },
  zh: { tag: "zh-CN", name: "简体中文" },
} as const satisfies Record<Locale, object>;

export type { Locale };

export type TextKey = keyof typeof en;

/** The language of the user's choice; `system` follows the browser's. */
export const localePreference = createPreference<Locale | "system">("locale", "system", readLocale);

type Texts = Readonly<Partial<Record<TextKey, Message>>>;

let current: { locale: Locale; texts: Texts } = { locale: "en", texts: enFirst };

/** Screens bring texts that the list does without, and most of all texts are theirs. */
let areScreensShown = false;

/** Loads the texts of the user's language. The page must be rendered again afterwards. */
export async function loadLocale(): Promise<Locale> {
  const locale = wantedLocale(localePreference.get());
  current = { locale, texts: await loadTexts(locale) };
  document.documentElement.lang = LOCALES[locale].tag;
  return locale;
}

/** Loads the texts of the screens, before one of them is shown. */
async function loadScreenTexts(): Promise<void> {
  areScreensShown = true;
  await loadLocale();
}

/** Loads a screen or a dialog together with its texts. */
export function withTexts<Module>(load: () => Promise<Module>): () => Promise<Module> {
  return async () => (await Promise.all([load(), loadScreenTexts()]))[0];
}

async function loadTexts(locale: Locale): Promise<Texts> {
  if (locale === "zh") return (await import("./zh.ts")).zh;
  return areScreensShown ? (await import("./en.ts")).en : enFirst;
}

/** The language of the page. */
export function currentLocale(): Locale {
  return current.locale;
}

/** The message of a key; the key itself as long as its message is not loaded. */
export function currentMessage(key: TextKey): Message {
  return current.texts[key] ?? key;
}

/** The language tag for Intl. */
export function localeTag(): string {
  return LOCALES[current.locale].tag;
}
