import type { Whose } from "../hub/whose.ts";
import { flagIn, oneOf, type RawSearch, textIn, textsIn, withoutUndefined } from "../url/search-params.ts";

export const ROLES = ["user", "assistant", "tool"] as const;

/** The search as described by the URL. */
export interface SearchState extends Whose {
  /** The query, as typed. */
  q?: string;
  role?: (typeof ROLES)[number];
  /** A working directory. */
  project?: string;
  /** Path of the only session that is searched: all hits are shown. */
  session?: string;
  model?: string;
  /** The name of an agent, as `agent:` takes it. */
  agent?: string;
  tool?: string;
  /** Ids of tags: sessions with any of them. */
  tag?: string[];
  /** A time as people type it, such as `7d`. */
  since?: string;
  /** By relevance if absent. */
  sort?: "newest";
}

export type SearchChange = { [Name in keyof SearchState]?: SearchState[Name] | undefined };

/** Makes the state of the search of the URL; what the URL says wrongly is left out, but for the time,
 * without which the search would silently be another one. */
export function readSearchState(search: RawSearch): SearchState {
  const tags = textsIn(search, "tag");
  return withoutUndefined({
    q: textIn(search, "q"),
    role: oneOf(search, "role", ROLES),
    project: textIn(search, "project"),
    session: textIn(search, "session"),
    mine: flagIn(search, "mine"),
    owner: textIn(search, "owner"),
    model: textIn(search, "model"),
    agent: textIn(search, "agent"),
    tool: textIn(search, "tool"),
    tag: tags.length === 0 ? undefined : [...new Set(tags)],
    since: textIn(search, "since"),
    sort: oneOf(search, "sort", ["newest"] as const),
  });
}

/** What narrows a search beside its query. */
export const FACETS = [
  "role",
  "session",
  "mine",
  "owner",
  "project",
  "agent",
  "model",
  "tool",
  "since",
  "tag",
] as const;

/** Takes every facet away. */
export const NO_FACETS: SearchChange = Object.fromEntries(FACETS.map((name) => [name, undefined]));

export function hasFacets(state: SearchState): boolean {
  return FACETS.some((name) => state[name] !== undefined);
}
