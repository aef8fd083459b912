import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { Bookmark } from "lucide-react";
import { useMemo } from "react";
import { commandQuery } from "../client/commands.ts";
import { useService, useSession } from "../client/service-context.tsx";
import { formatWhen } from "../i18n/format.ts";
import { t } from "../i18n/text.ts";
import { sessionTitle } from "../projects/session-title.ts";
import { type BookmarkedSession, bookmarkedSessions } from "./by-session.ts";

/** Sessions that are shown; all others are found with `is:bookmarked`. */
const MAX_SHOWN = 10;

/** The sessions with the user's newest bookmarks, each of which leads to the newest in it; nothing without any. */
export function BookmarkedSessions() {
  const { data } = useQuery(commandQuery(useService(), "list_bookmarks", {}));
  const sessions = useMemo(() => bookmarkedSessions(data ?? []), [data]);
  if (sessions.length === 0) return null;
  return (
    <section>
      <h2 className="flex h-8 items-center pl-2 text-sm">{t("search.bookmarks")}</h2>
      <ul className="grid gap-x-8 desk:grid-cols-2">
        {sessions.slice(0, MAX_SHOWN).map((session) => (
          <li key={session.path} className="min-w-0">
            <SessionLink {...session} />
          </li>
        ))}
      </ul>
    </section>
  );
}

function SessionLink({ path, count, newest }: BookmarkedSession) {
  const record = useSession(path);
  return (
    <Link
      to="/session"
      search={{ path, entry: newest.entry_id, panel: "prompts" }}
      className="flex min-h-8 min-w-0 items-center gap-2.5 rounded-md px-2 text-sm hover:bg-hover touch:min-h-11"
    >
      <Bookmark aria-hidden size={15} strokeWidth={1.75} className="shrink-0 text-faint" />
      <span className="min-w-0 flex-1 truncate">{record === null ? path : sessionTitle(record)}</span>
      <span className="shrink-0 text-faint text-xs">{t("search.bookmark_count", { count })}</span>
      {newest.created_at !== null && (
        <time dateTime={newest.created_at} className="shrink-0 text-faint text-xs">
          {formatWhen(newest.created_at)}
        </time>
      )}
    </Link>
  );
}
