import type { ErrorCode, ErrorDetails } from "@sm/core";

/** The service's error for a failed command. */
export class CommandError extends Error {
  override readonly name = "CommandError";
  readonly code: ErrorCode;
  readonly details: ErrorDetails;

  constructor(code: ErrorCode, message: string, details: ErrorDetails = null) {
    super(message);
    this.code = code;
    this.details = details;
  }
}

/**
 * Why there is no response of the service. In all cases the command may have run.
 *
 * - `NO_ANSWER`: the service was unreachable, or the connection broke before the response.
 * - `BAD_ANSWER`: something else responded, such as a proxy.
 * - `TIMED_OUT`: the call timed out.
 * - `CLOSED`: the client was closed.
 */
export type ConnectionErrorCode = "NO_ANSWER" | "BAD_ANSWER" | "TIMED_OUT" | "CLOSED";

/** A call or an event stream failed in transit; its codes differ from the service's. */
export class ConnectionError extends Error {
  override readonly name = "ConnectionError";
  readonly code: ConnectionErrorCode;

  constructor(code: ConnectionErrorCode, message: string, options?: { cause: unknown }) {
    super(message, options);
    this.code = code;
  }
}

export function closedError(): ConnectionError {
  return new ConnectionError("CLOSED", "The client was closed.");
}

/** Temporary errors: a retry may succeed. */
const PASSING: ReadonlySet<ErrorCode> = new Set(["RATE_LIMITED", "UNAVAILABLE", "TIMEOUT", "INTERNAL"]);

/** Whether reconnecting is pointless after this error, such as a wrong token. */
export function isFinal(error: Error): boolean {
  return error instanceof CommandError && !PASSING.has(error.code);
}
