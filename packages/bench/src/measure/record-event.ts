import type { SessionRecord } from "@sm/core";
import type { WebSocket } from "ws";

/** Waits for the event with a record, and tells when it came. */
export function recordEvent(
  socket: WebSocket,
  isIt: (record: SessionRecord) => boolean,
  timeoutMs: number,
): Promise<number> {
  return new Promise((resolve, reject) => {
    const end = (settle: () => void) => {
      clearTimeout(timer);
      socket.off("message", onMessage);
      settle();
    };
    const onMessage = (data: Buffer) => {
      const now = performance.now();
      const { event, payload } = JSON.parse(data.toString()) as { event?: string; payload?: unknown };
      if (event !== "sessions-diff") return;
      const { added, updated } = payload as { added: SessionRecord[]; updated: SessionRecord[] };
      if ([...added, ...updated].some(isIt)) end(() => resolve(now));
    };
    const timer = setTimeout(
      () => end(() => reject(new Error(`No event told of an append within ${timeoutMs} ms.`))),
      timeoutMs,
    );
    socket.on("message", onMessage);
  });
}
