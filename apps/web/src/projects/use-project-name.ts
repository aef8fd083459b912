import { useCallback, useMemo } from "react";
import { useProjects } from "../client/projects.ts";
import { projectName, projectNames } from "./project-name.ts";

/** Names projects by their working directories, so that no two are called the same. */
export function useProjectName(): (cwd: string) => string {
  const projects = useProjects();
  const names = useMemo(() => projectNames(projects.map(({ cwd }) => cwd)), [projects]);
  return useCallback((cwd) => names.get(cwd) ?? projectName(cwd), [names]);
}
