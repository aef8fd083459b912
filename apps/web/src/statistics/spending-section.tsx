import { agentName } from "@sm/core";
import { Pencil } from "lucide-react";
import { Suspense, useId, useMemo, useState } from "react";
import { useSessions } from "../client/service-context.tsx";
import { IconButton } from "../design/button.tsx";
import { classNames } from "../design/class-names.ts";
import { ErrorState } from "../design/error-state.tsx";
import { lazyPart } from "../design/lazy-part.ts";
import { Skeleton } from "../design/placeholder.tsx";
import { costText } from "../i18n/cost.ts";
import { formatCost, formatDuration, formatMinutes, formatPercent, formatTime } from "../i18n/format.ts";
import { withTexts } from "../i18n/locale.ts";
import { t } from "../i18n/text.ts";
import { BUDGET_TEXTS } from "./budget-texts.ts";
import { dayOf } from "./days.ts";
import { amountText, type Statistics } from "./measure.ts";
import { type BudgetState, blockAt, budgetStates, NEARLY_USED, toldLimit } from "./spending.ts";
import { useBudget, useSpending } from "./use-spending.ts";

const BudgetDialog = lazyPart(
  withTexts(() => import("./budget-dialog.tsx")),
  "BudgetDialog",
);

/** What is left of the five hours and of what the user wants to spend: of all projects and agents, whatever is chosen. */
export function SpendingSection({ now }: { now: Date }) {
  const id = useId();
  const today = dayOf(now);
  const budget = useBudget();
  const { data: spending, error, refetch } = useSpending(true, today);
  const [isEditing, setEditing] = useState(false);
  return (
    <section aria-labelledby={id} className="flex flex-col gap-2">
      <header className="flex min-h-8 items-center gap-1">
        <h2 id={id} className="text-base">
          {t("budget.title")}
        </h2>
        {budget !== undefined && (
          <IconButton icon={Pencil} size="sm" label={t("budget.edit")} onClick={() => setEditing(true)} />
        )}
      </header>
      {spending === undefined && error !== null ? (
        <ErrorState title={t("statistics.spending_failed")} error={error} onRetry={() => void refetch()} />
      ) : spending === undefined ? (
        <Skeleton className="h-16 w-full" />
      ) : (
        <div className="grid grid-cols-4 gap-x-6 gap-y-5 phone:grid-cols-2">
          <BlockGauge blocks={spending.activity_blocks} now={now} />
          {budget !== undefined &&
            budgetStates(spending.by_day, budget, today).map((state) => <BudgetGauge key={state.period} {...state} />)}
        </div>
      )}
      {isEditing && budget !== undefined && (
        <Suspense>
          <BudgetDialog budget={budget} onClose={() => setEditing(false)} />
        </Suspense>
      )}
    </section>
  );
}

function BudgetGauge({ period, spent, limit, used }: BudgetState) {
  const name = t(BUDGET_TEXTS[period]);
  const spentText = spent === null ? t("statistics.cost_unknown") : formatCost(spent);
  if (limit === null || used === null) {
    return (
      <Gauge name={name} value={spent === 0 ? t("budget.nothing") : spentText} note={t("budget.none")} used={null} />
    );
  }
  const left = limit - (spent ?? 0);
  return (
    <Gauge
      name={name}
      value={
        left >= 0 ? t("budget.left", { amount: formatCost(left) }) : t("budget.over", { amount: formatCost(-left) })
      }
      note={t("budget.of", { spent: spentText, limit: formatCost(limit) })}
      used={used}
    />
  );
}

/** The five hours in which providers count what one may use: what is left of the limit, where an agent tells it, or of the time. */
function BlockGauge({ blocks, now }: { blocks: Statistics["activity_blocks"]; now: Date }) {
  const { records } = useSessions();
  const told = useMemo(() => toldLimit(records.values(), now), [records, now]);
  const block = blockAt(blocks, now);
  const name = t("budget.block");
  const cost = block === null ? null : (costText(block.usage) ?? amountText(block, "tokens"));
  if (told !== null) {
    const note = t("budget.resets", { agent: agentName(told.format), time: formatTime(told.resetsAt) });
    const left = formatPercent(Math.max(0, Math.round(100 - told.used)));
    return (
      <Gauge
        name={name}
        value={t("budget.left", { amount: left })}
        note={cost === null ? note : `${note} · ${cost}`}
        used={told.used}
      />
    );
  }
  if (block === null || cost === null)
    return <Gauge name={name} value={t("budget.no_block")} note={null} used={null} />;
  const minutes = Math.ceil((new Date(block.end).getTime() - now.getTime()) / MINUTE_MS);
  const left = minutes < 60 ? formatMinutes(minutes) : formatDuration(minutes * MINUTE_MS);
  return (
    <Gauge
      name={name}
      value={t("budget.left", { amount: left })}
      note={t("budget.block_until", { time: formatTime(block.end), cost })}
      used={null}
    />
  );
}

const MINUTE_MS = 60_000;

interface GaugeProps {
  name: string;
  value: string;
  note: string | null;
  /** In percent; `null` where there is nothing to measure by. */
  used: number | null;
}

function Gauge({ name, value, note, used }: GaugeProps) {
  const id = useId();
  return (
    <div className="flex min-w-0 flex-col gap-1">
      <p id={id} className="text-muted text-sm">
        {name}
      </p>
      <p className="truncate text-base tabular-nums">{value}</p>
      {used !== null && (
        <div
          role="meter"
          aria-labelledby={id}
          aria-valuemin={0}
          aria-valuemax={100}
          aria-valuenow={Math.min(100, Math.round(used))}
          aria-valuetext={t("budget.used_text", { used: formatPercent(Math.round(used)) })}
          className="h-1.5 overflow-hidden rounded-full bg-heat-0"
        >
          <div
            className={classNames(
              "h-full rounded-full",
              used >= 100 ? "bg-danger" : used >= NEARLY_USED ? "bg-warning" : "bg-heat-3",
            )}
            style={{ width: `${Math.min(100, used)}%` }}
          />
        </div>
      )}
      {note !== null && <p className="truncate text-faint text-xs tabular-nums">{note}</p>}
    </div>
  );
}
