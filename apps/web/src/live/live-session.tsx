import { Link, useNavigate } from "@tanstack/react-router";
import { Eye } from "lucide-react";
import { useLiveTitles } from "../agents/live-titles.ts";
import type { LiveSession } from "../agents/use-live-sessions.ts";
import { EmptyState } from "../design/placeholder.tsx";
import { Screen } from "../design/screen.tsx";
import { t } from "../i18n/text.ts";
import { TranscriptScreen } from "../transcript/transcript-screen.tsx";
import type { TranscriptSearch } from "../transcript/transcript-search.ts";
import { SessionState } from "./session-state.tsx";
import { useAttachment } from "./use-attachment.tsx";

interface LiveSessionScreenProps {
  session: LiveSession;
  search: TranscriptSearch;
}

/** The session of an agent that runs: what was said, and what can be said to it. */
export function LiveSessionScreen({ session, search }: LiveSessionScreenProps) {
  const navigate = useNavigate();
  // Who opens an agent wants to say something to it.
  const attachment = useAttachment(session, () => true);
  if (attachment === null) return <ExternalSession session={session} />;
  return (
    <TranscriptScreen
      path={session.session_path}
      sessionKey={session.session_id}
      search={search}
      attachment={attachment}
      onLeave={() => void navigate({ to: "/live" })}
    />
  );
}

function ExternalSession({ session }: { session: LiveSession }) {
  const { session_path, cwd } = session;
  const title = useLiveTitles()(session);
  return (
    <Screen title={title} actions={<SessionState session={session} />} isPlain>
      <EmptyState
        icon={Eye}
        title={t("live.external")}
        actions={
          <Link
            to={session_path === null ? "/" : "/session"}
            search={(session_path === null ? { project: cwd } : { path: session_path }) as never}
            className="inline-flex h-8 items-center rounded-md bg-press px-3 text-sm hover:bg-selected touch:min-h-11"
          >
            {t(session_path === null ? "live.show_project" : "live.open_transcript")}
          </Link>
        }
      >
        {t("live.external_text")}
        <code className="mt-3 block rounded-md bg-sunken px-3 py-2 font-mono text-xs">
          pi install npm:@sm/pi-extension
        </code>
      </EmptyState>
    </Screen>
  );
}
