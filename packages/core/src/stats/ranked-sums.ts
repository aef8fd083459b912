// Lists of what was summed by model, kind of session, project and tool: the largest first.

import type { ModelName } from "../session/named-models.ts";
import type { SessionFormatName } from "../session/record.ts";
import type { SessionStatistics } from "../statistics.ts";
import { byName } from "./by-name.ts";
import { dateOf } from "./calendar-days.ts";
import { got } from "./got.ts";
import type { SumTable } from "./sum-table.ts";

/** Longer lists are not useful; a session may name as many as it has lines. */
const MAX_NAMES = 1_000;
/** The newest weeks, with all projects: half a year. */
const MAX_WEEKS = 26;

/** A row in the table of sums, with its model. */
export interface ModelSum extends ModelName {
  row: number;
}

export interface ProjectSum {
  sessions: number;
  /** A row of what has no time. */
  untimed: number;
  /** Rows by their Mondays. */
  weeks: Map<number, number>;
}

/** A kind of sessions: those of one format that are subagents, or are not. */
export interface KindSum {
  format: SessionFormatName;
  isSubagent: boolean;
  sessions: number;
  messages: number;
  /** A row of usage; its messages are answers. */
  row: number;
}

export interface ToolSum {
  calls: number;
  errors: number;
}

/** Models, and their providers. */
export function rankedModels(
  models: readonly ModelSum[],
  sums: SumTable,
): Pick<SessionStatistics, "by_model" | "by_provider"> {
  const byUse = inOrderOfUse(sums);
  const ranked = models.toSorted((a, b) => byUse(a, b) || byName(a.model, b.model) || byName(a.provider, b.provider));
  const providers = new Map<string | null, number>();
  for (const { provider, row } of ranked) {
    sums.addRow(
      got(providers, provider, () => sums.add()),
      row,
    );
  }
  return {
    by_model: ranked.slice(0, MAX_NAMES).map(({ model, provider, row }) => ({ model, provider, ...sums.at(row) })),
    by_provider: [...providers]
      .map(([provider, row]) => ({ provider, row }))
      .sort((a, b) => byUse(a, b) || byName(a.provider, b.provider))
      .slice(0, MAX_NAMES)
      .map(({ provider, row }) => ({ provider, ...sums.at(row) })),
  };
}

/** Formats, and the subagents of all of them together. */
export function rankedKinds(
  all: Iterable<KindSum>,
  sums: SumTable,
): Pick<SessionStatistics, "by_format" | "subagents"> {
  const kinds = [...all].filter(({ sessions, messages, row }) => sessions + messages > 0 || !sums.isNothing(row));
  const sumOf = (some: readonly KindSum[]) => {
    const row = sums.add();
    for (const kind of some) sums.addRow(row, kind.row);
    const sessions = some.reduce((sum, kind) => sum + kind.sessions, 0);
    const messages = some.reduce((sum, kind) => sum + kind.messages, 0);
    return { sessions, messages, usage: sums.at(row).usage };
  };
  const formats = [...new Set(kinds.map(({ format }) => format))];
  return {
    by_format: formats
      .map((format) => ({ format, ...sumOf(kinds.filter((kind) => kind.format === format)) }))
      .sort((a, b) => b.usage.total_tokens - a.usage.total_tokens || byName(a.format, b.format)),
    subagents: sumOf(kinds.filter(({ isSubagent }) => isSubagent)),
  };
}

/** Projects, and what they did in each of the newest weeks. */
export function rankedProjects(
  all: ReadonlyMap<string | null, ProjectSum>,
  sums: SumTable,
): Pick<SessionStatistics, "by_project" | "by_project_week"> {
  const byUse = inOrderOfUse(sums);
  const projects = [...all]
    .map(([project, { sessions, untimed, weeks }]) => {
      const row = sums.add();
      sums.addRow(row, untimed);
      for (const week of weeks.values()) sums.addRow(row, week);
      return { project, sessions, row, weeks };
    })
    .filter(({ sessions, row }) => sessions > 0 || !sums.isNothing(row))
    .sort((a, b) => byUse(a, b) || b.sessions - a.sessions || byName(a.project, b.project))
    .slice(0, MAX_NAMES);
  const newest = [...new Set(projects.flatMap(({ weeks }) => [...weeks.keys()]))]
    .sort((a, b) => a - b)
    .slice(-MAX_WEEKS);
  return {
    by_project: projects.map(({ project, sessions, row }) => ({ project, sessions, ...sums.at(row) })),
    by_project_week: newest.flatMap((monday) => {
      const week = dateOf(monday);
      return projects.flatMap(({ project, weeks }) => {
        const row = weeks.get(monday);
        return row === undefined ? [] : [{ project, week, ...sums.at(row) }];
      });
    }),
  };
}

/** Tools, the most called first. */
export function rankedTools(
  tools: Iterable<readonly [tool: string | null, sum: ToolSum]>,
): SessionStatistics["by_tool"] {
  return [...tools]
    .filter(([, { calls, errors }]) => calls + errors > 0)
    .sort(([a, one], [b, other]) => other.calls - one.calls || other.errors - one.errors || byName(a, b))
    .slice(0, MAX_NAMES)
    .map(([tool, { calls, errors }]) => ({ tool, calls, errors }));
}

function inOrderOfUse(sums: SumTable): (a: { row: number }, b: { row: number }) => number {
  return (a, b) => sums.totalTokens(b.row) - sums.totalTokens(a.row) || sums.messages(b.row) - sums.messages(a.row);
}
