import { AppError, cut } from "@sm/core";
import type { AgentExit } from "./agent-process.ts";

/** Of what the agent has written, in the message of an error. */
const SHOWN = 500;

/** Says why an agent has ended before it was ready. */
export function startFailure({ exit_code, signal, stderr }: AgentExit, model: string | null): AppError {
  const said = lastWords(stderr);
  if (model !== null && /\bmodel\b.*\bnot found\b|\bunknown (?:model|provider)\b/i.test(said)) {
    const message = `The agent does not know the model ${model}: ${said}`;
    return new AppError("INVALID_PAYLOAD", message, { details: [{ path: "model", message }] });
  }
  const how =
    signal === null
      ? exit_code === null
        ? "could not be started"
        : `ended with ${exit_code}`
      : `was ended by ${signal}`;
  return new AppError("UNAVAILABLE", `The agent ${how} before it was ready${said === "" ? "." : `: ${said}`}`);
}

/** Says that an agent hangs at its start. */
export function startTimeout(ms: number, stderr: string): AppError {
  const said = lastWords(stderr);
  return new AppError(
    "TIMEOUT",
    `The agent was not ready after ${ms / 1_000} seconds and was ended${said === "" ? "." : `: ${said}`}`,
  );
}

/** Programs say last what was fatal, and before it often where in their source. */
function lastWords(stderr: string): string {
  const lines = stderr.split("\n").map((line) => line.trim());
  const telling = lines.filter((line) => line !== "" && !line.startsWith("at ") && !/^Node\.js v\d/.test(line));
  return cut(telling.slice(-3).join(" "), SHOWN);
}
