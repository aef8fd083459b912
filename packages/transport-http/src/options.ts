import type { SessionLibrary } from "@sm/core";
import type { Dispatcher, DispatchLog } from "@sm/router";

export interface HttpLimits {
  /** Bytes of a request body; 8 MiB if absent. */
  bodyBytes: number;
  /** Connections at a time; 1,024 if absent. Further ones are closed as they come. */
  connections: number;
}

export interface HttpOptions {
  dispatcher: Dispatcher;
  sessions: Pick<SessionLibrary, "exportStream" | "status">;
  /** Version of the service (semver). */
  version: string;
  access: {
    authEnabled: boolean;
    allowedHosts: readonly string[];
    allowedOrigins: readonly string[];
    trustedProxies: readonly string[];
  };
  limits?: Partial<HttpLimits>;
  log: DispatchLog;
  /** Now if absent. */
  startedAt?: Date;
}

const MEBIBYTE = 1_048_576;

export function limitsOf(options: HttpOptions): HttpLimits {
  return { bodyBytes: 8 * MEBIBYTE, connections: 1_024, ...options.limits };
}
