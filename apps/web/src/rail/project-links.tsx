import { ArrowDownWideNarrow, Ellipsis, Folder, Pin, PinOff, UsersRound } from "lucide-react";
import { useDeferredValue, useMemo, useState } from "react";
import { usePreference } from "../browser/preference.ts";
import { useIsHub, useSharedProjects } from "../client/hub.ts";
import { useProjects } from "../client/projects.ts";
import { Button, IconButton } from "../design/button.tsx";
import { Input } from "../design/input.tsx";
import { lazyPart } from "../design/lazy-part.ts";
import { MenuButton } from "../design/menu-button.tsx";
import { withTexts } from "../i18n/locale.ts";
import { t } from "../i18n/text.ts";
import { useListSearch } from "../list/use-list-search.ts";
import { useProjectName } from "../projects/use-project-name.ts";
import { type ArrangedProject, arrangeProjects } from "./arranged-projects.ts";
import { pinnedProjects, projectSort, togglePin } from "./project-choices.ts";
import { RailLink, RailSection } from "./rail-link.tsx";

const ProjectActions = lazyPart(
  withTexts(() => import("../hub/project-actions.tsx")),
  "ProjectActions",
);
const ProjectMenu = lazyPart(
  withTexts(() => import("./project-menu.tsx")),
  "ProjectMenu",
);

/** As many as one takes in at a glance; there may be hundreds. */
const FEW = 10;
/** Links that are added at once: all of thousands would take a second. */
const MORE = 200;

/** The directories that sessions belong to: pinned ones, then as the user has sorted them. */
export function ProjectLinks() {
  const { project } = useListSearch();
  const [most, setMost] = useState(FEW);
  const [filter, setFilter] = useState("");
  const wanted = useDeferredValue(filter);
  const projects = useProjects();
  const nameOf = useProjectName();
  const pinned = usePreference(pinnedProjects);
  const sort = usePreference(projectSort);
  const arranged = useMemo(
    () => arrangeProjects(projects, { pinned, sort, filter: wanted, nameOf }),
    [projects, pinned, sort, wanted, nameOf],
  );
  if (projects.length === 0) return null;
  const shown = arranged.slice(0, most);
  const surplus = arranged.length - shown.length;
  return (
    <RailSection
      title={t("rail.projects")}
      action={
        projects.length > 1 && (
          <MenuButton icon={ArrowDownWideNarrow} label={t("rail.sort_projects")} size="sm">
            {(menu) => <ProjectMenu {...menu} />}
          </MenuButton>
        )
      }
    >
      {projects.length > FEW && (
        <Input
          type="search"
          aria-label={t("rail.filter_projects")}
          placeholder={t("rail.filter_projects")}
          value={filter}
          onChange={({ target }) => setFilter(target.value)}
          onClear={() => setFilter("")}
          onKeyDown={(event) => {
            if (event.key === "Escape" && !event.nativeEvent.isComposing) setFilter("");
          }}
          className="mb-1 px-1 [&_input]:h-7 touch:[&_input]:h-11"
        />
      )}
      {shown.map((one) => (
        <ProjectLink key={one.cwd} project={one} isCurrent={project === one.cwd} />
      ))}
      {arranged.length === 0 && <p className="px-2 py-1.5 text-faint text-xs">{t("rail.no_such_project")}</p>}
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

/** The button of a project: there for the pointer and the keyboard, on a touch screen always. */
const BUTTON =
  "absolute top-0.5 right-0.5 opacity-0 focus-visible:opacity-100 group-hover:opacity-100 group-has-focus-visible:opacity-100 has-[[aria-expanded=true]]:opacity-100 touch:top-0 touch:opacity-100";

/** Leads to the sessions of a project and, once there, back to all of them. */
function ProjectLink({ project, isCurrent }: { project: ArrangedProject; isCurrent: boolean }) {
  const { cwd, name, count, isPinned } = project;
  const isHub = useIsHub();
  const isShared = useSharedProjects().some((shared) => shared.owner === null && shared.project === cwd);
  return (
    <div className="group relative">
      <RailLink
        icon={isPinned ? Pin : isShared ? UsersRound : Folder}
        link={{ to: "/", search: isCurrent ? {} : { project: cwd } }}
        isCurrent={isCurrent}
        count={count}
        title={cwd}
        hasButton
      >
        {name}
      </RailLink>
      {isHub ? (
        <div className={BUTTON}>
          <MenuButton icon={Ellipsis} label={t("list.menu_of", { title: name })} size="sm">
            {(menu) => <ProjectActions {...menu} project={cwd} isPinned={isPinned} onPin={() => togglePin(cwd)} />}
          </MenuButton>
        </div>
      ) : (
        <IconButton
          icon={isPinned ? PinOff : Pin}
          label={t(isPinned ? "rail.unpin_project" : "rail.pin_project", { name })}
          size="sm"
          className={BUTTON}
          onClick={() => togglePin(cwd)}
        />
      )}
    </div>
  );
}
