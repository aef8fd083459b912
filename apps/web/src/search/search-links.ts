import { stringifySearch } from "../url/search-params.ts";
import { marksOf, type SearchHit } from "./result-rows.ts";
import { readSearchState, type SearchChange, type SearchState } from "./search-state.ts";

/** Where what is found leads to. */
export interface SearchLinks {
  /** A session, with the results beside it; at a hit where one is named. */
  toSession(hit: SearchHit, isEntry: boolean): { to: "/session"; search: never };
  /** Everything that was found in a session. */
  toAll(hit: SearchHit): { to: "/search" | "/session"; search: never };
}

/** A search as a part of the address of a session, beside which its results are. */
export function writeHits(state: SearchState): string {
  return stringifySearch({ ...state }).slice(1);
}

/** The links of a search on its own screen, or beside a session. */
export function linksOf(state: SearchState, isBeside: boolean): SearchLinks {
  return {
    toSession(hit, isEntry) {
      const marks = isEntry ? marksOf(hit) : [];
      const search = {
        path: hit.session_path,
        ...(isEntry && { entry: hit.entry_id }),
        ...(marks.length > 0 && { mark: marks }),
        hits: writeHits(state),
      };
      return { to: "/session", search: search as never };
    },
    toAll(hit) {
      const search = changed(state, { session: hit.session_path });
      if (!isBeside) return { to: "/search", search: search as never };
      return { to: "/session", search: ((now: object) => ({ ...now, hits: writeHits(search) })) as never };
    },
  };
}

export function changed(state: SearchState, change: SearchChange): SearchState {
  return readSearchState({ ...state, ...change });
}
