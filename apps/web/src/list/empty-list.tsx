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
        <div key={width} className="flex h-14 flex-col justify-center gap-2 compact:h-9.5">
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

/** Shown without any session: which agents were looked for, and where. */
export function FirstRun() {
  const { data: homes } = useQuery(commandQuery(useService(), "get_agent_homes"));
  return (
    <div className="min-h-0 flex-1 overflow-y-auto">
      <EmptyState
        icon={Inbox}
        title={t("list.empty")}
        actions={
          <>
            <Link to="/settings/$" params={{ _splat: "agents" }} className={LINK}>
              {t("list.agents")}
            </Link>
            <Link to="/settings/$" params={{ _splat: "sessions" }} className={LINK}>
              {t("list.add_directory")}
            </Link>
          </>
        }
      >
        <p>{t("list.empty_text")}</p>
        {homes?.map(({ agent, name, enabled, directories }) => (
          <section key={agent} aria-label={name} className="mt-4 text-left">
            <h3 className="font-strong text-sm">{name}</h3>
            {!enabled && <p className="text-xs">{t("list.agent_off")}</p>}
            {enabled && directories.length === 0 && <p className="text-xs">{t("list.no_directory")}</p>}
            {enabled && (
              <ul className="mt-1 flex flex-col gap-1">
                {directories.map(({ path, exists }) => (
                  <li key={path} className="flex items-baseline gap-2 rounded-sm bg-press px-2 py-1 text-xs">
                    <span className="min-w-0 flex-1 font-mono [overflow-wrap:anywhere]">{path}</span>
                    <span className="shrink-0">{t(exists ? "list.directory_empty" : "list.directory_missing")}</span>
                  </li>
                ))}
              </ul>
            )}
          </section>
        ))}
        <p className="mt-4">
          {t("list.demo")} <code className="rounded-sm bg-press px-1 text-xs">session-cli --demo</code>
        </p>
      </EmptyState>
    </div>
  );
}
