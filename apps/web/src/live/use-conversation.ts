import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useState, useSyncExternalStore } from "react";
import { LIVE_SESSIONS } from "../agents/use-live-sessions.ts";
import { useService } from "../client/service-context.tsx";
import { ConversationBuilder } from "./conversation.ts";
import { type ConversationStore, createConversationStore, type FollowedConversation } from "./conversation-store.ts";

/** What an agent says, and how to load it again. */
export type ConversationState = FollowedConversation & { retry(): void };

const NOTHING: FollowedConversation = {
  conversation: new ConversationBuilder().conversation,
  isLoaded: false,
  error: null,
};

const never = () => () => {};

/** Follows what the agent of a live session says, as long as the component is there; `null` for nobody. */
export function useConversation(sessionId: string | null): ConversationState {
  const service = useService();
  const queries = useQueryClient();
  const [followed, setFollowed] = useState<{ sessionId: string; store: ConversationStore } | null>(null);
  // One that was followed before says nothing here.
  const store = followed?.sessionId === sessionId ? followed.store : null;
  useEffect(() => {
    if (sessionId === null) return;
    const schedule = (run: () => void) => void requestAnimationFrame(run);
    const onSessionChanged = () => void queries.invalidateQueries({ queryKey: LIVE_SESSIONS });
    const made = createConversationStore({ service, sessionId, schedule, onSessionChanged });
    setFollowed({ sessionId, store: made });
    return () => {
      made.close();
      setFollowed(null);
    };
  }, [service, queries, sessionId]);
  const conversation = useSyncExternalStore(store?.subscribe ?? never, () => store?.get() ?? NOTHING);
  return { ...conversation, retry: () => store?.retry() };
}
