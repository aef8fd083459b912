import { createPreference } from "../browser/preference.ts";

/** Items that are remembered. */
const MOST = 30;

/** Ids of what was chosen in the palette, the latest first. */
export const recentItems = createPreference<readonly string[]>("palette-recent", [], (stored) =>
  Array.isArray(stored) ? stored.filter((id) => typeof id === "string").slice(0, MOST) : [],
);

/** Id of the search for what is typed: another one each time, and never far. */
export const TEXT_SEARCH = "search text";

export function rememberItem(id: string): void {
  if (id === TEXT_SEARCH) return;
  recentItems.set([id, ...recentItems.get().filter((one) => one !== id)].slice(0, MOST));
}
