import { getRouteApi, useNavigate } from "@tanstack/react-router";
import { useLiveSessions } from "../agents/use-live-sessions.ts";
import { useSession } from "../client/service-context.tsx";
import { useAttachment } from "../live/use-attachment.tsx";
import { isPromptAwaited } from "../shortcuts/pane-focus.ts";
import { TranscriptScreen } from "../transcript/transcript-screen.tsx";

const sessionRoute = getRouteApi("/library/session");

/** An open session, with its agent where one runs it. */
export function SessionScreen() {
  const { path, hits: _hits, ...search } = sessionRoute.useSearch();
  const navigate = useNavigate();
  const isLive = useSession(path)?.is_live === true;
  const { data: sessions, error } = useLiveSessions({ isAsked: isLive });
  const session = isLive ? (sessions?.find(({ session_path }) => session_path === path) ?? null) : null;
  const attachment = useAttachment(session, () => isPromptAwaited(path));
  const isAttaching = isLive && sessions === undefined && error === null;
  const onLeave = () =>
    void navigate({
      to: "/",
      // What belongs to the session goes with it; what belongs to the list stays.
      search: ({
        path: _path,
        entry: _entry,
        leaf: _leaf,
        find: _find,
        compare: _compare,
        panel: _panel,
        ...search
      }: Record<string, unknown>) => search as never,
    });
  return (
    <TranscriptScreen
      path={path}
      sessionKey={path}
      search={search}
      attachment={isAttaching ? undefined : attachment}
      onLeave={onLeave}
    />
  );
}
