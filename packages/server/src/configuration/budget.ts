import { type Budget, isJsonObject, type JsonObject, type JsonValue } from "@sm/core";

/** The most that `save_budget` takes, and what a budget is answered with. */
const MOST_USD = 1e9;

/** The budget among the preferences. What is there, others may have written: what is no amount is none. */
export function budgetIn({ budget }: JsonObject): Budget {
  const given = budget !== undefined && isJsonObject(budget) ? budget : {};
  return { day_usd: amount(given.day_usd), week_usd: amount(given.week_usd), month_usd: amount(given.month_usd) };
}

function amount(value: JsonValue | undefined): number | null {
  return typeof value === "number" && value > 0 && value <= MOST_USD ? value : null;
}
