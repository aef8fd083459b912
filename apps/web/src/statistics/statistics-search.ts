import { oneOf, type RawSearch, textIn, textsIn, withoutUndefined } from "../app/search-params.ts";
import { isDay } from "./days.ts";

/** How far back the statistics go, in days; the usual one is a year. */
export const PERIODS = ["7d", "30d", "90d", "365d", "all"] as const;
/** What most charts show. */
export const MEASURES = ["tokens", "cost", "messages"] as const;
/** Charts, in the order in which they stand. */
export const FIGURES = ["calendar", "days", "models", "projects", "hours", "tools", "blocks", "longest"] as const;

export type Period = (typeof PERIODS)[number];
export type Measure = (typeof MEASURES)[number];
export type FigureName = (typeof FIGURES)[number];

/** What the statistics are of, as the URL says it. A field that is absent has its usual value. */
export interface StatisticsSearch {
  /** `365d` if absent. */
  period?: Period;
  /** Days of one's own, which win over a period: the first one, and the last one. */
  since?: string;
  until?: string;
  /** A working directory. */
  project?: string;
  /** `tokens` if absent. */
  measure?: Measure;
  /** Charts that are shown as a table. */
  table?: FigureName[];
}

/** Makes the state of the statistics of the URL; what the URL says wrongly is left out. */
export function readStatisticsSearch(search: RawSearch): StatisticsSearch {
  const since = textIn(search, "since");
  const until = textIn(search, "until");
  const asked = textsIn(search, "table");
  const tables = FIGURES.filter((figure) => asked.includes(figure));
  return withoutUndefined({
    period: oneOf(search, "period", PERIODS),
    since: since !== undefined && isDay(since) ? since : undefined,
    until: until !== undefined && isDay(until) ? until : undefined,
    project: textIn(search, "project"),
    measure: oneOf(search, "measure", MEASURES),
    table: tables.length === 0 ? undefined : tables,
  });
}
