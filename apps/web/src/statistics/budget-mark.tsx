import { formatPercent } from "../i18n/format.ts";
import { t } from "../i18n/text.ts";
import { BUDGET_TEXTS } from "./budget-texts.ts";
import { dayOf } from "./days.ts";
import { budgetStates, mostUsed } from "./spending.ts";
import { useBudget, useSpending } from "./use-spending.ts";

/** Points out a budget that is nearly used, in the navigation. */
export function BudgetMark() {
  const today = dayOf(new Date());
  const budget = useBudget();
  const hasBudget = budget !== undefined && Object.values(budget).some((limit) => limit !== null);
  const { data: spending } = useSpending(hasBudget, today);
  if (!hasBudget || spending === undefined) return null;
  const most = mostUsed(budgetStates(spending.by_day, budget, today));
  if (most === null) return null;
  const used = formatPercent(Math.floor(most.used));
  const text = t("budget.used", { used, budget: t(BUDGET_TEXTS[most.period]) });
  return (
    <span
      role="img"
      aria-label={text}
      title={text}
      className={
        most.used >= 100
          ? "rounded-sm bg-danger-soft px-1.5 text-danger"
          : "rounded-sm bg-warning-soft px-1.5 text-warning"
      }
    >
      {used}
    </span>
  );
}
