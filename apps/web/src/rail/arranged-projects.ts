import type { Project } from "../client/projects.ts";
import type { ProjectSort } from "./project-choices.ts";

export interface ArrangedProject extends Project {
  readonly name: string;
  readonly isPinned: boolean;
}

interface Arrangement {
  pinned: readonly string[];
  sort: ProjectSort;
  /** Words that have to be in the directory. */
  filter: string;
  nameOf(cwd: string): string;
}

const byName = new Intl.Collator(undefined, { numeric: true, sensitivity: "base" });

/** Puts the pinned projects first and sorts the others, of which the last used is the first in `projects`. */
export function arrangeProjects(
  projects: readonly Project[],
  { pinned, sort, filter, nameOf }: Arrangement,
): ArrangedProject[] {
  const words = filter.toLowerCase().split(/\s+/u);
  const places = new Map(pinned.map((cwd, at) => [cwd, at]));
  const found = projects
    .filter(({ cwd }) => words.every((word) => cwd.toLowerCase().includes(word)))
    .map((project) => ({ ...project, name: nameOf(project.cwd), isPinned: places.has(project.cwd) }));
  if (sort === "name") found.sort((a, b) => byName.compare(a.name, b.name));
  if (sort === "sessions") found.sort((a, b) => b.count - a.count);
  const placeOf = ({ cwd }: Project) => places.get(cwd) ?? pinned.length;
  return found.sort((a, b) => placeOf(a) - placeOf(b));
}
