import type { Socket } from "node:net";

/** A token and some pings take less than 1 KiB; 1,024 unauthenticated clients with 8 MiB each would exhaust memory. */
const UNAUTHENTICATED_BYTES = 65_536;

export interface Probation {
  /** Milliseconds in which a client must authenticate. */
  authMs: number;
  onTimeout(): void;
  /** It sent more than authentication needs. */
  onFlood(): void;
}

/** Limits an unauthenticated client; returns a function that stops this. */
export function limitUnauthenticated(socket: Socket, { authMs, onTimeout, onFlood }: Probation): () => void {
  let received = 0;
  const onData = ({ length }: Buffer) => {
    received += length;
    if (received > UNAUTHENTICATED_BYTES) onFlood();
  };
  // Counted before messages are assembled.
  socket.prependListener("data", onData);
  const timer = setTimeout(onTimeout, authMs);
  return () => {
    clearTimeout(timer);
    socket.off("data", onData);
  };
}
