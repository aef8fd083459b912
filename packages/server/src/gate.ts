import { hostname } from "node:os";
import type { TokenStore } from "@sm/core";
import { accessRules, createGate, type Gate } from "@sm/router/access";
import type { Config } from "./config.ts";
import type { Log } from "./log.ts";
import type { Metrics } from "./metrics.ts";

/** Whoever sends wrong tokens must not fill the disk. */
const LOG_INTERVAL_MS = 1_000;

/** Makes the gate that the configuration describes. Wrong tokens are counted, and logged once a second at most. */
export function configuredGate(
  config: Config,
  tokens: Pick<TokenStore, "verify" | "onEnd">,
  log: Log,
  metrics: Pick<Metrics, "countAuthFailure">,
): Gate {
  let lastLogged = Number.NEGATIVE_INFINITY;
  return createGate({
    rules: accessRules({
      authEnabled: config.auth_enabled,
      allowedHosts: config.allowed_hosts,
      allowedOrigins: config.allowed_origins,
      trustedProxies: config.trusted_proxies,
      machineName: hostname(),
    }),
    tokens,
    wrongTokensPerMinute: config.limits.wrong_tokens_per_minute,
    onFailure({ address }) {
      metrics.countAuthFailure();
      const now = performance.now();
      if (now - lastLogged < LOG_INTERVAL_MS) return;
      lastLogged = now;
      log.warn({ address }, "A wrong API token was refused.");
    },
  });
}
