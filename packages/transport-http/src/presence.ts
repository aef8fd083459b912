import { type Caller, clientGone, unauthorized } from "@sm/router";
import type { Gate } from "@sm/router/access";

/** Whether the sender of a request is still connected and still authorized. */
export interface Presence {
  /** Aborted when the connection closes or the token ends. */
  readonly signal: AbortSignal;
  /** Must be called when the response is sent. */
  end(): void;
}

/** Watches a request's connection and token until its response is sent. */
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
