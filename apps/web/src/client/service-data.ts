import { QueryClient } from "@tanstack/react-query";
import { type ChangeSumsQueue, createChangeSumsQueue } from "./change-sums.ts";
import { applyEvent } from "./event-cache.ts";
import type { Service } from "./service.ts";
import { createSessionStore, type SessionStore } from "./sessions.ts";
import { isWorthRetrying } from "./worth-retrying.ts";

/** The service with what it has answered, kept up to date. */
export interface ServiceData {
  readonly service: Service;
  readonly queries: QueryClient;
  readonly sessions: SessionStore;
  readonly changeSums: ChangeSumsQueue;
  /** Follows the service no more. */
  close(): void;
}

/**
 * Begins to load sessions and to follow events: before anything is shown, so that the first frame has what is there.
 *
 * @param rest resolves when more than the newest sessions may be loaded; at once if absent.
 */
export function openServiceData(service: Service, rest?: () => Promise<void>): ServiceData {
  const queries = makeQueryClient();
  const sessions = createSessionStore(service, rest);
  const stream = service.events({ onEvent: (event) => applyEvent(event, queries, sessions) });
  void sessions.load();
  return { service, queries, sessions, changeSums: createChangeSumsQueue(service), close: stream.close };
}

function makeQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        // Push events say what has changed.
        staleTime: Number.POSITIVE_INFINITY,
        refetchOnWindowFocus: false,
        refetchOnReconnect: false,
        // Whether the browser believes to be online says nothing about a service on this machine.
        networkMode: "always",
        retry: isWorthRetrying,
      },
      mutations: { networkMode: "always" },
    },
  });
}
