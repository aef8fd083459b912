import { createPreference } from "../browser/preference.ts";

/** Queries that are remembered. */
const MOST = 20;

/** What was searched for in this browser, the latest first. */
export const searchHistory = createPreference<readonly string[]>("search-history", [], (stored) =>
  Array.isArray(stored) ? stored.filter((query) => typeof query === "string").slice(0, MOST) : [],
);

/** Remembers a query that was used. */
export function rememberSearch(query: string | undefined): void {
  const used = query?.trim() ?? "";
  const before = searchHistory.get();
  if (used === "" || before[0] === used) return;
  searchHistory.set([used, ...before.filter((one) => one !== used)].slice(0, MOST));
}
