import type { EventStream, EventsOptions } from "./events.ts";

/** A way to the service. */
export interface ClientTransport {
  /**
   * Resolves with the data of the answer. Rejects with CommandError, ConnectionError, or the reason of `signal` when
   * that is aborted.
   */
  call(command: string, payload: unknown, signal: AbortSignal): Promise<unknown>;
  events(options: EventsOptions): EventStream;
  /** Says that output of a terminal up to this number has been taken; does nothing where that cannot be said. */
  acknowledge(id: string, seq: number): void;
  /** Ends every stream of events and every connection. */
  close(): void;
}
