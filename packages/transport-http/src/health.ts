import type { LibraryStatus } from "@sm/core";
import { invalidPayload } from "@sm/router";
import type { ServiceKind } from "@sm/router/events";
import type { HttpOptions } from "./options.ts";
import { SIGN_IN_PATH } from "./routes.ts";
import type { SignIn, SignInHealth } from "./sign-in-provider.ts";

export interface Health {
  status: "ok" | "starting" | "degraded";
  /** Why the status is not `ok`; general if the library's status has no reason. */
  reason?: string;
  version: string;
  api_version: 1;
  /** Whether it serves the sessions of its machine, or what machines have sent to a hub. */
  kind: ServiceKind;
  uptime_s: number;
  index: Pick<LibraryStatus, "state" | "sessions" | "pending" | "skipped_files">;
  /** Problems of the vault; sessions are served in spite of them. */
  vault?: { problems: readonly string[] };
  /** How people sign in with a provider, where they can. */
  sign_in?: SignInHealth;
  /** If a nonce was sent. */
  proof?: string;
}

/** For example 16 random bytes in hexadecimal. */
const NONCE = /^[\w-]{16,128}$/;

/**
 * Proves to a client that has read the service's `server.json` that it talks to this service.
 *
 * @throws AppError `INVALID_PAYLOAD` for an invalid nonce.
 */
export function proofFor(nonce: string | undefined, prove: HttpOptions["prove"]): Pick<Health, "proof"> {
  if (nonce === undefined || prove === undefined) return {};
  if (NONCE.test(nonce)) return { proof: prove(nonce) };
  throw invalidPayload([{ path: "nonce", message: "16 to 128 letters, digits, - or _." }]);
}

const HIDDEN_REASON = "The service is unhealthy. Local clients and clients with a token see the reason.";

const HIDDEN_PROBLEM = "The vault has problems. Local clients and clients with a token see them.";

/** Summarizes the service's health; it is healthy while the index is being built, because requests are answered. */
export function healthOf(
  library: LibraryStatus,
  { version, kind, startedAt }: Pick<Health, "version" | "kind"> & { startedAt: Date },
): Health {
  const { state, sessions, pending, skipped_files } = library;
  return {
    ...condition(library),
    version,
    api_version: 1,
    kind,
    uptime_s: Math.max(0, Math.floor((Date.now() - startedAt.getTime()) / 1_000)),
    index: { state, sessions, pending, skipped_files },
  };
}

/** The vault's problems, in general where the caller may not see them. */
export function vaultHealth(problems: readonly string[], isShown: boolean): Required<Health>["vault"] {
  return { problems: isShown || problems.length === 0 ? problems : [HIDDEN_PROBLEM] };
}

/** How people sign in; nothing where they have tokens only. */
export function signInHealth(signIn: SignIn | undefined): Pick<Health, "sign_in"> {
  return signIn === undefined ? {} : { sign_in: { url: SIGN_IN_PATH, provider: signIn.provider } };
}

function condition({ state, reason }: LibraryStatus): Pick<Health, "status" | "reason"> {
  if (state === "opening") return { status: "starting", reason: reason ?? "The sessions are being scanned." };
  if (state === "degraded") return { status: "degraded", reason: reason ?? HIDDEN_REASON };
  return { status: "ok" };
}
