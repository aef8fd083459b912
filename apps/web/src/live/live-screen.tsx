import { getRouteApi, useNavigate } from "@tanstack/react-router";
import { MessageCirclePlus, Plus, Radio } from "lucide-react";
import { useLiveTitles } from "../agents/live-titles.ts";
import { useLiveSessions } from "../agents/use-live-sessions.ts";
import { Button } from "../design/button.tsx";
import { classNames } from "../design/class-names.ts";
import { useKeyboardInset } from "../design/keyboard-inset.ts";
import { EmptyState, SkeletonLines } from "../design/placeholder.tsx";
import { ScreenHeader, useTitle } from "../design/screen.tsx";
import { Unavailable } from "../design/unavailable.tsx";
import { t } from "../i18n/text.ts";
import { LiveList } from "./live-list.tsx";
import { LiveSessionPane } from "./live-session.tsx";
import { StartDialog } from "./start-dialog.tsx";

const liveRoute = getRouteApi("/live");

/** The agents that run, and the one that is open. */
export function LiveScreen() {
  const search = liveRoute.useSearch();
  const navigate = useNavigate();
  const query = useLiveSessions();
  const { data: sessions, error } = query;
  const keyboard = useKeyboardInset();
  const titleOf = useLiveTitles();
  const open = sessions?.find(({ session_id }) => session_id === search.session);
  useTitle(open === undefined ? t("rail.live") : titleOf(open));
  const isOpen = search.session !== undefined;
  // Without any session there is nothing to choose from.
  const isAlone = !isOpen && (sessions === undefined ? error !== null : sessions.length === 0);
  const showStart = () => void navigate({ to: "/live", search: { ...search, new: true } });

  return (
    <main
      id="content"
      tabIndex={-1}
      className="flex min-w-0 flex-1 bg-paper"
      style={keyboard === 0 ? undefined : { paddingBottom: keyboard }}
    >
      <section
        aria-label={t("live.sessions")}
        className={classNames(
          "flex min-h-0 flex-col phone:flex-1",
          isAlone ? "flex-1" : "bg-panel desk:w-80 desk:shrink-0",
          isOpen && "phone:hidden",
        )}
      >
        <Sessions query={query} current={search.session} onNew={showStart} />
      </section>
      <div
        className={classNames("flex min-h-0 min-w-0 flex-1 flex-col", !isOpen && "phone:hidden", isAlone && "hidden")}
      >
        {open !== undefined ? (
          <LiveSessionPane key={open.session_id} session={open} />
        ) : (
          isOpen &&
          sessions !== undefined && (
            <EmptyState icon={Radio} title={t("live.gone")}>
              {t("live.gone_text")}
            </EmptyState>
          )
        )}
        {!isOpen && error === null && sessions !== undefined && sessions.length > 0 && (
          <EmptyState icon={MessageCirclePlus} title={t("live.none_open")}>
            {t("live.none_open_text")}
          </EmptyState>
        )}
      </div>
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

interface SessionsProps {
  query: ReturnType<typeof useLiveSessions>;
  /** Id of the session that is open. */
  current: string | undefined;
  onNew(): void;
}

/** The list of agents, or an explanation. */
function Sessions({ query: { data: sessions, error, refetch }, current, onNew }: SessionsProps) {
  return (
    <>
      <ScreenHeader
        title={t("rail.live")}
        actions={
          error === null && (
            <Button icon={Plus} size="sm" onClick={onNew}>
              {t("live.new_short")}
            </Button>
          )
        }
      />
      <div className="min-h-0 flex-1 overflow-y-auto">
        {error !== null && sessions === undefined ? (
          <Unavailable
            error={error}
            title={t("live.list_failed")}
            missing={t("live.missing")}
            forbidden={t("live.forbidden")}
            onRetry={() => void refetch()}
          />
        ) : sessions === undefined ? (
          <SkeletonLines count={5} className="p-4" />
        ) : sessions.length === 0 ? (
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
        ) : (
          <LiveList sessions={sessions} current={current} />
        )}
      </div>
    </>
  );
}
