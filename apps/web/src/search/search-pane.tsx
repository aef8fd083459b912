import { type ReactNode, type Ref, useCallback, useMemo, useRef } from "react";
import { Segments } from "../design/choices.tsx";
import { classNames } from "../design/class-names.ts";
import { ErrorState } from "../design/error-state.tsx";
import { t } from "../i18n/text.ts";
import { useActions } from "../shortcuts/actions.ts";
import { stringifySearch } from "../url/search-params.ts";
import { Facets } from "./facets.tsx";
import { NothingFound } from "./nothing-found.tsx";
import { QueryHelp } from "./query-help.tsx";
import { layOutHits, type OpenedHit } from "./result-rows.ts";
import { Results, type ResultsHandle, SkeletonResults } from "./results.tsx";
import { SaveSearch } from "./save-search.tsx";
import { SearchField } from "./search-field.tsx";
import { rememberSearch } from "./search-history.ts";
import { linksOf } from "./search-links.ts";
import { PER_SESSION } from "./search-request.ts";
import { SearchStart } from "./search-start.tsx";
import type { SearchState } from "./search-state.ts";
import { SearchStatus } from "./search-status.tsx";
import { type ChangeSearch, useSearchResults } from "./use-search.ts";

interface SearchPaneProps {
  state: SearchState;
  change: ChangeSearch;
  /** What is read beside the results; `null` where they have the screen for themselves. */
  opened: OpenedHit | null;
  handle?: Ref<ResultsHandle>;
}

/** What is searched for, and what was found. */
export function SearchPane({ state, change, opened, handle }: SearchPaneProps) {
  const { request, results } = useSearchResults(state);
  const { data, error, isPlaceholderData: isOld, hasNextPage, fetchNextPage } = results;
  const field = useRef<HTMLInputElement>(null);
  const ownList = useRef<ResultsHandle>(null);
  const isBeside = opened !== null;
  const most = state.session === undefined ? PER_SESSION : Number.POSITIVE_INFINITY;
  const rows = useMemo(() => layOutHits(data?.pages ?? [], most), [data, most]);
  const links = useMemo(() => linksOf(state, isBeside), [state, isBeside]);

  const toField = useCallback(() => field.current?.select(), []);
  useActions([{ id: "search.focus", title: "search.focus", group: "go", keys: "/", onlyKeys: true, run: toField }]);
  const search = (q: string) => {
    change({ q });
    field.current?.focus();
  };

  const isSearching = request.kind === "search";
  const [first] = data?.pages ?? [];
  return (
    <>
      <div className={classNames("shrink-0", isBeside ? "px-3" : "px-6 phone:px-4")}>
        <div className="mx-auto max-w-260">
          <SearchField
            query={state.q ?? ""}
            problem={request.kind === "problem" ? request.problem : null}
            field={field}
            hasFocus={!isBeside}
            onQuery={(q) => change({ q }, { replace: true })}
            onEnter={rememberSearch}
            onArrowDown={() => ownList.current?.focus()}
          >
            <QueryHelp onExample={search} />
          </SearchField>
          <Facets state={state} onChange={(facets) => change(facets)} />
          <SearchStatus
            pages={isSearching ? (data?.pages ?? []) : []}
            hasMore={hasNextPage}
            isOfSession={state.session !== undefined}
            isSearching={isSearching && (isOld || first === undefined)}
          />
        </div>
      </div>
      {request.kind === "nothing" ? (
        <SearchStart onQuery={search} />
      ) : error !== null && first === undefined ? (
        <ErrorState title={t("search.failed")} error={error} onRetry={() => void results.refetch()} />
      ) : first === undefined ? (
        isSearching && <SkeletonResults />
      ) : rows.length === 0 && !isOld && isSearching ? (
        <NothingFound state={state} onChange={change} />
      ) : (
        <Results
          rows={rows}
          searchKey={stringifySearch({ ...state })}
          isOld={isOld || !isSearching}
          opened={opened}
          links={links}
          hasMore={hasNextPage && !results.isFetching}
          moreError={results.isFetchNextPageError ? error : null}
          onMore={() => void fetchNextPage()}
          onOpen={() => rememberSearch(state.q)}
          onLeave={toField}
          handle={(list) => {
            ownList.current = list;
            if (typeof handle === "function") handle(list);
            else if (handle != null) handle.current = list;
          }}
        />
      )}
    </>
  );
}

/** How the results are sorted, and a way to keep the search. */
export function SearchActions({
  state,
  change,
  children,
}: Pick<SearchPaneProps, "state" | "change"> & { children?: ReactNode }) {
  return (
    <>
      <Segments
        label={t("search.sort")}
        value={state.sort ?? "relevance"}
        options={[
          { value: "relevance", text: t("search.by_relevance") },
          { value: "newest", text: t("search.by_time") },
        ]}
        onChange={(sort) => change({ sort: sort === "newest" ? sort : undefined }, { replace: true })}
      />
      <SaveSearch state={state} />
      {children}
    </>
  );
}
