import type { LibraryStatus } from "@sm/core";
import { invalidPayload } from "@sm/router";
import type { HttpOptions } from "./options.ts";

export interface Health {
  status: "ok" | "starting" | "degraded";
  /** Why the status is not `ok`; absent when it is, and in general terms where the library's status names none. */
  reason?: string;
  version: string;
  api_version: 1;
  uptime_s: number;
  index: Pick<LibraryStatus, "state" | "sessions" | "pending">;
  /** Where a nonce was sent. */
  proof?: string;
}

/** Such as 16 random bytes in hexadecimal digits. */
const NONCE = /^[\w-]{16,128}$/;

/**
 * Proves to a client that has read the `server.json` of the service that it talks to this service.
 *
 * @throws AppError `INVALID_PAYLOAD` for a nonce of the wrong form.
 */
export function proofFor(nonce: string | undefined, prove: HttpOptions["prove"]): Pick<Health, "proof"> {
  if (nonce === undefined || prove === undefined) return {};
  if (NONCE.test(nonce)) return { proof: prove(nonce) };
  throw invalidPayload([{ path: "nonce", message: "16 to 128 letters, digits, - or _." }]);
}

const HIDDEN_REASON = "Something does not work as it should; this machine and callers with a token are told what.";

/** Sums up how the service is; an index that is being filled is healthy, since requests are answered meanwhile. */
export function healthOf(library: LibraryStatus, version: string, startedAt: Date): Health {
  const { state, sessions, pending } = library;
  return {
    ...condition(library),
    version,
    api_version: 1,
    uptime_s: Math.max(0, Math.floor((Date.now() - startedAt.getTime()) / 1_000)),
    index: { state, sessions, pending },
  };
}

function condition({ state, reason }: LibraryStatus): Pick<Health, "status" | "reason"> {
  if (state === "opening") return { status: "starting", reason: reason ?? "The sessions are being looked up." };
  if (state === "degraded") return { status: "degraded", reason: reason ?? HIDDEN_REASON };
  return { status: "ok" };
}
