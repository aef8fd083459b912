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
 * The envelope that every transport sends; all three fields are always there. `data` is JSON, or a `StreamedJson` that
 * stands for it.
 */
export type CommandResponse =
  | { success: true; data: unknown; error: null }
  | { success: false; data: null; error: ErrorBody };

/** Receives the causes of defects. A pino logger is one. */
export interface DispatchLog {
  error(fields: object, message: string): void;
}

/**
 * Writes an answer as JSON, behind the fields that a transport adds: at once, or piece by piece where its data is
 * streamed. What goes wrong between two pieces can be told to nobody: the answer has to break off.
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

/** Names the HTTP status of an answer. */
export function statusOf(response: CommandResponse): number {
  return response.success ? 200 : ERROR_STATUS[response.error.code];
}

/** Names the header with the whole seconds to wait, rounded up: who comes back too early is refused again. */
export function retryAfter({ error }: CommandResponse): Readonly<Record<string, string>> | undefined {
  if (error?.details == null || !("retry_after_ms" in error.details)) return undefined;
  return { "Retry-After": `${Math.ceil(error.details.retry_after_ms / 1_000)}` };
}

/** Wraps an error into the envelope. */
export function failure(error: ErrorBody): CommandResponse {
  return { success: false, data: null, error };
}

/**
 * Turns anything thrown into an error that a caller may see. What is no `AppError` is a defect: it becomes
 * `INTERNAL` with a `request_id`, and `log` gets the cause together with `fields` under the same id.
 */
export function errorBody(error: unknown, log: DispatchLog, fields: object): ErrorBody {
  if (error instanceof AppError) return { code: error.code, message: error.message, details: error.details };
  const request_id = crypto.randomUUID();
  log.error({ ...fields, request_id, err: error }, "A request failed because of a defect.");
  const message = `The service failed to answer; its log has the cause under request_id ${request_id}.`;
  return { code: "INTERNAL", message, details: null };
}
