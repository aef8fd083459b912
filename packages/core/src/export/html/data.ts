import type { JsonValue } from "../../json.ts";
import { stringify } from "../document.ts";
import type { PageBudget } from "./budget.ts";
import { codeBlock } from "./code.ts";

/** Limits of length and depth for indented JSON: indentation must not dominate the page. */
const MAX_INDENTED = 256 * 1024;
const MAX_LEVELS = 20;

/** Renders a value as JSON. */
export function dataHtml(value: JsonValue, budget: PageBudget): string {
  const json = stringify(value);
  const isIndented = json.length <= MAX_INDENTED && !isDeeper(value, MAX_LEVELS);
  return codeBlock(isIndented ? stringify(value, 2) : json, "json", budget);
}

/** Renders a value as JSON in closed `<details>`; `summary` is HTML. */
export function dataDetails(summary: string, value: JsonValue, budget: PageBudget): string {
  return `<details class="data"><summary>${summary}</summary>${dataHtml(value, budget)}</details>`;
}

function isDeeper(value: JsonValue | undefined, levels: number): boolean {
  if (typeof value !== "object" || value === null) return false;
  return levels === 0 || Object.values(value).some((inner) => isDeeper(inner, levels - 1));
}
