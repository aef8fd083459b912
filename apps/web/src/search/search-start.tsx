import { History, X } from "lucide-react";
import { usePreference } from "../browser/preference.ts";
import { Button, IconButton } from "../design/button.tsx";
import { focusBeside } from "../design/focus.ts";
import { t } from "../i18n/text.ts";
import { BookmarkedSessions } from "./bookmarked-sessions.tsx";
import { QueryExamples } from "./query-help.tsx";
import { searchHistory } from "./search-history.ts";

/** Queries that are shown; the others come back when some of these are forgotten. */
const MAX_SHOWN = 10;

/** Before anything is searched for: what was searched for before, what is bookmarked, and how to search. */
export function SearchStart({ onQuery }: { onQuery(query: string): void }) {
  const history = usePreference(searchHistory);
  return (
    <div className="min-h-0 flex-1 overflow-y-auto px-6 pb-10 phone:px-4">
      <div className="mx-auto flex max-w-260 flex-col gap-6 pt-2">
        {history.length > 0 && (
          <section>
            <div className="flex h-8 items-center justify-between pl-2">
              <h2 className="text-sm">{t("search.history")}</h2>
              <Button variant="ghost" size="sm" onClick={() => searchHistory.set([])}>
                {t("search.history_clear")}
              </Button>
            </div>
            <ul className="grid gap-x-8 desk:grid-cols-2">
              {history.slice(0, MAX_SHOWN).map((query) => (
                <li key={query} className="group flex min-w-0 items-center rounded-md hover:bg-hover">
                  <button
                    type="button"
                    onClick={() => onQuery(query)}
                    className="flex min-h-8 min-w-0 flex-1 items-center gap-2.5 rounded-md px-2 text-left text-sm touch:min-h-11"
                  >
                    <History aria-hidden size={15} strokeWidth={1.75} className="shrink-0 text-faint" />
                    <span className="truncate">{query}</span>
                  </button>
                  <IconButton
                    icon={X}
                    size="sm"
                    label={t("search.history_forget", { query })}
                    className="opacity-0 focus-visible:opacity-100 group-hover:opacity-100 touch:opacity-100"
                    onClick={({ currentTarget }) => {
                      focusBeside(currentTarget, "li");
                      searchHistory.set(history.filter((one) => one !== query));
                    }}
                  />
                </li>
              ))}
            </ul>
          </section>
        )}
        <BookmarkedSessions />
        <section>
          <h2 className="flex h-8 items-center pl-2 text-sm">{t("search.how")}</h2>
          <QueryExamples isWide onExample={onQuery} />
        </section>
      </div>
    </div>
  );
}
