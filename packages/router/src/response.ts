import { AppError, ERROR_STATUS, type ErrorCode, type ErrorDetails } from "@sm/core";
import type { JsonPiece } from "./json-text.ts";
import { StreamedJson } from "./streamed-json.ts";

/** The `error` of a failed command. */
export interface ErrorBody {
  code: ErrorCode;
  message: string;
  details: ErrorDetails;
}

/**
 * The response envelope of all transports; all three fields are always present. `data` is JSON, or a `StreamedJson`.
 */
export type CommandResponse =
  | { success: true; data: unknown; error: null }
  | { success: false; data: null; error: ErrorBody };

/** Log for unexpected errors, such as a pino logger. */
export interface DispatchLog {
  error(fields: object, message: string): void;
}

/**
 * Encodes a response as JSON after the fields that a transport adds: as one string, or in pieces if its data is
 * streamed. An error between two pieces cannot be reported to the client: the response is cut off.
 */
export function encodeResponse(
  response: CommandResponse,
  added: object = {},
): string | AsyncGenerator<JsonPiece, void> {
  const { data } = response;
  if (!(data instanceof StreamedJson)) return JSON.stringify({ ...added, ...response });
  const start = JSON.stringify({ ...added, success: true }).slice(0, -1);
  return data.between(`${start},"data":`, ',"error":null}');
}

/** HTTP status of a response. */
export function statusOf(response: CommandResponse): number {
  return response.success ? 200 : ERROR_STATUS[response.error.code];
}

/** The `Retry-After` header in whole seconds, rounded up, so that a client does not retry too early. */
export function retryAfter({ error }: CommandResponse): Readonly<Record<string, string>> | undefined {
  if (error?.details == null || !("retry_after_ms" in error.details)) return undefined;
  return { "Retry-After": `${Math.ceil(error.details.retry_after_ms / 1_000)}` };
}

/** Wraps an error into the envelope. */
export function failure(error: ErrorBody): CommandResponse {
  return { success: false, data: null, error };
}

/**
 * Converts any exception to an error that callers may see. Anything but an `AppError` is unexpected: it becomes
 * `INTERNAL` with a `request_id`, and its cause is logged with `fields` under the same ID.
 */
export function errorBody(error: unknown, log: DispatchLog, fields: object): ErrorBody {
  if (error instanceof AppError) return { code: error.code, message: error.message, details: error.details };
  const request_id = crypto.randomUUID();
  log.error({ ...fields, request_id, err: error }, "A request failed with an internal error.");
  const message = `Internal error. The service's log has the cause under request_id ${request_id}.`;
  return { code: "INTERNAL", message, details: null };
}
