import { flagIn, oneOf, type RawSearch, textIn, textsIn, withoutUndefined } from "../app/search-params.ts";

export const SORTS = ["modified", "created", "size", "messages", "cost", "title"] as const;
export const GROUPS = ["none", "day", "project", "forks"] as const;
/** How far back the list goes, in days. */
export const PERIODS = ["1d", "7d", "30d", "90d", "365d"] as const;

export type ListSort = (typeof SORTS)[number];
export type ListGroup = (typeof GROUPS)[number];

/** What the list shows, as the URL says it. A field that is absent has its usual value. */
export interface ListSearch {
  /** Words of title, directory, messages and models. */
  q?: string;
  /** A working directory. */
  project?: string;
  /** Ids of tags: sessions with any of them. */
  tag?: string[];
  model?: string;
  favorites?: true;
  live?: true;
  /** `7d`, or a day, `2026-03-04`: sessions whose newest message is not older. */
  since?: string;
  /** A day: sessions whose newest message is of it or older. */
  until?: string;
  /** `modified` if absent. */
  sort?: ListSort;
  /** As the sort suggests if absent: titles from A, everything else from the largest. */
  order?: "asc" | "desc";
  /** `day` if absent. */
  group?: ListGroup;
}

const DAY = /^\d{4}-\d{2}-\d{2}$/;

/** Makes the state of the list of the URL; what the URL says wrongly is left out. */
export function readListSearch(search: RawSearch): ListSearch {
  const tags = textsIn(search, "tag");
  const since = textIn(search, "since");
  const until = textIn(search, "until");
  return withoutUndefined({
    q: textIn(search, "q"),
    project: textIn(search, "project"),
    tag: tags.length === 0 ? undefined : [...new Set(tags)],
    model: textIn(search, "model"),
    favorites: flagIn(search, "favorites"),
    live: flagIn(search, "live"),
    since: since !== undefined && (isPeriod(since) || isDay(since)) ? since : undefined,
    until: until !== undefined && isDay(until) ? until : undefined,
    sort: oneOf(search, "sort", SORTS),
    order: oneOf(search, "order", ["asc", "desc"] as const),
    group: oneOf(search, "group", GROUPS),
  });
}

export function isPeriod(text: string): text is (typeof PERIODS)[number] {
  return (PERIODS as readonly string[]).includes(text);
}

function isDay(text: string): boolean {
  return DAY.test(text) && !Number.isNaN(Date.parse(text));
}

/** Filters of the list, without how it is laid out. */
export const FILTERS = ["q", "project", "tag", "model", "favorites", "live", "since", "until"] as const;

export function hasFilters(search: ListSearch): boolean {
  return FILTERS.some((name) => search[name] !== undefined);
}

/** The same list without any filter. */
export function withoutFilters({ sort, order, group }: ListSearch): ListSearch {
  return withoutUndefined({ sort, order, group });
}

/** The order that a list is in. */
export function orderOf({ sort, order }: ListSearch): "asc" | "desc" {
  return order ?? usualOrder(sort);
}

/** The order of a list that names none. */
export function usualOrder(sort: ListSort | undefined): "asc" | "desc" {
  return sort === "title" ? "asc" : "desc";
}
