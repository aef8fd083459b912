import { agentName } from "@sm/core";
import { costTitle } from "../i18n/cost.ts";
import { t } from "../i18n/text.ts";
import { sessionTitle } from "../projects/session-title.ts";
import { useProjectName } from "../projects/use-project-name.ts";
import { type Bar, BarsFigure } from "./bars-figure.tsx";
import { type DataTable, usageCells, usageColumns } from "./data-table.tsx";
import { amountOf, amountText, type Statistics } from "./measure.ts";
import type { TimeRange } from "./range.ts";
import { sessionLink, sessionsLink } from "./sessions-link.ts";
import type { Measure, Subject } from "./statistics-search.ts";

export interface UseFigureProps {
  statistics: Statistics;
  range: TimeRange;
  subject: Subject;
  measure: Measure;
}

/** What each agent has done, and how much of it agents that others have started. */
export function AgentsFigure({ statistics, range, subject, measure }: UseFigureProps) {
  const { subagents } = statistics;
  const agents = sorted(statistics.by_format, measure);
  const linkOf = (agent: string) => sessionsLink({ ...subject, range, agent });
  const table: DataTable = {
    columns: [
      { title: t("statistics.agent"), kind: "text" },
      { title: t("statistics.sessions"), kind: "number" },
      ...usageColumns(),
    ],
    rows: agents.map((sum) => ({
      cells: [agentName(sum.format), sum.sessions, ...usageCells(sum)],
      link: linkOf(sum.format),
    })),
  };
  const bars = agents.map(
    (sum): Bar => ({
      key: sum.format,
      name: agentName(sum.format),
      title: costTitle(sum.usage),
      note: t("list.count", { count: sum.sessions }),
      amount: amountOf(sum, measure),
      text: amountText(sum, measure),
      link: linkOf(sum.format),
    }),
  );
  const below =
    subagents.sessions === 0
      ? null
      : t("statistics.of_subagents", {
          subagents: t("list.subagents", { count: subagents.sessions }),
          amount: amountText(subagents, measure),
        });
  return <BarsFigure name="agents" title={t("statistics.agents")} readout={below} bars={bars} table={table} />;
}

/** What each model was used for. */
export function ModelsFigure({ statistics, range, subject, measure }: UseFigureProps) {
  const models = sorted(statistics.by_model, measure);
  const linkOf = (model: string | null) => (model === null ? null : sessionsLink({ ...subject, range, model }));
  const table: DataTable = {
    columns: [
      { title: t("statistics.model"), kind: "text" },
      { title: t("statistics.provider"), kind: "text" },
      ...usageColumns(),
    ],
    rows: models.map((sum) => ({ cells: [sum.model, sum.provider, ...usageCells(sum)], link: linkOf(sum.model) })),
  };
  const bars = models.map(
    (sum): Bar => ({
      key: JSON.stringify([sum.provider, sum.model]),
      name: sum.model ?? t("statistics.no_model"),
      note: sum.provider,
      amount: amountOf(sum, measure),
      text: amountText(sum, measure),
      link: linkOf(sum.model),
    }),
  );
  return <BarsFigure name="models" title={t("statistics.models")} bars={bars} table={table} />;
}

/** What was done for each project. */
export function ProjectsFigure({ statistics, range, subject, measure }: UseFigureProps) {
  const projects = sorted(statistics.by_project, measure);
  const projectOf = useProjectName();
  const linkOf = (project: string | null) => (project === null ? null : sessionsLink({ ...subject, range, project }));
  const table: DataTable = {
    columns: [
      { title: t("statistics.project"), kind: "text" },
      { title: t("statistics.sessions"), kind: "number" },
      ...usageColumns(),
    ],
    rows: projects.map((sum) => ({
      cells: [sum.project, sum.sessions, ...usageCells(sum)],
      link: linkOf(sum.project),
    })),
  };
  const bars = projects.map(
    (sum): Bar => ({
      key: JSON.stringify(sum.project),
      name: sum.project === null ? t("rail.no_project") : projectOf(sum.project),
      ...(sum.project !== null && { title: sum.project }),
      note: t("list.count", { count: sum.sessions }),
      amount: amountOf(sum, measure),
      text: amountText(sum, measure),
      link: linkOf(sum.project),
    }),
  );
  return <BarsFigure name="projects" title={t("statistics.projects")} bars={bars} table={table} />;
}

/** How often each tool was called, and how often that failed. */
export function ToolsFigure({ statistics, range, subject }: Omit<UseFigureProps, "measure">) {
  const linkOf = (tool: string | null) => (tool === null ? null : sessionsLink({ ...subject, range, tool }));
  const table: DataTable = {
    columns: [
      { title: t("statistics.tool"), kind: "text" },
      { title: t("statistics.calls"), kind: "number" },
      { title: t("statistics.failures"), kind: "number" },
    ],
    rows: statistics.by_tool.map(({ tool, calls, errors }) => ({ cells: [tool, calls, errors], link: linkOf(tool) })),
  };
  const bars = statistics.by_tool.map(
    ({ tool, calls, errors }): Bar => ({
      key: JSON.stringify(tool),
      name: tool ?? t("statistics.no_tool"),
      note: errors === 0 ? null : t("statistics.failed_calls", { count: errors }),
      amount: Math.max(calls, errors),
      part: errors,
      text: t("statistics.calls_of", { count: calls }),
      link: linkOf(tool),
    }),
  );
  return <BarsFigure name="tools" title={t("statistics.tools")} bars={bars} table={table} />;
}

/** The sessions with the most messages. */
export function LongestFigure({ statistics }: Pick<UseFigureProps, "statistics">) {
  const sessions = statistics.longest_sessions;
  const projectOf = useProjectName();
  const table: DataTable = {
    columns: [
      { title: t("statistics.session"), kind: "text" },
      { title: t("statistics.project"), kind: "text" },
      ...usageColumns(),
    ],
    rows: sessions.map((record) => ({
      cells: [sessionTitle(record), record.cwd, ...usageCells({ messages: record.message_count, usage: record.usage })],
      link: sessionLink(record.path),
    })),
  };
  const bars = sessions.map(
    (record): Bar => ({
      key: record.path,
      name: sessionTitle(record),
      title: record.path,
      note: record.cwd === null ? null : projectOf(record.cwd),
      amount: record.message_count,
      text: t("list.messages_short", { count: record.message_count }),
      link: sessionLink(record.path),
    }),
  );
  return <BarsFigure name="longest" title={t("statistics.longest")} bars={bars} table={table} />;
}

/** Unknown names sort last. */
function sorted<Sum extends Parameters<typeof amountOf>[0]>(sums: readonly Sum[], measure: Measure): Sum[] {
  return [...sums].sort((a, b) => (amountOf(b, measure) ?? -1) - (amountOf(a, measure) ?? -1));
}
