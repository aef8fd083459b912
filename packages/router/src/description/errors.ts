import { ERROR_STATUS, type ErrorCode } from "@sm/core";

/** What every code means to a caller. */
export const ERROR_MEANINGS: Record<ErrorCode, string> = {
  INVALID_REQUEST: "The request is not JSON, not an object, or names no command.",
  INVALID_PAYLOAD: "Payload fields are missing, invalid or unknown; `details` lists `{path, message}` of each.",
  UNAUTHORIZED: "A token is required, or the one sent is invalid.",
  FORBIDDEN: "The host, origin, path or token scope does not permit the request.",
  UNKNOWN_COMMAND: "Unknown command; the message names the closest match.",
  NOT_FOUND: "The object named in the payload does not exist.",
  CONFLICT: "The request conflicts with the current state.",
  READ_ONLY: "The file system does not permit writing.",
  PAYLOAD_TOO_LARGE: "The request is larger than the limit (8 MiB unless configured).",
  UNSUPPORTED_MEDIA_TYPE: "The body's content type is not `application/json`.",
  RATE_LIMITED: "Too many attempts with wrong tokens.",
  INTERNAL: "Internal error; the log has its cause under the `request_id` in the message.",
  UNAVAILABLE: "Temporarily unavailable; `details.retry_after_ms`, if known, says when to retry.",
  TIMEOUT: "The command exceeded its time limit (120 s unless configured); it may still finish.",
};

/** Lists the codes of every status, lowest first. */
export function codesByStatus(): [status: number, codes: ErrorCode[]][] {
  const statuses = new Map<number, ErrorCode[]>();
  for (const [code, status] of Object.entries(ERROR_STATUS) as [ErrorCode, number][]) {
    statuses.set(status, [...(statuses.get(status) ?? []), code]);
  }
  return [...statuses].sort(([a], [b]) => a - b);
}
