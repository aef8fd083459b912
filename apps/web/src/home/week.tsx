import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useId } from "react";
import { useService } from "../client/service-context.tsx";
import { Skeleton } from "../design/placeholder.tsx";
import { costText, costTitle } from "../i18n/cost.ts";
import { formatCompact } from "../i18n/format.ts";
import { t } from "../i18n/text.ts";
import { longDayText, weekdayText } from "../statistics/day-text.ts";
import { addDays, dayOf, weekdayOf } from "../statistics/days.ts";
import { amountText, type Statistics } from "../statistics/measure.ts";
import { rangeOfDays, timesOf } from "../statistics/range.ts";

const DAYS = 7;
/** While agents work, every entry changes the sums; who wants them exact opens the statistics. */
const FRESH_MS = 5 * 60_000;

/** What the last seven days cost, and how busy each was. */
export function Week() {
  const id = useId();
  const service = useService();
  const today = dayOf(new Date());
  const first = addDays(today, 1 - DAYS);
  const { data, isError } = useQuery({
    queryKey: ["home-week", first],
    queryFn: ({ signal }) => {
      const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
      const payload = { ...timesOf(rangeOfDays(first, null)), time_zone: timeZone };
      return service.call("get_session_stats", payload, { signal });
    },
    staleTime: FRESH_MS,
  });
  if (isError) return null;
  return (
    <section aria-labelledby={id} className="flex flex-col gap-3 px-3">
      <h2 id={id} className="text-muted text-sm">
        <Link to="/statistics" search={{ period: "7-days" }} className="hover:text-ink hover:underline">
          {t("home.week")}
        </Link>
      </h2>
      {data === undefined ? <Skeleton className="h-28 w-full" /> : <Sums statistics={data} first={first} />}
    </section>
  );
}

function Sums({ statistics: { totals, by_day }, first }: { statistics: Statistics; first: string }) {
  if (totals.messages === 0) return <p className="text-muted text-sm">{t("home.quiet")}</p>;
  const cost = costText(totals.usage);
  const days = Array.from({ length: DAYS }, (_, index) => {
    const date = addDays(first, index);
    return { date, sum: by_day.find((day) => day.date === date) };
  });
  const most = Math.max(1, ...days.map(({ sum }) => sum?.messages ?? 0));
  return (
    <>
      <p className="flex flex-wrap items-baseline gap-x-4 gap-y-1 text-sm tabular-nums">
        {cost !== null && (
          <span className="text-lg" title={costTitle(totals.usage)}>
            {cost}
          </span>
        )}
        <span className="text-muted">{t("list.count", { count: totals.sessions })}</span>
        <span className="text-muted">{t("statistics.messages_of", { amount: formatCompact(totals.messages) })}</span>
      </p>
      <ul aria-label={t("home.days")} className="flex h-24 items-stretch gap-2">
        {days.map(({ date, sum }) => {
          const text = `${longDayText(date)}: ${sum === undefined ? t("home.nothing") : `${amountText(sum, "messages")} · ${amountText(sum, "cost")}`}`;
          return (
            <li key={date} title={text} className="flex min-w-0 flex-1 flex-col justify-end gap-1">
              <span className="sr-only">{text}</span>
              <span aria-hidden className="flex flex-1 flex-col justify-end">
                <span
                  className={sum === undefined ? "h-0.5 rounded-sm bg-heat-0" : "min-h-1 rounded-sm bg-heat-3"}
                  style={sum === undefined ? undefined : { height: `${(100 * sum.messages) / most}%` }}
                />
              </span>
              <span aria-hidden className="truncate text-center text-faint text-xs">
                {weekdayText(weekdayOf(date), "short")}
              </span>
            </li>
          );
        })}
      </ul>
    </>
  );
}
