import { skipToken, useInfiniteQuery, useQuery, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useCallback, useEffect, useMemo } from "react";
import { INDEX_PROGRESS } from "../client/event-cache.ts";
import { useService } from "../client/service-context.tsx";
import { ownerField, useWhose } from "../hub/whose.ts";
import type { SearchPage } from "./result-rows.ts";
import { type SearchRequest, searchRequest } from "./search-request.ts";
import { readSearchState, type SearchChange, type SearchState } from "./search-state.ts";

/** Requests search results page by page. Obsolete requests are aborted. */
export function useSearchResults(state: SearchState) {
  const service = useService();
  // All pages of a search count back from the same moment.
  const request = useMemo((): SearchRequest => searchRequest(state, Date.now()), [state]);
  const payload = request.kind === "search" ? request.payload : null;
  const whose = useWhose(state);
  const results = useInfiniteQuery({
    queryKey: ["search", payload, whose],
    queryFn:
      payload === null
        ? skipToken
        : async ({ pageParam, signal, client }): Promise<SearchPage> => {
            const ofOwner = await ownerField(whose, { service, queries: client });
            const page = pageParam !== null && { cursor: pageParam };
            return service.call("search", { ...payload, ...ofOwner, ...page }, { signal });
          },
    initialPageParam: null as string | null,
    getNextPageParam: ({ next_cursor }) => next_cursor,
    // The former results stay until there are others.
    placeholderData: (former) => (payload === null ? undefined : former),
  });
  useFresherResults((results.data?.pages[0]?.indexing.pending ?? 0) > 0);
  return { request, results };
}

/** How far the service has read sessions for the search; `null` where nothing is known to be missing. */
export function useIndexing(): { done: number; total: number } | null {
  const { data } = useQuery<{ done: number; total: number }>({ queryKey: INDEX_PROGRESS, queryFn: skipToken });
  return data === undefined || data.done >= data.total ? null : data;
}

/** Searches again when everything can be found that could not be found before. */
function useFresherResults(isIncomplete: boolean): void {
  const queries = useQueryClient();
  const isIndexing = useIndexing() !== null;
  useEffect(() => {
    if (isIncomplete && !isIndexing) void queries.invalidateQueries({ queryKey: ["search"] });
  }, [queries, isIncomplete, isIndexing]);
}

export type ChangeSearch = (change: SearchChange, options?: { replace?: boolean }) => void;

/** Changes what is searched for; a field that becomes `undefined` leaves the URL. */
export function useChangeSearch(): ChangeSearch {
  const navigate = useNavigate();
  return useCallback(
    (change, { replace = false } = {}) =>
      void navigate({
        to: "/search",
        search: (before: object) => readSearchState({ ...before, ...change }),
        replace,
      }),
    [navigate],
  );
}
