import type { Budget } from "@sm/core";
import { useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useId, useState } from "react";
import { commandKey, useCommand } from "../client/commands.ts";
import { Button } from "../design/button.tsx";
import { Dialog } from "../design/dialog.tsx";
import { errorText } from "../design/error-state.tsx";
import { Field, Input } from "../design/input.tsx";
import { t } from "../i18n/text.ts";
import { BUDGET_TEXTS } from "./budget-texts.ts";
import { amountIn, BUDGET_PERIODS, type BudgetPeriod } from "./spending.ts";

/** Sets what is to be spent at most. */
export function BudgetDialog({ budget, onClose }: { budget: Budget; onClose(): void }) {
  const form = useId();
  const queries = useQueryClient();
  const [texts, setTexts] = useState(() => draftOf(budget));
  const save = useCommand("save_budget", {
    onSuccess(saved) {
      queries.setQueryData(commandKey("get_budget", {}), saved);
      onClose();
    },
  });
  const wrong = BUDGET_PERIODS.filter((period) => Number.isNaN(amountIn(texts[period])));
  function onSubmit(event: FormEvent) {
    event.preventDefault();
    if (wrong.length > 0) return;
    const amount = (period: BudgetPeriod) => amountIn(texts[period]);
    save.mutate({ day_usd: amount("day"), week_usd: amount("week"), month_usd: amount("month") });
  }
  return (
    <Dialog
      open
      onOpenChange={(isOpen) => isOpen || onClose()}
      title={t("budget.edit")}
      description={t("budget.edit_text")}
      size="sm"
      footer={
        <Button type="submit" form={form} variant="primary" disabled={save.isPending || wrong.length > 0}>
          {t("budget.save")}
        </Button>
      }
    >
      <form id={form} onSubmit={onSubmit} className="flex flex-col gap-3">
        {BUDGET_PERIODS.map((period) => (
          <Field
            key={period}
            label={t("budget.in_usd", { budget: t(BUDGET_TEXTS[period]) })}
            error={wrong.includes(period) ? t("budget.wrong") : null}
          >
            {(attributes) => (
              <Input
                {...attributes}
                inputMode="decimal"
                placeholder={t("budget.none")}
                value={texts[period]}
                onChange={({ target }) => setTexts({ ...texts, [period]: target.value })}
              />
            )}
          </Field>
        ))}
        {save.error !== null && (
          <p role="alert" className="text-danger text-sm">
            {errorText(save.error)}
          </p>
        )}
      </form>
    </Dialog>
  );
}

type Draft = Record<BudgetPeriod, string>;

function draftOf({ day_usd, week_usd, month_usd }: Budget): Draft {
  return { day: textOf(day_usd), week: textOf(week_usd), month: textOf(month_usd) };
}

function textOf(amount: number | null): string {
  return amount === null ? "" : String(amount);
}
