import { desktop } from "./en/desktop.ts";
import { search } from "./en/search.ts";
import { settings } from "./en/settings.ts";
import { statistics } from "./en/statistics.ts";
import { transcript } from "./en/transcript.ts";
import { enFirst } from "./en-first.ts";

/** Every text of the page in English. Each part of the page has a file of its own. */
export const en = {
  ...enFirst,
  ...desktop,
  ...search,
  ...settings,
  ...statistics,
  ...transcript,
} as const;
