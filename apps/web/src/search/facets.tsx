import { agentName } from "@sm/core";
import { useQuery } from "@tanstack/react-query";
import { ChevronDown } from "lucide-react";
import { type ReactNode, useMemo } from "react";
import { useAgents } from "../client/agents.ts";
import { commandQuery } from "../client/commands.ts";
import { type Project, useProjects } from "../client/projects.ts";
import { useService, useSessions } from "../client/service-context.tsx";
import { useTags } from "../client/tags.ts";
import { Button } from "../design/button.tsx";
import { Chip, TagDot } from "../design/chip.tsx";
import { Menu, MenuCheck, MenuChoice, MenuLabel } from "../design/menu.tsx";
import { t } from "../i18n/text.ts";
import { projectName } from "../projects/project-name.ts";
import { useProjectName } from "../projects/use-project-name.ts";
import { PERIODS, sinceText } from "../url/periods.ts";
import { FACETS, NO_FACETS, ROLES, type SearchChange, type SearchState } from "./search-state.ts";

interface FacetsProps {
  state: SearchState;
  onChange(change: SearchChange): void;
}

/** Values of a facet that a menu holds; the query takes any other. */
const MAX_VALUES = 40;

/** A menu's value for no value. Roles, periods and what comes from sessions are never empty. */
const ANY = "";

/** What narrows a search: a menu for each facet, and a chip for each that is set. */
export function Facets({ state, onChange }: FacetsProps) {
  const agents = useAgents();
  return (
    <div className="flex flex-wrap items-center gap-1 pt-2">
      <div className="flex gap-1 phone:-mx-4 phone:w-screen phone:overflow-x-auto phone:px-2">
        <Facet name={t("search.role")}>
          <MenuChoice
            label={t("search.role_label")}
            value={state.role ?? ANY}
            options={[
              { value: ANY, text: t("search.role_any") },
              ...ROLES.map((role) => ({ value: role, text: t(`search.role_${role}`) })),
            ]}
            onChange={(role) => onChange({ role: role === ANY ? undefined : role })}
          />
        </Facet>
        <Facet name={t("search.project")}>
          <ProjectChoice state={state} onChange={onChange} />
        </Facet>
        {agents.length > 0 && (
          <Facet name={t("search.agent")}>
            <MenuChoice
              label={t("search.agent")}
              value={state.agent ?? ANY}
              options={[
                { value: ANY, text: t("search.agent_any") },
                ...agents.map(({ format, name }) => ({ value: format, text: name })),
              ]}
              onChange={(agent) => onChange({ agent: agent === ANY ? undefined : agent })}
            />
          </Facet>
        )}
        <Facet name={t("search.model")}>
          <ModelChoice state={state} onChange={onChange} />
        </Facet>
        <Facet name={t("search.tool")}>
          <ToolChoice state={state} onChange={onChange} />
        </Facet>
        <Facet name={t("search.time")}>
          <MenuChoice
            label={t("search.time_label")}
            value={state.since ?? ANY}
            options={[
              { value: ANY, text: t("list.period_any") },
              ...withChosen(PERIODS, state.since ?? ANY).map((time) => ({ value: time, text: sinceText(time) })),
            ]}
            onChange={(since) => onChange({ since: since === ANY ? undefined : since })}
          />
        </Facet>
        <Facet name={t("search.tag")}>
          <TagChoice state={state} onChange={onChange} />
        </Facet>
      </div>
      <FacetChips state={state} onChange={onChange} />
    </div>
  );
}

function Facet({ name, children }: { name: string; children: ReactNode }) {
  return (
    <Menu
      trigger={
        <Button variant="ghost" size="sm" className="gap-1!">
          {name}
          <ChevronDown aria-hidden size={14} strokeWidth={1.75} />
        </Button>
      }
    >
      {children}
    </Menu>
  );
}

function ProjectChoice({ state: { project = ANY }, onChange }: FacetsProps) {
  const all = useProjects();
  const projects = useMemo(() => mostSessions(all), [all]);
  const nameOf = useProjectName();
  return (
    <MenuChoice
      label={t("search.project_label")}
      value={project}
      options={[
        { value: ANY, text: t("search.project_any") },
        ...withChosen(projects, project).map((cwd) => ({ value: cwd, text: nameOf(cwd) })),
      ]}
      onChange={(cwd) => onChange({ project: cwd === ANY ? undefined : cwd })}
    />
  );
}

function ModelChoice({ state: { model = ANY }, onChange }: FacetsProps) {
  const { records } = useSessions();
  const models = useMemo(() => mostFrequent([...records.values()].flatMap((record) => record.models)), [records]);
  return (
    <MenuChoice
      label={t("search.model_label")}
      value={model}
      options={[
        { value: ANY, text: t("search.model_any") },
        ...withChosen(models, model).map((name) => ({ value: name, text: name })),
      ]}
      onChange={(name) => onChange({ model: name === ANY ? undefined : name })}
    />
  );
}

/** Which tools there are, the statistics know; they are asked when the menu opens. */
function ToolChoice({ state: { tool = ANY }, onChange }: FacetsProps) {
  const { data } = useQuery(commandQuery(useService(), "get_session_stats"));
  const tools = data?.by_tool.flatMap(({ tool: name }) => name ?? []).slice(0, MAX_VALUES) ?? [];
  return (
    <MenuChoice
      label={data === undefined ? t("frame.loading") : t("search.tool_label")}
      value={tool}
      options={[
        { value: ANY, text: t("search.tool_any") },
        ...withChosen(tools, tool).map((name) => ({ value: name, text: name })),
      ]}
      onChange={(name) => onChange({ tool: name === ANY ? undefined : name })}
    />
  );
}

function TagChoice({ state: { tag: chosen = [] }, onChange }: FacetsProps) {
  const tags = useTags();
  if (tags.inOrder.length === 0) return <MenuLabel>{t("list.no_tags")}</MenuLabel>;
  return tags.inOrder.map(({ tag, depth }) => (
    <MenuCheck
      key={tag.id}
      keepOpen
      checked={chosen.includes(tag.id)}
      onCheckedChange={(isOn) => {
        const others = chosen.filter((id) => id !== tag.id);
        onChange({ tag: without(isOn ? [...others, tag.id] : others) });
      }}
    >
      <span style={{ paddingLeft: depth * 12 }} />
      <TagDot color={tag.color} />
      {tag.name}
    </MenuCheck>
  ));
}

/** Every facet that is set, to be taken away. */
function FacetChips({ state, onChange }: FacetsProps) {
  const tags = useTags();
  const { records } = useSessions();
  const projectOf = useProjectName();
  const chips = FACETS.flatMap((facet): { key: string; text: string; color?: string; without: SearchChange }[] => {
    switch (facet) {
      case "tag":
        return (state.tag ?? []).map((id) => {
          const tag = tags.byId.get(id);
          return {
            key: `tag ${id}`,
            text: tag?.name ?? id,
            ...(tag !== undefined && { color: tag.color }),
            without: { tag: without(state.tag?.filter((one) => one !== id) ?? []) },
          };
        });
      case "role":
        return state.role === undefined
          ? []
          : [{ key: facet, text: t(`search.role_${state.role}`), without: { role: undefined } }];
      case "since":
        return state.since === undefined
          ? []
          : [{ key: facet, text: sinceText(state.since), without: { since: undefined } }];
      case "session":
        return state.session === undefined
          ? []
          : [
              {
                key: facet,
                text: records.get(state.session)?.title ?? projectName(state.session),
                without: { session: undefined },
              },
            ];
      case "project":
        return state.project === undefined
          ? []
          : [{ key: facet, text: projectOf(state.project), without: { project: undefined } }];
      case "agent":
        return state.agent === undefined
          ? []
          : [{ key: facet, text: agentName(state.agent), without: { agent: undefined } }];
      default: {
        const value = state[facet];
        return value === undefined ? [] : [{ key: facet, text: value, without: { [facet]: undefined } }];
      }
    }
  });
  if (chips.length === 0) return null;
  return (
    <div className="flex flex-wrap items-center gap-1 desk:pl-2">
      {chips.map(({ key, text, color, without }) => (
        <Chip
          key={key}
          tone="accent"
          removeLabel={t("list.remove_filter", { name: text })}
          onRemove={() => onChange(without)}
        >
          {color !== undefined && <TagDot color={color} />}
          {text}
        </Chip>
      ))}
      {chips.length > 1 && (
        <Button variant="ghost" size="sm" className="h-6" onClick={() => onChange(NO_FACETS)}>
          {t("list.clear_filters")}
        </Button>
      )}
    </div>
  );
}

function mostSessions(projects: readonly Project[]): string[] {
  return [...projects]
    .sort((a, b) => b.count - a.count)
    .slice(0, MAX_VALUES)
    .map(({ cwd }) => cwd);
}

function mostFrequent(values: readonly string[]): string[] {
  const counts = new Map<string, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return [...counts]
    .sort(([, a], [, b]) => b - a)
    .slice(0, MAX_VALUES)
    .map(([value]) => value);
}

/** A link may name a value that is not among them. */
function withChosen(values: readonly string[], chosen: string): readonly string[] {
  return chosen === ANY || values.includes(chosen) ? values : [chosen, ...values];
}

function without<Value>(values: Value[]): Value[] | undefined {
  return values.length === 0 ? undefined : values;
}
