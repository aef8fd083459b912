import type { ErrorCode, ErrorDetails } from "@sm/core";

/** The service's answer to a command that failed. */
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
 * Why there is no answer of the service. The command may have run, whichever it is: only the service knows.
 *
 * - `NO_ANSWER`: the service could not be reached, or the connection broke before the answer.
 * - `BAD_ANSWER`: something else answered, such as a proxy.
 * - `TIMED_OUT`: the time that was given for the call is over.
 * - `CLOSED`: the client was closed.
 */
export type ConnectionErrorCode = "NO_ANSWER" | "BAD_ANSWER" | "TIMED_OUT" | "CLOSED";

/** A call or a stream of events that failed on its way; its codes are none of the service's. */
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

/** Codes that another attempt, a little later, may not get. */
const PASSING: ReadonlySet<ErrorCode> = new Set(["RATE_LIMITED", "UNAVAILABLE", "TIMEOUT", "INTERNAL"]);

/** Tells whether to connect again after this error: a wrong token stays wrong. */
export function isFinal(error: Error): boolean {
  return error instanceof CommandError && !PASSING.has(error.code);
}
