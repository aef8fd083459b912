import { agentName, SESSION_FORMATS, type SessionFormatName } from "@sm/core";
import { useMemo } from "react";
import { useAgents } from "../client/agents.ts";
import { useProjects } from "../client/projects.ts";
import { Segments, Select } from "../design/choices.tsx";
import { useWhoseChoices, type Whose } from "../hub/whose.ts";
import { t } from "../i18n/text.ts";
import { useProjectName } from "../projects/use-project-name.ts";
import { addDays, dayOf } from "./days.ts";
import { rangeOf } from "./range.ts";
import { MEASURES, PERIODS, type StatisticsSearch } from "./statistics-search.ts";
import { useChangeStatistics } from "./use-statistics-search.ts";

/** What the statistics are of: time, project, agent, owner, and what most charts show. */
export function StatisticsFilters({ search, now }: { search: StatisticsSearch; now: Date }) {
  const change = useChangeStatistics();
  const isCustom = search.since !== undefined || search.until !== undefined;
  const period = isCustom ? "custom" : (search.period ?? "365-days");
  const range = rangeOf(search, now);
  const { first, last } = "problem" in range ? { first: null, last: null } : range;
  return (
    <div className="flex flex-wrap items-center gap-2">
      <Select
        aria-label={t("statistics.period")}
        value={period}
        onChange={(chosen) => {
          if (chosen === "custom") {
            const since = first ?? `${now.getFullYear()}-01-01`;
            change({ period: undefined, since, until: addDays(dayOf(now), 1) });
          } else change({ period: chosen === "365-days" ? undefined : chosen, since: undefined, until: undefined });
        }}
        options={[
          ...PERIODS.map((value) => ({ value, text: periodText(value) })),
          { value: "custom", text: t("statistics.custom") },
        ]}
        className="w-40 phone:flex-1"
      />
      {isCustom && (
        <div className="flex items-center gap-2 text-muted text-sm phone:w-full">
          <DayField label={t("statistics.from_day")} value={first} onChange={(since) => change({ since })} />
          –
          <DayField
            label={t("statistics.to_day")}
            value={last}
            onChange={(day) => change({ until: day === undefined ? undefined : addDays(day, 1) })}
          />
        </div>
      )}
      <ProjectSelect project={search.project} />
      <AgentSelect agent={search.agent} />
      <OwnerSelect whose={search} />
      <div className="desk:ml-auto phone:w-full">
        <Segments
          label={t("statistics.measure")}
          value={search.measure ?? "tokens"}
          onChange={(measure) => change({ measure: measure === "tokens" ? undefined : measure })}
          options={MEASURES.map((value) => ({ value, text: t(`statistics.${value}`) }))}
        />
      </div>
    </div>
  );
}

function periodText(period: (typeof PERIODS)[number]): string {
  if (period === "all") return t("statistics.all_time");
  return period === "365-days" ? t("statistics.year") : t("list.period_days", { count: Number.parseInt(period, 10) });
}

interface DayFieldProps {
  label: string;
  /** `null` for none. */
  value: string | null;
  onChange(day: string | undefined): void;
}

function DayField({ label, value, onChange }: DayFieldProps) {
  return (
    <input
      type="date"
      aria-label={label}
      value={value ?? ""}
      onChange={(event) => onChange(event.target.value || undefined)}
      className="h-8 min-w-0 flex-1 rounded-md bg-field px-2 text-ink text-sm tabular-nums ring-1 ring-line ring-inset hover:ring-line-strong touch:h-11 touch:text-lg"
    />
  );
}

/** No option's value may be empty. */
const ALL = "all";

function ProjectSelect({ project }: { project: string | undefined }) {
  const change = useChangeStatistics();
  const all = useProjects();
  const nameOf = useProjectName();
  const projects = useMemo(() => [...all].sort((a, b) => b.count - a.count).slice(0, MAX_PROJECTS), [all]);
  const isListed = project === undefined || projects.some(({ cwd }) => cwd === project);
  return (
    <Select
      aria-label={t("statistics.project")}
      value={project ?? ALL}
      onChange={(chosen) => change({ project: chosen === ALL ? undefined : chosen })}
      options={[
        { value: ALL, text: t("statistics.all_projects") },
        ...(isListed ? [] : [{ value: project, text: nameOf(project) }]),
        ...projects.map(({ cwd }) => ({ value: cwd, text: nameOf(cwd) })),
      ]}
      className="w-52 phone:flex-1"
    />
  );
}

const MAX_PROJECTS = 100;

/** Absent where all sessions are of one agent, unless the address names another. */
function AgentSelect({ agent }: { agent: SessionFormatName | undefined }) {
  const change = useChangeStatistics();
  const agents = useAgents();
  if (agents.length === 0 && agent === undefined) return null;
  const isListed = agent === undefined || agents.some(({ format }) => format === agent);
  return (
    <Select
      aria-label={t("statistics.agent")}
      value={agent ?? ALL}
      onChange={(chosen) => change({ agent: SESSION_FORMATS.find((format) => format === chosen) })}
      options={[
        { value: ALL, text: t("statistics.all_agents") },
        ...(isListed ? [] : [{ value: agent, text: agentName(agent) }]),
        ...agents.map(({ format, name }) => ({ value: format, text: name })),
      ]}
      className="w-44 phone:flex-1"
    />
  );
}

/** Absent where nobody shares sessions with the user. */
function OwnerSelect({ whose }: { whose: Whose }) {
  const change = useChangeStatistics();
  const choices = useWhoseChoices(whose, t("statistics.all_owners"));
  if (choices === null) return null;
  return (
    <Select
      aria-label={t("statistics.owner")}
      value={choices.value}
      onChange={(chosen) => change(choices.changeTo(chosen))}
      options={choices.options}
      className="w-44 phone:flex-1"
    />
  );
}
