import { flagIn, oneOf, type RawSearch, textIn, textsIn, withoutUndefined } from "../url/search-params.ts";

export const SORTS = ["modified", "created", "size", "messages", "cost", "title"] as const;
export const GROUPS = ["none", "day", "project", "forks"] as const;

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
  /** The name of an agent, as `agent:` takes it. */
  agent?: string;
  favorites?: true;
  live?: true;
  /** On a hub: one's own sessions only. */
  mine?: true;
  /** On a hub: the name of a user who shares sessions. */
  owner?: string;
  /** Archived sessions instead of the others. */
  archived?: true;
  /** A time as people type it, such as `7d` or `2026-03-04`: sessions whose newest message is not older. */
  since?: string;
  /** A time as people type it: sessions whose newest message is older. */
  until?: string;
  /** `modified` if absent. */
  sort?: ListSort;
  /** As the sort suggests if absent: titles from A, everything else from the largest. */
  order?: "asc" | "desc";
  /** `day` if absent. */
  group?: ListGroup;
}

/** Makes the state of the list of the URL; what the URL says wrongly is left out, but for times, without
 * which the list would silently be another one. */
export function readListSearch(search: RawSearch): ListSearch {
  const tags = textsIn(search, "tag");
  return withoutUndefined({
    q: textIn(search, "q"),
    project: textIn(search, "project"),
    tag: tags.length === 0 ? undefined : [...new Set(tags)],
    model: textIn(search, "model"),
    agent: textIn(search, "agent"),
    favorites: flagIn(search, "favorites"),
    live: flagIn(search, "live"),
    mine: flagIn(search, "mine"),
    owner: textIn(search, "owner"),
    archived: flagIn(search, "archived"),
    since: textIn(search, "since"),
    until: textIn(search, "until"),
    sort: oneOf(search, "sort", SORTS),
    order: oneOf(search, "order", ["asc", "desc"] as const),
    group: oneOf(search, "group", GROUPS),
  });
}

/** Filters of the list, without how it is laid out. */
export const FILTERS = [
  "q",
  "project",
  "tag",
  "model",
  "agent",
  "favorites",
  "live",
  "mine",
  "owner",
  "since",
  "until",
] as const;

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
