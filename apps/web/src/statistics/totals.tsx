import type { ReactNode } from "react";
import { costText, costTitle } from "../i18n/cost.ts";
import { formatCompact, formatCost, formatNumber, formatPercent } from "../i18n/format.ts";
import { t } from "../i18n/text.ts";
import { type Change, cacheHitsOf, changeOf, changeOfShare } from "./comparison.ts";
import { daysText } from "./day-text.ts";
import { amountOf, type Statistics, type Usage } from "./measure.ts";
import { rangeOfDays, type TimeRange } from "./range.ts";
import { SessionsAnchor } from "./sessions-anchor.tsx";
import { type SessionsLink, sessionsLink } from "./sessions-link.ts";
import type { Subject } from "./statistics-search.ts";

export interface TotalsProps {
  statistics: Statistics;
  /** Of the period before; `null` where there is none, or it is not known yet. */
  before: Statistics | null;
  range: TimeRange;
  subject: Subject;
}

/** The sums of all, in a row. */
export function Totals({ statistics, before, range, subject }: TotalsProps) {
  const { totals, streaks, by_model } = statistics;
  const unknown = by_model.filter((model) => amountOf(model, "cost") === null).length;
  const cost = amountOf(totals, "cost");
  const isAllTime = range.first === null && range.last === null;
  const hits = cacheHitsOf(totals.usage);
  const changeIn = (of: (sums: Statistics["totals"]) => number | null) =>
    before === null ? null : changeOf(of(totals), of(before.totals));
  const { longest_from: from, longest_to: to } = streaks;
  return (
    <dl className="grid grid-cols-4 gap-x-6 gap-y-5 phone:grid-cols-2 wide:grid-cols-7">
      <Total
        name={t("statistics.sessions")}
        explanation={t("statistics.sessions_counted")}
        value={formatNumber(totals.sessions)}
        link={sessionsLink({ ...subject, range })}
        change={changeIn((sums) => sums.sessions)}
        note={t(isAllTime ? "statistics.in_projects" : "statistics.with_messages", {
          count: statistics.by_project.length,
        })}
      />
      <Total
        name={t("statistics.messages")}
        value={formatCompact(totals.messages)}
        change={changeIn((sums) => sums.messages)}
        note={t("statistics.prompts", { amount: formatCompact(totals.user_messages) })}
      />
      <Total
        name={t("statistics.tokens")}
        value={formatCompact(totals.usage.total_tokens)}
        change={changeIn((sums) => sums.usage.total_tokens)}
        note={t("statistics.output_of", { amount: formatCompact(totals.usage.output_tokens) })}
      />
      <Total
        name={t("statistics.cache_hits")}
        explanation={t("statistics.cache_hits_counted")}
        value={hits === null ? "–" : formatPercent(Math.round(hits))}
        change={before === null ? null : changeOfShare(hits, cacheHitsOf(before.totals.usage))}
        note={t("statistics.cache_read_of", { amount: formatCompact(totals.usage.cache_read_tokens) })}
      />
      <Total
        name={t("statistics.cost")}
        explanation={costTitle(totals.usage)}
        value={cost === null ? t("statistics.unknown") : (costText(totals.usage) ?? formatCost(cost))}
        change={changeIn((sums) => amountOf(sums, "cost"))}
        note={unknown > 0 ? t("statistics.models_unknown", { count: unknown }) : sourceText(totals.usage)}
      />
      <Total
        name={t("statistics.tool_calls")}
        value={formatCompact(totals.tool_calls)}
        change={changeIn((sums) => sums.tool_calls)}
        note={t("statistics.of_tools", { count: statistics.by_tool.length })}
      />
      <Total
        name={t("statistics.longest_streak")}
        value={t("statistics.days_of", { count: streaks.longest_days })}
        link={from === null || to === null ? null : sessionsLink({ ...subject, range: rangeOfDays(from, to) })}
        note={
          streaks.current_days > 0
            ? t("statistics.current_streak", { count: streaks.current_days })
            : from !== null && to !== null && daysText(from, to)
        }
      />
    </dl>
  );
}

/** Where the figures of a cost are from. */
function sourceText({ cost_usd, estimated_cost_usd }: Usage): string {
  const estimated = estimated_cost_usd ?? 0;
  if (estimated === 0) return t("statistics.recorded");
  if ((cost_usd ?? 0) === 0) return t("statistics.estimated");
  return t("statistics.part_estimated", { estimated: formatCost(estimated) });
}

interface TotalProps {
  name: string;
  /** What is counted, if the name does not say it. */
  explanation?: string | undefined;
  value: string;
  note: ReactNode;
  link?: SessionsLink | null;
  /** Since the period before. */
  change?: Change | null;
}

function Total({ name, explanation, value, note, link = null, change = null }: TotalProps) {
  return (
    <div className="flex min-w-0 flex-col">
      <dt className="text-muted text-sm" title={explanation}>
        {name}
      </dt>
      <dd className="truncate text-xl tabular-nums">
        {link === null ? (
          value
        ) : (
          <SessionsAnchor link={link} className="rounded-sm decoration-line-strong underline-offset-4 hover:underline">
            {value}
          </SessionsAnchor>
        )}
      </dd>
      <dd className="truncate text-faint text-xs">
        {change !== null && (
          <span title={change.text} className="text-muted tabular-nums">
            <span className="sr-only">{change.text}</span>
            <span aria-hidden>{change.short}</span>
            {" · "}
          </span>
        )}
        {note}
      </dd>
    </div>
  );
}
