import type { SessionRecord } from "@sm/router/client";
import { createContext, type ReactNode, useContext, useEffect, useSyncExternalStore } from "react";
import type { ChangeSumsQueue } from "./change-sums.ts";
import type { Connection, Service } from "./service.ts";
import type { ServiceData } from "./service-data.ts";
import { recordIn, type SessionStore, type Sessions } from "./sessions.ts";

const ServiceContext = createContext<ServiceData | null>(null);

/** Gives everything below it the service, and what is known of it. */
export function ServiceProvider({ data, children }: { data: ServiceData; children: ReactNode }) {
  return <ServiceContext.Provider value={data}>{children}</ServiceContext.Provider>;
}

function useValue(): ServiceData {
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
