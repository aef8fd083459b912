import { useNavigate, useRouterState } from "@tanstack/react-router";
import { useCallback } from "react";
import type { RawSearch } from "../url/search-params.ts";
import { type ListSearch, readListSearch } from "./list-search.ts";

const NONE: ListSearch = {};

/** The state of the list, as the URL says it; nothing on screens without the list. */
export function useListSearch(): ListSearch {
  return useRouterState({
    select: ({ location }) =>
      location.pathname === "/" || location.pathname === "/session"
        ? readListSearch(location.search as RawSearch)
        : NONE,
    structuralSharing: true,
  });
}

/** Changes the state of the list; a field that becomes `undefined` goes back to its usual value. */
export function useChangeListSearch(): (
  change: { [Name in keyof ListSearch]?: ListSearch[Name] | undefined },
  options?: { replace?: boolean },
) => void {
  const navigate = useNavigate();
  return useCallback(
    (change, { replace = false } = {}) =>
      void navigate({ to: ".", search: (search) => readListSearchOver(search as RawSearch, change), replace }),
    [navigate],
  );
}

/** Everything else that the URL says, such as the open session, stays. */
function readListSearchOver(search: RawSearch, change: object): never {
  return { ...search, ...change } as never;
}
