import { createPreference } from "../browser/preference.ts";

/** A search that the user wants to have at hand. */
export interface SavedSearch {
  name: string;
  /** The part of the address behind `/search`, such as `?q=migration`. */
  search: string;
}

/** Searches that are kept, the newest last. The rail shows them. */
export const savedSearches = createPreference<readonly SavedSearch[]>("saved-searches", [], (stored) =>
  Array.isArray(stored) ? stored.filter(isSavedSearch) : [],
);

function isSavedSearch(value: unknown): value is SavedSearch {
  if (typeof value !== "object" || value === null || !("name" in value) || !("search" in value)) return false;
  return typeof value.name === "string" && typeof value.search === "string";
}
