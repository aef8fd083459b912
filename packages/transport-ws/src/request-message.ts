import { AppError, isJsonObject } from "@sm/core";
import { type CommandResponse, type DispatchLog, encodeResponse, errorBody, failure, type JsonPiece } from "@sm/router";
import type { RawData } from "ws";

/** Chosen by the client to match responses. */
type RequestId = string | number;

/** A client's message, decoded as far as possible. */
export interface IncomingRequest {
  /** `undefined`: answered in order. */
  id: RequestId | undefined;
  /** `null` if unknown. */
  command: string | null;
  payload: unknown;
  /** The whole message, for the dispatcher. */
  body: unknown;
  /** Why the message is invalid. */
  problem: AppError | null;
}

/** Decodes a message. Never throws. */
export function decodeRequest(data: RawData, isBinary: boolean): IncomingRequest {
  if (isBinary) return noRequest("Requests must be text messages; this one is binary.");
  let body: unknown;
  try {
    body = JSON.parse(data.toString());
  } catch {
    return noRequest("The message is not JSON.");
  }
  // The dispatcher rejects other values than objects, with the same message for all transports.
  const { id, command: name, payload } = isJsonObject(body) ? body : {};
  const command = typeof name === "string" ? name : null;
  if (id === undefined || typeof id === "string" || (typeof id === "number" && Number.isFinite(id))) {
    return { id, command, payload: payload ?? {}, body, problem: null };
  }
  return { ...noRequest('The "id" of a request is a string or a number.'), command };
}

function noRequest(message: string): IncomingRequest {
  const problem = new AppError("INVALID_REQUEST", message);
  return { id: undefined, command: null, payload: null, body: null, problem };
}

/** Encodes a response. If that fails, it becomes `INTERNAL` and the cause is logged. */
export function encodeAnswer(
  request: IncomingRequest,
  response: CommandResponse,
  log: DispatchLog,
): string | AsyncIterable<JsonPiece> {
  // `JSON.stringify` omits an `undefined` id.
  const { id, command } = request;
  try {
    return encodeResponse(response, { id, command });
  } catch (error) {
    return JSON.stringify({ id, command, ...failure(errorBody(error, log, { command })) });
  }
}
