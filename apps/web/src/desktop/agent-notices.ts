import { useRouter } from "@tanstack/react-router";
import { useEffect, useRef } from "react";
import { useLiveTitles } from "../agents/live-titles.ts";
import { questionText } from "../agents/question-text.ts";
import { useLiveSessions } from "../agents/use-live-sessions.ts";
import { t } from "../i18n/text.ts";
import { agentNews, agentStates } from "./agent-news.ts";
import { showNotification } from "./notification.ts";

/** Notifies about agents that finish or ask while the page is not visible. */
export function AgentNotices() {
  const { data: sessions } = useLiveSessions();
  const titleOf = useLiveTitles();
  const router = useRouter();
  const before = useRef<ReturnType<typeof agentStates> | null>(null);
  useEffect(() => {
    if (sessions === undefined) return;
    const all = before.current === null ? [] : agentNews(before.current, sessions);
    before.current = agentStates(sessions);
    if (document.hasFocus()) return;
    for (const { session, news } of all) {
      const body = news === "asks" && session.question !== null ? questionText(session.question) : t(`notices.${news}`);
      const { href } = router.buildLocation({ to: "/live", search: { session: session.session_id } });
      const content = { title: titleOf(session), body, about: session.session_id, address: href };
      void showNotification(content, (address) => router.history.push(address));
    }
  });
  return null;
}
