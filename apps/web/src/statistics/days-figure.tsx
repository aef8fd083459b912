import { Suspense, useMemo, useState } from "react";
import { lazyPart } from "../design/lazy-part.ts";
import { Skeleton } from "../design/placeholder.tsx";
import { t } from "../i18n/text.ts";
import { bucketsOf } from "./buckets.ts";
import { type DataTable, usageCells, usageColumns } from "./data-table.tsx";
import { bucketText } from "./day-text.ts";
import { Figure } from "./figure.tsx";
import { amountText, type Statistics } from "./measure.ts";
import { type DayRange, rangeOfDays } from "./range.ts";
import { sessionsLink } from "./sessions-link.ts";
import type { Measure, Subject } from "./statistics-search.ts";

const DaysChart = lazyPart(() => import("./days-chart.tsx"), "DaysChart", "asked");

export interface DaysFigureProps {
  days: Statistics["by_day"];
  range: DayRange;
  subject: Subject;
  measure: Measure;
  today: string;
}

const TITLES = { day: "statistics.by_day", week: "statistics.by_week", month: "statistics.by_month" } as const;

/** What was used in the course of time. */
export function DaysFigure({ days, range, subject, measure, today }: DaysFigureProps) {
  const [pointed, setPointed] = useState<number | null>(null);
  const { grain, buckets } = useMemo(() => bucketsOf(days, range, today), [days, range, today]);
  const bars = useMemo(
    () =>
      buckets.map((bucket) => ({
        link: sessionsLink({ ...subject, range: rangeOfDays(bucket.first, bucket.last) }),
        text: `${bucketText(bucket.first, bucket.last, grain)}: ${amountText(bucket, measure)}`,
      })),
    [buckets, grain, subject, measure],
  );
  const table: DataTable = {
    columns: [
      { title: t("statistics.from_day"), kind: "text" },
      { title: t("statistics.to_day"), kind: "text" },
      ...usageColumns(),
    ],
    rows: buckets
      .map((bucket, index) => ({
        cells: [bucket.first, bucket.last, ...usageCells(bucket)],
        link: bars[index]?.link ?? null,
      }))
      .filter((_, index) => (buckets[index]?.messages ?? 0) > 0)
      .reverse(),
  };
  const unknown = buckets.reduce((sum, bucket) => sum + bucket.unknown, 0);
  const note = measure === "cost" && unknown > 0 ? t("statistics.days_unknown", { count: unknown }) : null;
  return (
    <Figure name="days" title={t(TITLES[grain])} table={table} readout={pointed === null ? note : bars[pointed]?.text}>
      <Suspense fallback={<Skeleton className="h-56 w-full" />}>
        <DaysChart buckets={buckets} grain={grain} measure={measure} bars={bars} onPoint={setPointed} />
      </Suspense>
      {measure === "tokens" && <TokensLegend />}
    </Figure>
  );
}

function TokensLegend() {
  return (
    <ul className="flex flex-wrap justify-end gap-x-4 gap-y-1 text-faint text-xs">
      {[
        ["bg-heat-4", t("statistics.output")],
        ["bg-heat-3", t("statistics.input")],
        ["bg-heat-2", t("statistics.cache_write")],
        ["bg-heat-1", t("statistics.cache_read")],
      ].map(([heat, name]) => (
        <li key={heat} className="flex items-center gap-1.5">
          <span aria-hidden className={`size-3 rounded-[3px] ${heat}`} />
          {name}
        </li>
      ))}
    </ul>
  );
}
