import { agentName } from "@sm/core";
import { ChevronDown } from "lucide-react";
import type { ReactNode } from "react";
import { useAgents } from "../client/agents.ts";
import { useSession } from "../client/service-context.tsx";
import { useTags } from "../client/tags.ts";
import { Button } from "../design/button.tsx";
import { Chip, TagDot } from "../design/chip.tsx";
import { Menu, MenuCheck, MenuChoice, MenuLabel } from "../design/menu.tsx";
import { useWhoseChoices } from "../hub/whose.ts";
import { formatCompact } from "../i18n/format.ts";
import { t } from "../i18n/text.ts";
import { projectName } from "../projects/project-name.ts";
import { sessionTitle } from "../projects/session-title.ts";
import { useProjectName } from "../projects/use-project-name.ts";
import { PERIODS, sinceText } from "../url/periods.ts";
import { FACETS, NO_FACETS, ROLES, type SearchChange, type SearchState } from "./search-state.ts";
import { useFieldValues } from "./use-field-values.ts";

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
  const whose = useWhoseChoices(state, t("search.owner_any"));
  return (
    <div className="flex flex-wrap items-center gap-1 pt-2">
      <div className="flex gap-1 desk:flex-wrap phone:-mx-4 phone:w-screen phone:overflow-x-auto phone:px-2">
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
        {whose !== null && (
          <Facet name={t("search.owner")}>
            <MenuChoice
              label={t("search.owner")}
              value={whose.value}
              options={whose.options}
              onChange={(value) => onChange(whose.changeTo(value))}
            />
          </Facet>
        )}
        <Facet name={t("search.project")}>
          <ValueChoice facet="project" state={state} onChange={onChange} />
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
          <ValueChoice facet="model" state={state} onChange={onChange} />
        </Facet>
        <Facet name={t("search.tool")}>
          <ValueChoice facet="tool" state={state} onChange={onChange} />
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

const NAMES = {
  project: { label: "search.project_label", any: "search.project_any" },
  model: { label: "search.model_label", any: "search.model_any" },
  tool: { label: "search.tool_label", any: "search.tool_any" },
} as const;

/** The values that sessions have, the most frequent ones first. Which tools there are is asked when the menu opens. */
function ValueChoice({ facet, state, onChange }: FacetsProps & { facet: keyof typeof NAMES }) {
  const values = useFieldValues(facet);
  const projectOf = useProjectName();
  const chosen = state[facet] ?? ANY;
  const options = (values ?? [])
    .slice(0, MAX_VALUES)
    .map(({ value, whole = value, count }) => ({ value: whole, text: value, count }));
  // A link may name a value that is not among them.
  if (chosen !== ANY && options.every(({ value }) => value !== chosen)) {
    options.unshift({ value: chosen, text: facet === "project" ? projectOf(chosen) : chosen, count: null });
  }
  return (
    <MenuChoice
      label={t(values === null ? "frame.loading" : NAMES[facet].label)}
      value={chosen}
      options={[
        { value: ANY, text: t(NAMES[facet].any) },
        ...options.map(({ value, text, count }) => ({ value, text: <Counted text={text} count={count} /> })),
      ]}
      onChange={(value) => onChange({ [facet]: value === ANY ? undefined : value })}
    />
  );
}

function Counted({ text, count }: { text: string; count: number | null }) {
  return (
    <>
      <span className="min-w-0 flex-1 truncate">{text}</span>
      {count !== null && <span className="shrink-0 text-muted text-xs tabular-nums">{formatCompact(count)}</span>}
    </>
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
      <Counted text={tag.name} count={tag.session_count} />
    </MenuCheck>
  ));
}

/** Every facet that is set, to be taken away. */
function FacetChips({ state, onChange }: FacetsProps) {
  const tags = useTags();
  const session = useSession(state.session ?? null);
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
      case "mine":
        return state.mine === undefined
          ? []
          : [{ key: facet, text: t("list.only_mine"), without: { mine: undefined } }];
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
                // Until it is known, by its file.
                text: session === null ? projectName(state.session) : sessionTitle(session),
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

/** A link may name a value that is not among them. */
function withChosen(values: readonly string[], chosen: string): readonly string[] {
  return chosen === ANY || values.includes(chosen) ? values : [chosen, ...values];
}

function without<Value>(values: Value[]): Value[] | undefined {
  return values.length === 0 ? undefined : values;
}
