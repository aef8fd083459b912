import { Folder } from "lucide-react";
import { useMemo, useState } from "react";
import { useSessions } from "../client/service-context.tsx";
import { Button } from "../design/button.tsx";
import { t } from "../i18n/text.ts";
import { useListSearch } from "../list/use-list-search.ts";
import { projectName } from "../projects/project-name.ts";
import { RailLink, RailSection } from "./rail-link.tsx";

/** As many as one takes in at a glance; there may be hundreds. */
const FEW = 10;

/** The directories that sessions belong to, the one that was worked in last first. */
export function ProjectLinks() {
  const { records } = useSessions();
  const { project } = useListSearch();
  const [showsAll, showAll] = useState(false);
  const projects = useMemo(() => {
    const found = new Map<string, { count: number; modified: string }>();
    for (const { cwd, modified_at } of records.values()) {
      if (cwd === null) continue;
      const known = found.get(cwd);
      if (known === undefined) found.set(cwd, { count: 1, modified: modified_at });
      else {
        known.count += 1;
        if (modified_at > known.modified) known.modified = modified_at;
      }
    }
    return [...found].sort(([, a], [, b]) => (a.modified < b.modified ? 1 : -1));
  }, [records]);
  if (projects.length === 0) return null;
  const shown = showsAll ? projects : projects.slice(0, FEW);
  const surplus = projects.length - FEW;
  return (
    <RailSection title={t("rail.projects")}>
      {shown.map(([cwd, { count }]) => (
        <RailLink
          key={cwd}
          icon={Folder}
          link={{ to: "/", search: { project: cwd } }}
          isCurrent={project === cwd}
          count={count}
          title={cwd}
        >
          {projectName(cwd)}
        </RailLink>
      ))}
      {surplus > 0 && (
        <Button variant="ghost" size="sm" className="ml-6 text-faint" onClick={() => showAll(!showsAll)}>
          {showsAll ? t("rail.show_fewer") : t("rail.show_all", { count: surplus })}
        </Button>
      )}
    </RailSection>
  );
}
