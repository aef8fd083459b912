import type { ListQuery } from "../client/sessions.ts";
import { readTimes } from "../url/typed-times.ts";
import { type ListSearch, orderOf } from "./list-search.ts";

/** Characters that the service takes. */
const MAX_QUERY = 1_000;

/**
 * What the service is asked for a list; models are filtered by the page alone, among what it gets.
 *
 * @param me the user's name on a hub; `null` where there is none.
 */
export function listQuery(
  search: ListSearch,
  tagsBelow: (id: string) => readonly string[],
  now: Date,
  me: string | null,
): ListQuery {
  const { q, project, tag, agent, favorites, live, sort, mine } = search;
  const owner = mine === true ? me : (search.owner ?? null);
  const fields = [agent === undefined ? undefined : `agent:${agent}`, live === true ? "is:live" : undefined];
  const words = [q, ...fields].filter((word) => word !== undefined);
  const times = readTimes(search, now.getTime());
  const { since, until } = "problem" in times ? { since: null, until: null } : times;
  return {
    sort: sort ?? "modified",
    order: orderOf(search),
    ...(words.length > 0 && { query: words.join(" ").slice(-MAX_QUERY) }),
    ...(project !== undefined && { project }),
    ...(tag !== undefined && { tag_ids: [...new Set(tag.flatMap((id) => [id, ...tagsBelow(id)]))].slice(0, MAX_TAGS) }),
    ...(owner !== null && { owner }),
    ...(favorites === true && { favorites_only: true }),
    ...(since !== null && { since: new Date(since).toISOString() }),
    ...(until !== null && { until: new Date(until).toISOString() }),
  };
}

const MAX_TAGS = 100;
