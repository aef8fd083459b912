import { createPreference } from "../browser/preference.ts";

export const PROJECT_SORTS = ["recent", "name", "sessions"] as const;

export type ProjectSort = (typeof PROJECT_SORTS)[number];

/** How the projects of the navigation are sorted. */
export const projectSort = createPreference<ProjectSort>(
  "project-sort",
  "recent",
  (stored) => PROJECT_SORTS.find((sort) => sort === stored) ?? "recent",
);

/** Projects that are remembered; nobody overlooks more. */
const MOST = 100;

/** Working directories that stand above the others, in the order in which they were pinned. */
export const pinnedProjects = createPreference<readonly string[]>("pinned-projects", [], (stored) =>
  Array.isArray(stored) ? stored.filter((cwd) => typeof cwd === "string").slice(0, MOST) : [],
);

/** Pins a project, or no longer. */
export function togglePin(cwd: string): void {
  const others = pinnedProjects.get().filter((one) => one !== cwd);
  const isPinned = others.length < pinnedProjects.get().length;
  pinnedProjects.set(isPinned ? others : [...others, cwd].slice(-MOST));
}
