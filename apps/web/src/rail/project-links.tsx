import { Folder } from "lucide-react";
import { useState } from "react";
import { useProjects } from "../client/projects.ts";
import { Button } from "../design/button.tsx";
import { t } from "../i18n/text.ts";
import { useListSearch } from "../list/use-list-search.ts";
import { useProjectName } from "../projects/use-project-name.ts";
import { RailLink, RailSection } from "./rail-link.tsx";

/** As many as one takes in at a glance; there may be hundreds. */
const FEW = 10;
/** Links that are added at once: all of thousands would take a second. */
const MORE = 200;

/** The directories that sessions belong to, the one that was worked in last first. */
export function ProjectLinks() {
  const { project } = useListSearch();
  const [most, setMost] = useState(FEW);
  const projects = useProjects();
  const nameOf = useProjectName();
  if (projects.length === 0) return null;
  const shown = projects.slice(0, most);
  const surplus = projects.length - shown.length;
  return (
    <RailSection title={t("rail.projects")}>
      {shown.map(({ cwd, count }) => (
        <RailLink
          key={cwd}
          icon={Folder}
          link={{ to: "/", search: { project: cwd } }}
          isCurrent={project === cwd}
          count={count}
          title={cwd}
        >
          {nameOf(cwd)}
        </RailLink>
      ))}
      {surplus > 0 && (
        <Button
          variant="ghost"
          size="sm"
          className="ml-6 text-faint"
          onClick={() => setMost(most === FEW ? MORE : most + MORE)}
        >
          {t("rail.show_all", { count: surplus })}
        </Button>
      )}
      {most > FEW && (
        <Button variant="ghost" size="sm" className="ml-6 text-faint" onClick={() => setMost(FEW)}>
          {t("rail.show_fewer")}
        </Button>
      )}
    </RailSection>
  );
}
