import { useCallback, useMemo, useRef } from "react";
import { Segments } from "../design/choices.tsx";
import { ErrorState } from "../design/error-state.tsx";
import { Screen } from "../design/screen.tsx";
import { formatDuration } from "../i18n/format.ts";
import { t } from "../i18n/text.ts";
import { useActions } from "../shortcuts/actions.ts";
import { stringifySearch } from "../url/search-params.ts";
import { Facets } from "./facets.tsx";
import { NothingFound } from "./nothing-found.tsx";
import { QueryHelp } from "./query-help.tsx";
import { layOutHits } from "./result-rows.ts";
import { Results, type ResultsHandle, SkeletonResults } from "./results.tsx";
import { SaveSearch } from "./save-search.tsx";
import { SearchField } from "./search-field.tsx";
import { rememberSearch } from "./search-history.ts";
import { PER_SESSION } from "./search-request.ts";
import { SearchStart } from "./search-start.tsx";
import type { SearchState } from "./search-state.ts";
import { useChangeSearch, useIndexing, useSearchResults } from "./use-search.ts";

/** Searches the text of all sessions. */
export function SearchScreen({ state }: { state: SearchState }) {
  const change = useChangeSearch();
  const { request, results } = useSearchResults(state);
  const { data, error, isPlaceholderData: isOld, hasNextPage, fetchNextPage } = results;
  const field = useRef<HTMLInputElement>(null);
  const list = useRef<ResultsHandle>(null);
  const most = state.session === undefined ? PER_SESSION : Number.POSITIVE_INFINITY;
  const rows = useMemo(() => layOutHits(data?.pages ?? [], most), [data, most]);
  const searchKey = stringifySearch({ ...state });

  const toField = useCallback(() => field.current?.select(), []);
  useActions([{ id: "search.focus", title: "search.focus", group: "go", keys: "/", onlyKeys: true, run: toField }]);
  const search = (q: string) => {
    change({ q });
    field.current?.focus();
  };

  const isSearching = request.kind === "search";
  const [first] = data?.pages ?? [];
  return (
    <Screen
      isPlain
      title={t("rail.search")}
      actions={
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
        </>
      }
    >
      <div className="shrink-0 px-6 phone:px-4">
        <div className="mx-auto max-w-260">
          <SearchField
            query={state.q ?? ""}
            problem={request.kind === "problem" ? request.problem : null}
            field={field}
            onQuery={(q) => change({ q }, { replace: true })}
            onEnter={rememberSearch}
            onArrowDown={() => list.current?.focus()}
          >
            <QueryHelp onExample={search} />
          </SearchField>
          <Facets state={state} onChange={(facets) => change(facets)} />
          <Status page={isSearching ? first : undefined} isSearching={isSearching && (isOld || first === undefined)} />
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
          searchKey={searchKey}
          isOld={isOld || !isSearching}
          hasMore={hasNextPage && !results.isFetching}
          moreError={results.isFetchNextPageError ? error : null}
          onMore={() => void fetchNextPage()}
          onOpen={() => rememberSearch(state.q)}
          onLeave={toField}
          handle={list}
        />
      )}
    </Screen>
  );
}

interface StatusProps {
  page: { total: number; total_is_exact: boolean; took_ms: number; indexing: { pending: number } } | undefined;
  isSearching: boolean;
}

/** How much was found, and what could not be searched yet. */
function Status({ page, isSearching }: StatusProps) {
  const indexing = useIndexing();
  const isIncomplete = page !== undefined && page.indexing.pending > 0;
  return (
    <div className="min-h-6 px-1 pt-2 text-faint text-xs">
      <output>
        {isSearching
          ? t("search.searching")
          : page !== undefined &&
            t(page.total_is_exact ? "search.matches" : "search.matches_about", { count: page.total })}
      </output>
      {!isSearching && page !== undefined && ` ${t("search.took", { time: formatDuration(page.took_ms) })}`}
      {(isIncomplete || indexing !== null) && (
        <div className="pt-1">
          {t("search.not_all")}
          {indexing !== null && (
            <>
              {" "}
              {t("search.indexing", { ...indexing })}
              <progress
                aria-label={t("search.indexing", { ...indexing })}
                value={indexing.done}
                max={indexing.total}
                className="mt-1 block h-1 w-full appearance-none overflow-hidden rounded-full bg-press [&::-moz-progress-bar]:bg-accent [&::-webkit-progress-bar]:bg-transparent [&::-webkit-progress-value]:bg-accent"
              />
            </>
          )}
        </div>
      )}
    </div>
  );
}
