import { setMaxListeners } from "node:events";
import type { Socket } from "node:net";
import { clientGone } from "@sm/router";

/** By connection, which serves successive requests. */
const signals = new WeakMap<Socket, AbortSignal>();

/** The signal that is aborted when a connection closes: a client that stops waiting closes it. */
export function connectionSignal(socket: Socket): AbortSignal {
  let signal = signals.get(socket);
  if (signal === undefined) {
    const controller = new AbortController();
    signal = controller.signal;
    // As many listeners as pipelined requests.
    setMaxListeners(0, signal);
    signals.set(socket, signal);
    if (socket.destroyed) controller.abort(clientGone());
    else socket.once("close", () => controller.abort(clientGone()));
  }
  return signal;
}
