import { setMaxListeners } from "node:events";
import type { Socket } from "node:net";
import { clientGone } from "@sm/router";

/** By connection, since it answers one request after the other. */
const signals = new WeakMap<Socket, AbortSignal>();

/** Gives the signal that is aborted when a connection has closed: a client that no longer waits closes it. */
export function connectionSignal(socket: Socket): AbortSignal {
  let signal = signals.get(socket);
  if (signal === undefined) {
    const controller = new AbortController();
    signal = controller.signal;
    // As many listen as requests are under way, which a client may send without waiting for their answers.
    setMaxListeners(0, signal);
    signals.set(socket, signal);
    if (socket.destroyed) controller.abort(clientGone());
    else socket.once("close", () => controller.abort(clientGone()));
  }
  return signal;
}
