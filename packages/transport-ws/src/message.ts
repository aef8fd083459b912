import { AppError, isJsonObject } from "@sm/core";
import { type CommandResponse, type DispatchLog, encodeResponse, errorBody, failure, type JsonPiece } from "@sm/router";
import type { RawData } from "ws";

/** What a client chooses to recognise the answer by. */
type RequestId = string | number;

/** A message of a client, decoded as far as it can be. */
export interface IncomingRequest {
  /** `undefined`: answered in the order of coming. */
  id: RequestId | undefined;
  /** `null` where it is not known. */
  command: string | null;
  payload: unknown;
  /** All of it, for the dispatcher. */
  body: unknown;
  /** Why it is no request. */
  problem: AppError | null;
}

/** Decodes a message. Never throws. */
export function decodeRequest(data: RawData, isBinary: boolean): IncomingRequest {
  if (isBinary) return noRequest("Requests are text; this message is binary.");
  let body: unknown;
  try {
    body = JSON.parse(data.toString());
  } catch {
    return noRequest("The message is not JSON.");
  }
  // What is no object is refused by the dispatcher, in the same words for every transport.
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

/** Encodes the answer to a request. What cannot be encoded becomes `INTERNAL`, with the cause in the log. */
export function encodeAnswer(
  request: IncomingRequest,
  response: CommandResponse,
  log: DispatchLog,
): string | AsyncIterable<JsonPiece> {
  // An `undefined` id leaves no trace in JSON.
  const { id, command } = request;
  try {
    return encodeResponse(response, { id, command });
  } catch (error) {
    return JSON.stringify({ id, command, ...failure(errorBody(error, log, { command })) });
  }
}
