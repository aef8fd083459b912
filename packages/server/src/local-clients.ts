import { createHash, timingSafeEqual } from "node:crypto";
import type { AccountLookup } from "@sm/router/access";
import type { Config } from "./config.ts";
import type { Log } from "./log.ts";
import { type PeerAccount, PeerAccounts } from "./peer-account.ts";

const ROOT = 0;

/** How clients on this machine are identified. */
export interface LocalClients {
  /** Without it, all local accounts are admitted. */
  lookUpAccount?: AccountLookup;
  /** Without it, local clients need no token. */
  isLocalToken?: (token: string) => boolean;
}

/** Converts settings to the gate's options for local clients. */
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
      'Local clients need a token, because their accounts cannot be read from /proc/self/net/tcp. Set "local_users" to "all" if nobody else uses this machine.',
    );
  }
  return (socket) => {
    const account = accounts.find(socket);
    return account instanceof Promise ? account.then(doubtAbout) : doubtAbout(account);
  };
}

/** Why an account needs a token; `null` if it does not. */
function doubtAbout(account: PeerAccount): string | null {
  if (typeof account === "object" && (account.uid === ROOT || account.uid === process.geteuid?.())) return null;
  const reason = {
    gone: "The connection was closed before the client's account was known",
    unknown: "The client's account is not listed in /proc/self/net/tcp",
  };
  const what =
    typeof account === "string"
      ? reason[account]
      : `The client runs under another account (uid ${account.uid}) than the service`;
  return `${what}. To allow all local accounts, set "local_users" to "all" in session-manager.json.`;
}

function comparison(token: string): (token: string) => boolean {
  const digest = (text: string) => createHash("sha256").update(text).digest();
  const expected = digest(token);
  return (shown) => timingSafeEqual(digest(shown), expected);
}
