import { type Caller, clientGone, unauthorized } from "@sm/router";
import type { Gate } from "@sm/router/access";

/** Whether whoever sent a request is still there for its answer, and still may have it. */
export interface Presence {
  /** Aborted when the connection has closed or the token has ended. */
  readonly signal: AbortSignal;
  /** Says that the answer is sent. */
  end(): void;
}

/** Follows a request until its answer is sent. */
export function presence(connection: AbortSignal, caller: Caller, gate: Pick<Gate, "onEnd">): Presence {
  if (caller.tokenId === null) return { signal: connection, end: () => undefined };
  const controller = new AbortController();
  const onClose = () => controller.abort(clientGone());
  if (connection.aborted) onClose();
  else connection.addEventListener("abort", onClose);
  const stopWatching = gate.onEnd(caller, () => controller.abort(unauthorized(caller)));
  return {
    signal: controller.signal,
    end() {
      stopWatching();
      connection.removeEventListener("abort", onClose);
    },
  };
}
