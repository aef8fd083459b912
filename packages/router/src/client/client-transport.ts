import type { EventStream, EventsOptions } from "./event-listener.ts";

/** Transport of a client. */
export interface ClientTransport {
  /**
   * Resolves with the data of the response. Rejects with CommandError, ConnectionError, or the reason of an aborted
   * `signal`.
   */
  call(command: string, payload: unknown, signal: AbortSignal): Promise<unknown>;
  events(options: EventsOptions): EventStream;
  /** Acknowledges terminal output up to this number; does nothing if the transport does not support it. */
  acknowledge(id: string, seq: number): void;
  /** Ends every stream of events and every connection. */
  close(): void;
}
