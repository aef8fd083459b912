/** What the budgets are called. */
export const BUDGET_TEXTS = { day: "budget.day", week: "budget.week", month: "budget.month" } as const;
