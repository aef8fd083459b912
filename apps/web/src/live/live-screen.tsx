import { getRouteApi, useNavigate } from "@tanstack/react-router";
import { Plus, Radio } from "lucide-react";
import { useLiveSessions } from "../agents/use-live-sessions.ts";
import { Button } from "../design/button.tsx";
import { classNames } from "../design/class-names.ts";
import { EmptyState, SkeletonLines } from "../design/placeholder.tsx";
import { ScreenHeader, useTitle } from "../design/screen.tsx";
import { Unavailable } from "../design/unavailable.tsx";
import { t } from "../i18n/text.ts";
import { useIsAlone } from "../transcript/use-is-alone.ts";
import { LiveBoard } from "./live-board.tsx";
import { LiveList } from "./live-list.tsx";
import type { LiveSearch } from "./live-search.ts";
import { LiveSessionScreen } from "./live-session.tsx";
import { StartDialog } from "./start-dialog.tsx";
import { useBoard } from "./use-board.ts";

const liveRoute = getRouteApi("/live");

/** The session that is open beside the others, or the board of all that runs. */
export function LiveScreen() {
  const search = liveRoute.useSearch();
  const navigate = useNavigate();
  const query = useLiveSessions();
  const showStart = () => void navigate({ to: "/live", search: { ...search, new: true } });
  return (
    <>
      {search.session === undefined ? (
        <main id="content" tabIndex={-1} className="flex min-w-0 flex-1 bg-paper">
          <Board query={query} onNew={showStart} />
        </main>
      ) : (
        <OpenSession query={query} search={search} sessionId={search.session} onNew={showStart} />
      )}
      {search.new === true && (
        <StartDialog
          cwd={search.cwd}
          onClose={() => {
            const { new: _new, cwd: _cwd, ...rest } = search;
            void navigate({ to: "/live", search: rest, replace: true });
          }}
        />
      )}
    </>
  );
}

interface OpenSessionProps extends LiveQuery {
  search: LiveSearch;
  sessionId: string;
  onNew(): void;
}

/** A session beside the others. */
function OpenSession({ query, search, sessionId, onNew }: OpenSessionProps) {
  const { data: sessions, error } = query;
  const { session: _session, new: _new, cwd: _cwd, ...ofTranscript } = search;
  const open = sessions?.find(({ session_id }) => session_id === sessionId);
  const isAlone = useIsAlone(search);
  return (
    <>
      <section
        aria-label={t("live.sessions")}
        className={classNames("flex min-h-0 w-80 shrink-0 flex-col bg-panel phone:hidden", isAlone && "desk:hidden")}
      >
        <Header onNew={error === null ? onNew : null} />
        <div className="min-h-0 flex-1 overflow-y-auto">
          {sessions === undefined ? (
            <SkeletonLines count={5} className="p-4" />
          ) : (
            <LiveList sessions={sessions} current={sessionId} />
          )}
        </div>
      </section>
      {open === undefined ? (
        <main id="content" tabIndex={-1} className="flex min-w-0 flex-1 flex-col bg-paper">
          <NotOpen query={query} />
        </main>
      ) : (
        <LiveSessionScreen key={open.session_id} session={open} search={ofTranscript} />
      )}
    </>
  );
}

function NotOpen({ query }: LiveQuery) {
  useTitle(t("rail.live"));
  if (query.data === undefined) return <Failure query={query} />;
  return (
    <EmptyState icon={Radio} title={t("live.gone")}>
      {t("live.gone_text")}
    </EmptyState>
  );
}

interface LiveQuery {
  query: ReturnType<typeof useLiveSessions>;
}

/** The board, or why there is none. */
function Board({ query, onNew }: LiveQuery & { onNew(): void }) {
  const { data: sessions, error } = query;
  const rows = useBoard(sessions);
  useTitle(t("rail.live"));
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
