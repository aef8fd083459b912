import { Link } from "@tanstack/react-router";
import { useLiveTitles } from "../agents/live-titles.ts";
import { questionText } from "../agents/question-text.ts";
import type { LiveSession } from "../agents/use-live-sessions.ts";
import { formatRelative } from "../i18n/format.ts";
import { t } from "../i18n/text.ts";
import { useProjectName } from "../projects/use-project-name.ts";
import { SessionState } from "./session-state.tsx";

interface LiveListProps {
  sessions: readonly LiveSession[];
  /** Id of the one that is open. */
  current: string | undefined;
}

/** The agents that run. */
export function LiveList({ sessions, current }: LiveListProps) {
  const titleOf = useLiveTitles();
  const projectOf = useProjectName();
  return (
    <ul aria-label={t("live.sessions")} className="flex flex-col gap-0.5 px-2 pb-4">
      {sessions.map((session) => (
        <li key={session.session_id}>
          <Link
            to="/live"
            search={{ session: session.session_id }}
            aria-current={session.session_id === current ? "page" : undefined}
            activeProps={{}}
            className="flex flex-col gap-0.5 rounded-md px-3 py-2 hover:bg-hover aria-[current=page]:bg-selected"
          >
            <span className="flex items-center gap-3">
              <span className="min-w-0 flex-1 truncate text-sm">{titleOf(session)}</span>
              <SessionState session={session} />
            </span>
            <span className="flex min-w-0 items-center gap-2 text-faint text-xs">
              <span className="min-w-0 truncate" title={session.cwd}>
                {projectOf(session.cwd)}
              </span>
              {session.question !== null ? (
                <bdi className="min-w-0 truncate">· {questionText(session.question)}</bdi>
              ) : (
                session.model !== null && (
                  <span className="min-w-0 truncate">· {session.model.replace(/^[^/]*\//, "")}</span>
                )
              )}
              <span className="ml-auto shrink-0 tabular-nums">{formatRelative(session.last_event_at)}</span>
            </span>
          </Link>
        </li>
      ))}
    </ul>
  );
}
