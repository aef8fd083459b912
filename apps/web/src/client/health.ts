import { type UseQueryResult, useQuery } from "@tanstack/react-query";
import { useService } from "./service-context.tsx";

/** What /health says. It is answered without a token but for the reason, and with another status where all is not well. */
export interface Health {
  status: "ok" | "starting" | "degraded";
  reason?: string;
  version: string;
  api_version: number;
  kind: "home" | "hub";
  uptime_s: number;
  index: { state: string; sessions: number; pending: number };
  /** Where people sign in with a provider, and what that is called. */
  sign_in?: { url: string; provider: string };
}

/** How the service is now. */
export function useHealth(): UseQueryResult<Health> {
  const service = useService();
  return useQuery({
    queryKey: ["health"],
    queryFn: async ({ signal }) => {
      const token = service.token();
      const headers: HeadersInit = token === null ? {} : { Authorization: `Bearer ${token}` };
      return (await (await fetch("/health", { signal, headers })).json()) as Health;
    },
    // What it tells is how things are now.
    staleTime: 0,
    gcTime: 0,
  });
}
