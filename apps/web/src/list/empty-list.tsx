import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { Inbox, SearchX } from "lucide-react";
import { commandQuery } from "../client/commands.ts";
import { useService } from "../client/service-context.tsx";
import { Button } from "../design/button.tsx";
import { EmptyState, Skeleton } from "../design/placeholder.tsx";
import { t } from "../i18n/text.ts";
import { readTimes } from "../url/typed-times.ts";
import { FILTERS, type ListSearch } from "./list-search.ts";
import { useChangeListSearch } from "./use-list-search.ts";

const LINK = "inline-flex h-8 items-center rounded-md bg-press px-3 text-ink text-sm hover:bg-selected touch:h-11";

/** Stands in for rows that are on their way. */
export function SkeletonRows() {
  return (
    <div role="status" className="min-h-0 flex-1 overflow-hidden px-10 pt-4">
      <span className="sr-only">{t("frame.loading")}</span>
      {WIDTHS.map((width) => (
        <div key={width} className="flex h-14 flex-col justify-center gap-2">
          <Skeleton className={`h-3.5 ${width}`} />
          <Skeleton className="h-3 w-2/5" />
        </div>
      ))}
    </div>
  );
}

const WIDTHS = ["w-4/5", "w-3/5", "w-11/12", "w-1/2", "w-3/4", "w-2/3", "w-5/6", "w-7/12", "w-full"];

/** There are sessions, and none that the filters leave. */
export function NoMatch({ search }: { search: ListSearch }) {
  const change = useChangeListSearch();
  const times = readTimes(search, Date.now());
  const isReadable = !("problem" in times);
  const clear = () => change(Object.fromEntries(FILTERS.map((name) => [name, undefined])));
  return (
    <div className="min-h-0 flex-1">
      <EmptyState
        icon={SearchX}
        title={t(isReadable ? "list.no_match" : "frame.bad_time")}
        actions={
          <>
            <Button onClick={clear}>{t("list.clear_filters")}</Button>
            {search.q !== undefined && (
              <Link to="/search" search={{ q: search.q } as never} className={LINK}>
                {t("list.search_text")}
              </Link>
            )}
          </>
        }
      >
        {isReadable ? t("list.no_match_text") : times.problem}
      </EmptyState>
    </div>
  );
}

/** Shown without any session: how to get the first one. */
export function FirstRun() {
  const { data: directories } = useQuery(commandQuery(useService(), "get_all_session_dirs"));
  return (
    <div className="min-h-0 flex-1 overflow-y-auto">
      <EmptyState
        icon={Inbox}
        title={t("list.empty")}
        actions={
          <Link to="/settings/$" params={{ _splat: "sessions" }} className={LINK}>
            {t("list.add_directory")}
          </Link>
        }
      >
        {directories !== undefined && directories.length === 0 ? (
          <p>{t("list.empty_none")}</p>
        ) : (
          <>
            <p>{t("list.empty_text")}</p>
            <ul className="mt-3 flex flex-col gap-1">
              {directories?.map((directory) => (
                <li
                  key={directory}
                  className="rounded-sm bg-press px-2 py-1 font-mono text-xs [overflow-wrap:anywhere]"
                >
                  {directory}
                </li>
              ))}
            </ul>
          </>
        )}
      </EmptyState>
    </div>
  );
}
