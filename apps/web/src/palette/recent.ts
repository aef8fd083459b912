import { createPreference } from "../browser/preference.ts";

/** Items that are remembered. */
const MOST = 30;

/** Ids of what was chosen in the palette, the latest first. */
export const recentItems = createPreference<readonly string[]>("palette-recent", [], (stored) =>
  Array.isArray(stored) ? stored.filter((id) => typeof id === "string").slice(0, MOST) : [],
);

export function rememberItem(id: string): void {
  recentItems.set([id, ...recentItems.get().filter((one) => one !== id)].slice(0, MOST));
}
