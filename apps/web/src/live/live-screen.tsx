import { getRouteApi, useNavigate } from "@tanstack/react-router";
import { Plus, Radio } from "lucide-react";
import { useLiveTitles } from "../agents/live-titles.ts";
import { useLiveSessions } from "../agents/use-live-sessions.ts";
import { Button } from "../design/button.tsx";
import { useKeyboardInset } from "../design/keyboard-inset.ts";
import { EmptyState, SkeletonLines } from "../design/placeholder.tsx";
import { ScreenHeader, useTitle } from "../design/screen.tsx";
import { Unavailable } from "../design/unavailable.tsx";
import { t } from "../i18n/text.ts";
import { LiveBoard } from "./live-board.tsx";
import { LiveList } from "./live-list.tsx";
import { LiveSessionPane } from "./live-session.tsx";
import { StartDialog } from "./start-dialog.tsx";
import { useBoard } from "./use-board.ts";

const liveRoute = getRouteApi("/live");

/** The session that is open beside the others, or the board of all that runs. */
export function LiveScreen() {
  const search = liveRoute.useSearch();
  const navigate = useNavigate();
  const query = useLiveSessions();
  const { data: sessions } = query;
  const keyboard = useKeyboardInset();
  const titleOf = useLiveTitles();
  const open = sessions?.find(({ session_id }) => session_id === search.session);
  useTitle(open === undefined ? t("rail.live") : titleOf(open));
  const showStart = () => void navigate({ to: "/live", search: { ...search, new: true } });

  return (
    <main
      id="content"
      tabIndex={-1}
      className="flex min-w-0 flex-1 bg-paper"
      style={keyboard === 0 ? undefined : { paddingBottom: keyboard }}
    >
      {search.session === undefined ? (
        <Board query={query} onNew={showStart} />
      ) : (
        <>
          <section
            aria-label={t("live.sessions")}
            className="flex min-h-0 w-80 shrink-0 flex-col bg-panel phone:hidden"
          >
            <Header onNew={query.error === null ? showStart : null} />
            <div className="min-h-0 flex-1 overflow-y-auto">
              {sessions === undefined ? (
                <SkeletonLines count={5} className="p-4" />
              ) : (
                <LiveList sessions={sessions} current={search.session} />
              )}
            </div>
          </section>
          <div className="flex min-h-0 min-w-0 flex-1 flex-col">
            {open !== undefined && <LiveSessionPane key={open.session_id} session={open} />}
            {open === undefined && sessions !== undefined && (
              <EmptyState icon={Radio} title={t("live.gone")}>
                {t("live.gone_text")}
              </EmptyState>
            )}
            {sessions === undefined && query.error !== null && <Failure query={query} />}
          </div>
        </>
      )}
      {search.new === true && (
        <StartDialog
          cwd={search.cwd}
          onClose={() =>
            void navigate({
              to: "/live",
              search: search.session === undefined ? {} : { session: search.session },
              replace: true,
            })
          }
        />
      )}
    </main>
  );
}

interface LiveQuery {
  query: ReturnType<typeof useLiveSessions>;
}

/** The board, or why there is none. */
function Board({ query, onNew }: LiveQuery & { onNew(): void }) {
  const { data: sessions, error } = query;
  const rows = useBoard(sessions);
  return (
    <section aria-label={t("live.sessions")} className="flex min-h-0 min-w-0 flex-1 flex-col">
      <Header onNew={error === null ? onNew : null} />
      <div className="min-h-0 flex-1 overflow-y-auto">
        {rows.length > 0 ? (
          <LiveBoard rows={rows} />
        ) : sessions !== undefined ? (
          <EmptyState
            icon={Radio}
            title={t("live.none")}
            actions={
              <Button variant="primary" icon={Plus} onClick={onNew}>
                {t("live.new")}
              </Button>
            }
          >
            {t("live.none_text")}
          </EmptyState>
        ) : error !== null ? (
          <Failure query={query} />
        ) : (
          <SkeletonLines count={5} className="p-4" />
        )}
      </div>
    </section>
  );
}

function Header({ onNew }: { onNew: (() => void) | null }) {
  return (
    <ScreenHeader
      title={t("rail.live")}
      actions={
        onNew !== null && (
          <Button icon={Plus} size="sm" onClick={onNew}>
            {t("live.new_short")}
          </Button>
        )
      }
    />
  );
}

function Failure({ query: { error, refetch } }: LiveQuery) {
  if (error === null) return null;
  return (
    <Unavailable
      error={error}
      title={t("live.list_failed")}
      missing={t("live.missing")}
      forbidden={t("live.forbidden")}
      onRetry={() => void refetch()}
    />
  );
}
