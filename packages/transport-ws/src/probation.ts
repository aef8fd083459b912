import type { Socket } from "node:net";

/** A token and some pings take less than 1 KiB; 1,024 strangers with a message of 8 MiB each would fill the memory. */
const STRANGER_BYTES = 65_536;

export interface Probation {
  /** Milliseconds that a client has to authenticate. */
  authMs: number;
  onTimeout(): void;
  /** It has sent more than a stranger needs to. */
  onFlood(): void;
}

/** Watches a client that has not authenticated; returns a function that stops that. */
export function watchStranger(socket: Socket, { authMs, onTimeout, onFlood }: Probation): () => void {
  let received = 0;
  const onData = ({ length }: Buffer) => {
    received += length;
    if (received > STRANGER_BYTES) onFlood();
  };
  // Counted before they are put together to messages.
  socket.prependListener("data", onData);
  const timer = setTimeout(onTimeout, authMs);
  return () => {
    clearTimeout(timer);
    socket.off("data", onData);
  };
}
