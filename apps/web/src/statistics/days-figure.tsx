import { Suspense, useMemo, useState } from "react";
import { Segments } from "../design/choices.tsx";
import { lazyPart } from "../design/lazy-part.ts";
import { Skeleton } from "../design/placeholder.tsx";
import { t } from "../i18n/text.ts";
import { useProjectName } from "../projects/use-project-name.ts";
import { bucketsOf } from "./buckets.ts";
import { bucketText } from "./day-text.ts";
import { daysTable, STACK_TEXTS } from "./days-table.ts";
import { Figure } from "./figure.tsx";
import { LayerLegend } from "./layer-legend.tsx";
import { amountTextAt, layersOf, partsTextAt, stackedLayers } from "./layers.ts";
import { amountText, type Statistics } from "./measure.ts";
import { type DayRange, rangeOfDays } from "./range.ts";
import { sessionsLink } from "./sessions-link.ts";
import { type Measure, STACKS, type Stack, type Subject } from "./statistics-search.ts";
import { useChangeStatistics, useStatisticsSearch } from "./use-statistics-search.ts";

const DaysChart = lazyPart(() => import("./days-chart.tsx"), "DaysChart", "asked");

export interface DaysFigureProps {
  days: Statistics["by_day"];
  /** `null` where they are not asked for, or not there yet. */
  stacks: Statistics["stacks"];
  range: DayRange;
  subject: Subject;
  measure: Measure;
  today: string;
}

const TITLES = { day: "statistics.by_day", week: "statistics.by_week", month: "statistics.by_month" } as const;

const NOTHING: readonly string[] = [];

/** What was used in the course of time. */
export function DaysFigure({ days, stacks, range, subject, measure, today }: DaysFigureProps) {
  const [pointed, setPointed] = useState<number | null>(null);
  const { stack: asked, without = NOTHING } = useStatisticsSearch();
  const stack = stacks === null ? undefined : asked;
  const change = useChangeStatistics();
  const projectOf = useProjectName();
  const { grain, buckets } = useMemo(() => bucketsOf(days, range, today), [days, range, today]);
  const layers = useMemo(
    () =>
      stack === undefined || stacks === null
        ? layersOf(buckets, measure)
        : stackedLayers(stacks, stack, { buckets, grain, measure, projectOf }),
    [stack, stacks, buckets, grain, measure, projectOf],
  );
  const shown = useMemo(() => layers.filter(({ key }) => !without.includes(key)), [layers, without]);
  const bars = useMemo(
    () =>
      buckets.map((bucket, place) => {
        // Answers are not all messages.
        const isAll = shown.length === layers.length && stack === undefined;
        const amount = isAll ? amountText(bucket, measure) : amountTextAt(shown, place, measure);
        const parts = stack === undefined ? "" : partsTextAt(shown, place, measure);
        return {
          link: sessionsLink({ ...subject, range: rangeOfDays(bucket.first, bucket.last) }),
          text: `${bucketText(bucket.first, bucket.last, grain)}: ${amount}${parts === "" ? "" : ` (${parts})`}`,
        };
      }),
    [buckets, grain, subject, measure, layers, shown, stack],
  );
  const unknown = buckets.reduce((sum, bucket) => sum + bucket.unknown, 0);
  const note = measure === "cost" && unknown > 0 ? t("statistics.days_unknown", { count: unknown }) : null;

  function toggle(key: string) {
    const next = without.includes(key) ? without.filter((one) => one !== key) : [...without, key];
    change({ without: next.length === 0 ? undefined : next });
  }

  return (
    <Figure
      name="days"
      title={t(TITLES[grain])}
      table={daysTable(buckets, layers, { stack, subject })}
      readout={pointed === null ? note : bars[pointed]?.text}
      controls={
        <Segments<Stack | "none">
          label={t("statistics.stack")}
          value={asked ?? "none"}
          onChange={(chosen) => change({ stack: chosen === "none" ? undefined : chosen, without: undefined })}
          options={[
            { value: "none", text: t(measure === "tokens" ? "statistics.stack_kinds" : "statistics.stack_none") },
            ...STACKS.map((value) => ({ value, text: t(STACK_TEXTS[value]) })),
          ]}
        />
      }
    >
      <Suspense fallback={<Skeleton className="h-56 w-full" />}>
        <DaysChart buckets={buckets} grain={grain} measure={measure} layers={shown} bars={bars} onPoint={setPointed} />
      </Suspense>
      {(layers.length > 1 || stack !== undefined) && (
        <LayerLegend layers={layers} leftOut={without} onToggle={toggle} />
      )}
    </Figure>
  );
}
