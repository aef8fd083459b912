import type { CommandResponse } from "../response.ts";
import { CommandError, ConnectionError } from "./errors.ts";

/**
 * Takes the data out of the envelope of an answer.
 *
 * @throws CommandError if the command failed; ConnectionError `BAD_ANSWER` if this is no envelope.
 */
export function dataOf(answer: unknown): unknown {
  if (!isEnvelope(answer)) throw new ConnectionError("BAD_ANSWER", "The answer is not one of Session Manager.");
  if (answer.success) return answer.data;
  throw new CommandError(answer.error.code, answer.error.message, answer.error.details);
}

/**
 * Reads the body of an answer over HTTP.
 *
 * @throws what `dataOf` throws. A proxy's own "413" counts as the service's.
 */
export function dataOfBody(body: string, status: number): unknown {
  let answer: unknown;
  try {
    answer = JSON.parse(body);
  } catch {
    if (status === 413) throw new CommandError("PAYLOAD_TOO_LARGE", "The request is too large for a proxy on its way.");
    throw new ConnectionError("BAD_ANSWER", `HTTP ${status} from a server that is not Session Manager.`);
  }
  return dataOf(answer);
}

function isEnvelope(answer: unknown): answer is CommandResponse {
  if (typeof answer !== "object" || answer === null || !("success" in answer) || !("error" in answer)) return false;
  return answer.success === true || (typeof answer.error === "object" && answer.error !== null);
}
