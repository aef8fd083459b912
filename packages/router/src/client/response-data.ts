import type { CommandResponse } from "../response.ts";
import { CommandError, ConnectionError } from "./errors.ts";

/**
 * Unwraps the data of a response.
 *
 * @throws CommandError if the command failed; ConnectionError `BAD_ANSWER` if this is not an envelope.
 */
export function dataOf(answer: unknown): unknown {
  if (!isEnvelope(answer)) throw new ConnectionError("BAD_ANSWER", "The response does not come from Session Manager.");
  if (answer.success) return answer.data;
  throw new CommandError(answer.error.code, answer.error.message, answer.error.details);
}

/**
 * Reads the body of an HTTP response.
 *
 * @throws the errors of `dataOf`. A proxy's own "413" counts as the service's.
 */
export function dataOfBody(body: string, status: number): unknown {
  let answer: unknown;
  try {
    answer = JSON.parse(body);
  } catch {
    if (status === 413)
      throw new CommandError("PAYLOAD_TOO_LARGE", "A proxy rejected the request because it is too large.");
    throw new ConnectionError("BAD_ANSWER", `HTTP ${status} from a server that is not Session Manager.`);
  }
  return dataOf(answer);
}

function isEnvelope(answer: unknown): answer is CommandResponse {
  if (typeof answer !== "object" || answer === null || !("success" in answer) || !("error" in answer)) return false;
  return answer.success === true || (typeof answer.error === "object" && answer.error !== null);
}
