import type { SessionRecord } from "@sm/router/client";
import { useQueryClient } from "@tanstack/react-query";
import { createContext, type ReactNode, useContext, useEffect, useMemo, useSyncExternalStore } from "react";
import { type ChangeSumsQueue, createChangeSumsQueue } from "./change-sums.ts";
import { applyEvent } from "./event-cache.ts";
import type { Connection, Service } from "./service.ts";
import { createSessionStore, recordIn, type SessionStore, type Sessions } from "./sessions.ts";

interface ServiceValue {
  service: Service;
  sessions: SessionStore;
  changeSums: ChangeSumsQueue;
}

const ServiceContext = createContext<ServiceValue | null>(null);

/** Gives everything below it the service, and keeps what it has answered up to date. */
export function ServiceProvider({ service, children }: { service: Service; children: ReactNode }) {
  const queries = useQueryClient();
  const value = useMemo(
    () => ({ service, sessions: createSessionStore(service), changeSums: createChangeSumsQueue(service) }),
    [service],
  );
  useEffect(() => {
    const stream = service.events({ onEvent: (event) => applyEvent(event, queries, value.sessions) });
    void value.sessions.load();
    return () => stream.close();
  }, [service, queries, value]);
  return <ServiceContext.Provider value={value}>{children}</ServiceContext.Provider>;
}

function useValue(): ServiceValue {
  const value = useContext(ServiceContext);
  if (value === null) throw new Error("There is no ServiceProvider around this.");
  return value;
}

/** The service: `service.call(name, payload)` and `service.events(options)`. */
export function useService(): Service {
  return useValue().service;
}

/** How the page stands with the service. */
export function useConnection(): Connection {
  const { service } = useValue();
  return useSyncExternalStore(service.onConnection, service.connection);
}

/** The sessions that are here, kept up to date. */
export function useSessions(): Sessions {
  const { sessions } = useValue();
  return useSyncExternalStore(sessions.subscribe, sessions.get);
}

/** Whether the service has no session at all, as at its first start. */
export function useIsLibraryEmpty(): boolean {
  const { state, total, pending } = useSessions();
  return state === "complete" && total === 0 && pending === 0;
}

/** A session, which is loaded where it is not here; `null` until then. */
export function useSession(path: string | null): SessionRecord | null {
  const { sessions } = useValue();
  const all = useSessions();
  const { state } = all;
  const record = path === null ? null : (recordIn(all, path) ?? null);
  useEffect(() => {
    if (path !== null && record === null && state !== "loading") sessions.find(path);
  }, [path, record, state, sessions]);
  return record;
}

/** The store behind `useSessions`, for what changes it. */
export function useSessionStore(): SessionStore {
  return useValue().sessions;
}

/** What `useChangeSums` asks. */
export function useChangeSumsQueue(): ChangeSumsQueue {
  return useValue().changeSums;
}
