import { ERROR_STATUS, type ErrorCode } from "@sm/core";

/** What every code means to a caller. */
export const ERROR_MEANINGS: Record<ErrorCode, string> = {
  INVALID_REQUEST: "The request is not JSON, not an object, or names no command.",
  INVALID_PAYLOAD: "Fields of the payload are missing, wrong or unknown; `details` lists `{path, message}` of each.",
  UNAUTHORIZED: "A token is needed, or the one sent is wrong.",
  FORBIDDEN: "Host, origin, path or the token's scope does not allow it.",
  UNKNOWN_COMMAND: "There is no such command; the message names the nearest.",
  NOT_FOUND: "What the payload names is not there.",
  CONFLICT: "The present state does not allow it.",
  READ_ONLY: "The file system refuses the write.",
  PAYLOAD_TOO_LARGE: "The request is larger than the limit (8 MiB unless configured).",
  UNSUPPORTED_MEDIA_TYPE: "The body was not sent as `application/json`.",
  RATE_LIMITED: "Too many attempts with wrong tokens.",
  INTERNAL: "A defect; the log has its cause under the `request_id` in the message.",
  UNAVAILABLE: "Not possible now; `details.retry_after_ms` says when to ask again, where that is known.",
  TIMEOUT: "The command took longer than the limit (120 s unless configured); it may still finish.",
};

/** Lists the codes of every status, lowest first. */
export function codesByStatus(): [status: number, codes: ErrorCode[]][] {
  const statuses = new Map<number, ErrorCode[]>();
  for (const [code, status] of Object.entries(ERROR_STATUS) as [ErrorCode, number][]) {
    statuses.set(status, [...(statuses.get(status) ?? []), code]);
  }
  return [...statuses].sort(([a], [b]) => a - b);
}
