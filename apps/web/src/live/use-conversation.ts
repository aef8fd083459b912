import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useState, useSyncExternalStore } from "react";
import { LIVE_SESSIONS } from "../agents/use-live-sessions.ts";
import { useService } from "../client/service-context.tsx";
import { ConversationBuilder } from "./conversation.ts";
import { type ConversationStore, createConversationStore, type FollowedConversation } from "./conversation-store.ts";

const NOTHING: FollowedConversation = {
  conversation: new ConversationBuilder().conversation,
  isLoaded: false,
  error: null,
  hasLeftOut: false,
};

const never = () => () => {};

/** Follows what the agent of a live session says, as long as the component is there. */
export function useConversation(
  sessionId: string,
  sessionPath: string | null,
): FollowedConversation & { retry(): void } {
  const service = useService();
  const queries = useQueryClient();
  const [store, setStore] = useState<ConversationStore | null>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a session that gets its file has told all that is in it
  useEffect(() => {
    const schedule = (run: () => void) => void requestAnimationFrame(run);
    const onSessionChanged = () => void queries.invalidateQueries({ queryKey: LIVE_SESSIONS });
    const made = createConversationStore({ service, sessionId, sessionPath, schedule, onSessionChanged });
    setStore(made);
    return () => {
      made.close();
      setStore(null);
    };
  }, [service, queries, sessionId]);
  const followed = useSyncExternalStore(store?.subscribe ?? never, () => store?.get() ?? NOTHING);
  return { ...followed, retry: () => store?.retry() };
}
