/**
 * All error codes of the service, with their HTTP status. The set is closed: clients may switch over it exhaustively.
 */
export const ERROR_STATUS = {
  INVALID_REQUEST: 400,
  INVALID_PAYLOAD: 400,
  UNAUTHORIZED: 401,
  FORBIDDEN: 403,
  UNKNOWN_COMMAND: 404,
  NOT_FOUND: 404,
  CONFLICT: 409,
  READ_ONLY: 409,
  PAYLOAD_TOO_LARGE: 413,
  UNSUPPORTED_MEDIA_TYPE: 415,
  RATE_LIMITED: 429,
  INTERNAL: 500,
  UNAVAILABLE: 503,
  TIMEOUT: 504,
} as const satisfies Record<string, number>;

export type ErrorCode = keyof typeof ERROR_STATUS;

/** An invalid field of a payload; `path` is dotted, empty for the payload itself. */
export interface PayloadIssue {
  path: string;
  message: string;
}

/** Additional data by code; `session_id` of the conflicting live session. */
export type ErrorDetails = PayloadIssue[] | { retry_after_ms: number } | { session_id: string } | null;

/**
 * An error for the caller: `message` is one sentence that says what to do. Any other exception is unexpected and
 * reported as `INTERNAL`.
 */
export class AppError extends Error {
  override readonly name = "AppError";
  readonly code: ErrorCode;
  readonly details: ErrorDetails;

  constructor(code: ErrorCode, message: string, options: { details?: ErrorDetails; cause?: unknown } = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.details = options.details ?? null;
  }
}
