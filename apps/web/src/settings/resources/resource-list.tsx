import type { CommandOutput } from "@sm/router/client";
import { useQuery } from "@tanstack/react-query";
import { type LucideIcon, Search } from "lucide-react";
import { type ReactNode, useState } from "react";
import { commandQuery } from "../../client/commands.ts";
import { useService } from "../../client/service-context.tsx";
import { Chip } from "../../design/chip.tsx";
import { ErrorState } from "../../design/error-state.tsx";
import { Input } from "../../design/input.tsx";
import { EmptyState, SkeletonLines } from "../../design/placeholder.tsx";
import { t } from "../../i18n/text.ts";
import { useProjectName } from "../../projects/use-project-name.ts";
import { ResourcePreview } from "./resource-preview.tsx";

type ListCommand = "list_skills" | "list_prompts" | "list_themes";
type Resource = CommandOutput<"list_skills">[number];

export interface ResourceListProps<Name extends ListCommand> {
  command: Name;
  label: string;
  icon: LucideIcon;
  /** Shown when the list is empty. */
  none: string;
  noneText: string;
  nameOf?(resource: CommandOutput<Name>[number]): ReactNode;
  extraOf?(resource: CommandOutput<Name>[number]): ReactNode;
}

/** So many are found without a field to type into. */
const FEW = 8;
/** More would make the page slow; typing finds the others. */
const MOST = 300;

/** The files of one kind that shape what the agent does, with what is wrong with them. */
export function ResourceList<Name extends ListCommand>(props: ResourceListProps<Name>) {
  const { command, label, icon, none, noneText, nameOf, extraOf } = props;
  const [typed, setTyped] = useState("");
  const [opened, setOpened] = useState<Resource | null>(null);
  const projectOf = useProjectName();
  // Files may change whenever somebody edits them, and no event tells so.
  const { data, error, refetch } = useQuery({
    ...commandQuery<ListCommand>(useService(), command, {}),
    refetchOnMount: "always",
  });
  if (data === undefined) {
    if (error === null) return <SkeletonLines count={6} />;
    return <ErrorState title={t("settings.resources_failed")} error={error} onRetry={() => void refetch()} />;
  }
  if (data.length === 0) {
    return (
      <EmptyState icon={icon} title={none}>
        {noneText}
      </EmptyState>
    );
  }
  const words = typed.toLowerCase().split(/\s+/);
  const found = data.filter(({ name, description, path }) => {
    const text = `${name}\n${description ?? ""}\n${path}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
  return (
    <div className="flex flex-col gap-3">
      {data.length > FEW && (
        <Input
          type="search"
          icon={Search}
          aria-label={t("settings.resources_find")}
          placeholder={t("settings.resources_find")}
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
          onClear={() => setTyped("")}
        />
      )}
      <ul aria-label={label} className="flex flex-col gap-px overflow-hidden rounded-lg bg-line">
        {found.slice(0, MOST).map((resource) => (
          <li key={resource.path} className="bg-sunken">
            <button
              type="button"
              onClick={() => setOpened(resource)}
              className="flex w-full items-start gap-4 px-4 py-2.5 text-left -outline-offset-2 hover:bg-hover"
            >
              <ResourceText
                resource={resource}
                projectOf={projectOf}
                name={nameOf?.(resource as CommandOutput<Name>[number]) ?? resource.name}
              />
              {extraOf?.(resource as CommandOutput<Name>[number])}
            </button>
          </li>
        ))}
      </ul>
      {found.length === 0 && <p className="text-muted text-sm">{t("settings.resources_no_match")}</p>}
      {found.length > MOST && (
        <p className="text-faint text-xs">{t("settings.resources_more", { count: found.length - MOST })}</p>
      )}
      {opened !== null && <ResourcePreview resource={opened} onClose={() => setOpened(null)} />}
    </div>
  );
}

interface ResourceTextProps {
  resource: Resource;
  name: ReactNode;
  projectOf(cwd: string): string;
}

function ResourceText({ resource, name, projectOf }: ResourceTextProps) {
  const { description, source, project, enabled, problems } = resource;
  return (
    <span className="flex min-w-0 flex-1 flex-col gap-0.5">
      <span className="flex flex-wrap items-center gap-2 text-sm">
        <span className={`truncate ${enabled ? "" : "text-muted"}`}>{name}</span>
        <span className="text-faint text-xs">
          {project === null ? t(`settings.source_${source}`) : projectOf(project)}
        </span>
        {!enabled && <Chip tone={problems.length > 0 ? "danger" : "plain"}>{t("settings.resource_off")}</Chip>}
      </span>
      {description !== null && <span className="line-clamp-2 text-muted text-sm">{description}</span>}
      {problems.map((problem) => (
        <span key={problem} className="line-clamp-3 text-warning text-xs">
          {problem}
        </span>
      ))}
    </span>
  );
}
