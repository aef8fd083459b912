import { createHash, timingSafeEqual } from "node:crypto";
import type { AccountLookup } from "@sm/router/access";
import type { Config } from "./config.ts";
import type { Log } from "./log.ts";
import { type PeerAccount, PeerAccounts } from "./peer-account.ts";

const ROOT = 0;

/** What tells clients of this machine apart. */
export interface LocalClients {
  /** Without it every account of the machine is let in. */
  lookUpAccount?: AccountLookup;
  /** Without it clients of this machine need no token. */
  isLocalToken?: (token: string) => boolean;
}

/** Makes of the settings what the gate asks about clients of this machine. */
export function localClients(
  config: Pick<Config, "local_users">,
  localToken: string | null,
  log: Pick<Log, "warn">,
): LocalClients {
  return {
    ...(config.local_users === "own" && process.platform === "linux" && { lookUpAccount: lookUpOn(log) }),
    ...(localToken !== null && { isLocalToken: comparison(localToken) }),
  };
}

function lookUpOn(log: Pick<Log, "warn">): AccountLookup {
  const accounts = new PeerAccounts();
  if (!accounts.isSupported) {
    log.warn(
      {},
      'Clients of this machine need a token, because /proc/self/net/tcp cannot be read and tells no accounts: set "local_users" to "all" if nobody else uses the machine.',
    );
  }
  return (socket) => {
    const account = accounts.find(socket);
    return account instanceof Promise ? account.then(doubtAbout) : doubtAbout(account);
  };
}

/** Tells why an account may not use the service without a token; `null` where it may. */
function doubtAbout(account: PeerAccount): string | null {
  if (typeof account === "object" && (account.uid === ROOT || account.uid === process.geteuid?.())) return null;
  const reason = {
    gone: "Its connection was closed before the account that it comes from was known",
    unknown: "The account that it comes from is not in /proc/self/net/tcp",
  };
  const what =
    typeof account === "string"
      ? reason[account]
      : `It comes from another account of this machine (${account.uid}) than the service's own`;
  return `${what}: "local_users" in session-manager.json can be set to "all".`;
}

function comparison(token: string): (token: string) => boolean {
  const digest = (text: string) => createHash("sha256").update(text).digest();
  const expected = digest(token);
  return (shown) => timingSafeEqual(digest(shown), expected);
}
