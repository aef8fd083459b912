import { SESSION_FORMATS, type SessionFormatName } from "@sm/core";
import type { Whose } from "../hub/whose.ts";
import { flagIn, oneOf, type RawSearch, textIn, textsIn, withoutUndefined } from "../url/search-params.ts";

/** How many days the statistics are of, today included; the usual one is a year. */
export const PERIODS = ["7-days", "30-days", "90-days", "365-days", "all"] as const;
/** What most charts show. */
export const MEASURES = ["tokens", "cost", "messages"] as const;
/** What a chart of days tells apart. */
export const STACKS = ["project", "model", "agent"] as const;
/** Charts, in the order in which they stand. */
export const FIGURES = [
  "calendar",
  "days",
  "agents",
  "models",
  "projects",
  "hours",
  "tools",
  "blocks",
  "longest",
] as const;

export type Period = (typeof PERIODS)[number];
export type Measure = (typeof MEASURES)[number];
export type Stack = (typeof STACKS)[number];
export type FigureName = (typeof FIGURES)[number];

/** What the statistics are of, as the URL says it. A field that is absent has its usual value. */
export interface StatisticsSearch extends Whose {
  /** `365-days` if absent. */
  period?: Period;
  /** Times as people type them, which win over a period; `until` is excluded. */
  since?: string;
  until?: string;
  /** A working directory. */
  project?: string;
  /** The format of an agent's sessions. */
  agent?: SessionFormatName;
  /** `tokens` if absent. */
  measure?: Measure;
  /** All of it together, and tokens by their kinds, if absent. */
  stack?: Stack;
  /** Layers of the chart of days that are left out, by their keys. */
  without?: string[];
  /** Charts that are shown as a table. */
  table?: FigureName[];
}

/** Whose sessions the statistics are of; all where nothing is said. */
export type Subject = Pick<StatisticsSearch, "project" | "agent" | keyof Whose>;

/** What the statistics are narrowed by, beside their time. */
export const FILTERS = ["project", "agent", "mine", "owner"] as const satisfies readonly (keyof Subject)[];

/** Takes every filter away. */
export const NO_FILTERS = { project: undefined, agent: undefined, mine: undefined, owner: undefined } as const;

/** Makes the state of the statistics of the URL; what the URL says wrongly is left out, but for times,
 * with which the statistics would silently be of something else. */
export function readStatisticsSearch(search: RawSearch): StatisticsSearch {
  const asked = textsIn(search, "table");
  const without = textsIn(search, "without");
  const tables = FIGURES.filter((figure) => asked.includes(figure));
  return withoutUndefined({
    period: oneOf(search, "period", PERIODS),
    since: textIn(search, "since"),
    until: textIn(search, "until"),
    project: textIn(search, "project"),
    agent: oneOf(search, "agent", SESSION_FORMATS),
    mine: flagIn(search, "mine"),
    owner: textIn(search, "owner"),
    measure: oneOf(search, "measure", MEASURES),
    stack: oneOf(search, "stack", STACKS),
    without: without.length === 0 ? undefined : without,
    table: tables.length === 0 ? undefined : tables,
  });
}
