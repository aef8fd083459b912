import { hostname } from "node:os";
import type { TokenStore } from "@sm/core";
import { accessRules, createGate, type Gate } from "@sm/router/access";
import type { Config } from "./config.ts";
import { localClients } from "./local-clients.ts";
import type { Log } from "./log.ts";
import type { Metrics } from "./metrics.ts";
import { throttle } from "./throttle.ts";

/**
 * Creates the gate described by the configuration; requires `localToken` from local clients if given. Counts wrong
 * tokens and logs them at most once per second.
 */
export function configuredGate(
  config: Config,
  tokens: Pick<TokenStore, "verify" | "onEnd">,
  log: Log,
  metrics: Pick<Metrics, "countAuthFailure">,
  localToken: string | null,
  { localNeedsToken = false }: { localNeedsToken?: boolean } = {},
): Gate {
  const warn = throttle(1_000, (address: string | null) => log.warn({ address }, "A wrong API token was rejected."));
  return createGate({
    rules: accessRules({
      authEnabled: config.auth_enabled,
      localNeedsToken,
      allowedHosts: config.allowed_hosts,
      allowedOrigins: config.allowed_origins,
      trustedProxies: config.trusted_proxies,
      machineName: hostname(),
    }),
    tokens,
    ...localClients(config, localToken, log),
    wrongTokensPerMinute: config.limits.wrong_tokens_per_minute,
    onFailure({ address }) {
      metrics.countAuthFailure();
      warn(address);
    },
  });
}
