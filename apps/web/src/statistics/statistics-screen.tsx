import type { CommandInput, CommandName } from "@sm/router/client";
import { keepPreviousData, queryOptions, useQuery } from "@tanstack/react-query";
import { ChartColumn } from "lucide-react";
import { useMemo } from "react";
import type { Service } from "../client/service.ts";
import { useIsLibraryEmpty, useService } from "../client/service-context.tsx";
import { Button } from "../design/button.tsx";
import { ErrorState } from "../design/error-state.tsx";
import { EmptyState, Skeleton } from "../design/placeholder.tsx";
import { Screen } from "../design/screen.tsx";
import { ownerField, useWhose, type Whose } from "../hub/whose.ts";
import { t } from "../i18n/text.ts";
import { withoutUndefined } from "../url/search-params.ts";
import type { TimesProblem } from "../url/typed-times.ts";
import { BlocksFigure } from "./blocks-figure.tsx";
import { CalendarFigure } from "./calendar-figure.tsx";
import { dayOf, isDay } from "./days.ts";
import { DaysFigure } from "./days-figure.tsx";
import { HoursFigure } from "./hours-figure.tsx";
import type { Statistics } from "./measure.ts";
import { rangeBefore, rangeOf, type TimeRange, timesOf } from "./range.ts";
import { SpendingSection } from "./spending-section.tsx";
import { StatisticsFilters } from "./statistics-filters.tsx";
import { FILTERS, NO_FILTERS, type StatisticsSearch, type Subject } from "./statistics-search.ts";
import { Totals } from "./totals.tsx";
import { AgentsFigure, LongestFigure, ModelsFigure, ProjectsFigure, ToolsFigure } from "./use-figures.tsx";
import { useChangeStatistics, useStatisticsSearch } from "./use-statistics-search.ts";

/** What was done, when, and what it took. */
export function StatisticsScreen() {
  const search = useStatisticsSearch();
  const now = new Date();
  const { project, agent, stack } = search;
  const range = useRange(search, now);
  const isRange = !("problem" in range);
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
  const service = useService();
  const whose = useWhose(search);
  const question = {
    ...(project !== undefined && { project }),
    ...(agent !== undefined && { format: agent }),
    time_zone: timeZone,
  };
  const { data, error, refetch, isPlaceholderData } = useQuery({
    ...statisticsQuery(service, whose, {
      ...question,
      ...(isRange && timesOf(range)),
      ...(stack !== undefined && { stack_by: stack === "agent" ? "format" : stack }),
    }),
    enabled: isRange,
    placeholderData: keepPreviousData,
  });
  const earlier = isRange ? rangeBefore(range, now) : null;
  const { data: before } = useQuery({
    ...statisticsQuery(service, whose, { ...question, ...(earlier !== null && timesOf(earlier)) }),
    // What is seen at once comes first.
    enabled: earlier !== null && data !== undefined && !isPlaceholderData,
  });
  return (
    <Screen title={t("rail.statistics")}>
      <div className="flex flex-col gap-8 pt-1">
        <SpendingSection now={now} />
        <StatisticsFilters search={search} now={now} />
        {!isRange ? (
          <ErrorState title={t("frame.bad_time")} error={range.problem} />
        ) : error !== null && data === undefined ? (
          <ErrorState title={t("statistics.failed")} error={error} onRetry={() => void refetch()} />
        ) : data === undefined ? (
          <StatisticsSkeleton />
        ) : (
          <div aria-busy={isPlaceholderData} className="flex flex-col gap-10 transition-opacity aria-busy:opacity-60">
            {data.totals.messages === 0 ? (
              <NothingYet search={search} />
            ) : (
              <Figures
                statistics={data}
                before={earlier === null || isPlaceholderData ? null : (before ?? null)}
                // Those of another choice may still be there.
                stacks={isPlaceholderData ? null : data.stacks}
                search={search}
                range={range}
                now={now}
              />
            )}
          </div>
        )}
      </div>
    </Screen>
  );
}

function statisticsQuery(service: Service, whose: Whose, question: CommandInput<"get_session_stats">) {
  return queryOptions({
    queryKey: ["get_session_stats" satisfies CommandName, { ...question, ...whose }] as const,
    queryFn: async ({ signal, client }): Promise<Statistics> => {
      const ofOwner = await ownerField(whose, { service, queries: client });
      return service.call("get_session_stats", { ...question, ...ofOwner }, { signal });
    },
  });
}

/** Times such as `24h` stay where they are until another choice is made, or another day begins. */
function useRange(search: StatisticsSearch, now: Date): TimeRange | TimesProblem {
  const { period, since, until } = search;
  const today = dayOf(now);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the parts of the search that make the range, and the day
  return useMemo(() => rangeOf(search, now), [period, since, until, today]);
}

interface FiguresProps {
  statistics: Statistics;
  before: Statistics | null;
  stacks: Statistics["stacks"];
  search: StatisticsSearch;
  range: TimeRange;
  now: Date;
}

function Figures({ statistics, before, stacks, search, range, now }: FiguresProps) {
  const { project, agent, mine, owner, measure = "tokens", period } = search;
  const subject = useMemo<Subject>(
    () => withoutUndefined({ project, agent, mine, owner }),
    [project, agent, mine, owner],
  );
  const today = dayOf(now);
  // A session may name any time.
  const days = statistics.by_day.filter(({ date }) => isDay(date));
  const shared = { range, subject, measure };
  return (
    <>
      <Totals statistics={statistics} before={before} range={range} subject={subject} />
      {/* A week of it says nothing. */}
      {period !== "7-days" && <CalendarFigure days={days} today={today} {...shared} />}
      <DaysFigure days={days} stacks={stacks} today={today} {...shared} />
      {(statistics.by_format.length > 1 || statistics.subagents.sessions > 0) && (
        <AgentsFigure statistics={statistics} {...shared} />
      )}
      <div className="grid gap-x-12 gap-y-10 wide:grid-cols-2">
        <ModelsFigure statistics={statistics} {...shared} />
        <ProjectsFigure statistics={statistics} {...shared} />
        <HoursFigure statistics={statistics} days={days} subject={subject} />
        <ToolsFigure statistics={statistics} range={range} subject={subject} />
        <BlocksFigure blocks={statistics.activity_blocks} subject={subject} measure={measure} now={now} />
        <LongestFigure statistics={statistics} />
      </div>
    </>
  );
}

function NothingYet({ search }: { search: StatisticsSearch }) {
  const change = useChangeStatistics();
  // Another period would not help.
  const isEmpty = useIsLibraryEmpty();
  const isChosen = FILTERS.some((name) => search[name] !== undefined) || search.period !== "all";
  const isFiltered = !isEmpty && isChosen;
  const all = { ...NO_FILTERS, period: "all", since: undefined, until: undefined } as const;
  return (
    <EmptyState
      icon={ChartColumn}
      title={t(isEmpty ? "statistics.empty" : "statistics.nothing")}
      actions={isFiltered && <Button onClick={() => change(all)}>{t("statistics.show_all_time")}</Button>}
    >
      {isFiltered ? t("statistics.nothing_filtered") : t("statistics.nothing_text")}
    </EmptyState>
  );
}

function StatisticsSkeleton() {
  return (
    <div role="status" className="flex flex-col gap-10">
      <span className="sr-only">{t("frame.loading")}</span>
      <div className="grid grid-cols-4 gap-6 phone:grid-cols-2 wide:grid-cols-7">
        {["a", "b", "c", "d", "e", "f", "g"].map((key) => (
          <div key={key} className="flex flex-col gap-2">
            <Skeleton className="h-4 w-16" />
            <Skeleton className="h-6 w-24" />
          </div>
        ))}
      </div>
      <Skeleton className="h-36 w-full" />
      <Skeleton className="h-56 w-full" />
    </div>
  );
}
