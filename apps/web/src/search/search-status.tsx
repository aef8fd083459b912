import { formatDuration } from "../i18n/format.ts";
import { t } from "../i18n/text.ts";
import type { SearchPage } from "./result-rows.ts";
import { useIndexing } from "./use-search.ts";

interface SearchStatusProps {
  /** What was found, as far as it is loaded. */
  pages: readonly SearchPage[];
  hasMore: boolean;
  /** Whether one session alone is searched. */
  isOfSession: boolean;
  isSearching: boolean;
}

/** How much was found and in how many sessions, and what could not be searched yet. */
export function SearchStatus({ pages, hasMore, isOfSession, isSearching }: SearchStatusProps) {
  const indexing = useIndexing();
  const [page] = pages;
  const isIncomplete = page !== undefined && page.indexing.pending > 0;
  return (
    <div className="min-h-6 px-1 pt-2 text-faint text-xs">
      <output>
        {isSearching ? t("search.searching") : page !== undefined && foundText(page, pages, hasMore, isOfSession)}
      </output>
      {!isSearching && page !== undefined && ` · ${formatDuration(page.took_ms)}`}
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

function foundText(first: SearchPage, pages: readonly SearchPage[], hasMore: boolean, isOfSession: boolean): string {
  const matches = t(first.total_is_exact ? "search.matches" : "search.matches_about", { count: first.total });
  const count = new Set(pages.flatMap(({ hits }) => hits.map((hit) => hit.session_path))).size;
  if (isOfSession || count === 0) return matches;
  return `${matches} ${t(hasMore ? "search.in_sessions_more" : "search.in_sessions", { count: hasMore ? Math.max(1, count - 1) : count })}`;
}
