import { AppError, cut } from "@sm/core";
import type { AgentExit } from "./agent-process.ts";

/** Length of the agent's output in an error message. */
const SHOWN = 500;

/** A known kind of failed start, recognized by the agent's output. */
interface Cause {
  pattern: RegExp;
  /** The field of `start_coding_session` to change; `null` if it is something else. */
  field: "session_path" | null;
  message(found: string[]): string;
}

const CAUSES: Cause[] = [
  {
    pattern: /Stored session working directory does not exist: (.+)/,
    field: "session_path",
    message: ([folder]) => `The folder ${folder} of this session no longer exists.`,
  },
  {
    pattern: /Session file is not a valid pi session: (.+)/,
    field: "session_path",
    message: ([path]) => `The agent found no session in ${path}.`,
  },
  {
    pattern: /Failed to load extension "([^"]+)": (?:Failed to load extension: )?(.+(?:\n \S.*)?)/,
    field: null,
    message: ([path, reason]) => `The agent cannot load the extension ${path}: ${reason?.replace(/\s*\n\s*/, ", at ")}`,
  },
  {
    // The first module of a release that this Node cannot run; releases after 0.74 require 22.19.
    pattern: /The requested module 'node:[\s\S]*?\bNode\.js (v[\d.]+)/,
    field: null,
    message: ([node]) => `This release of the agent needs Node.js 22.19 or later, not ${node}.`,
  },
  {
    pattern: /Error: Unknown option: (\S+)/,
    field: null,
    message: ([option]) => `This version of the agent does not know the option ${option}; update it.`,
  },
];

/** Explains why an agent ended before it was ready. */
export function startFailure({ exit_code, signal, stderr }: AgentExit, model: string | null): AppError {
  const said = causeIn(stderr);
  if (model !== null && /\bmodel\b.*\bnot found\b|\bunknown (?:model|provider)\b/i.test(said)) {
    return unfit("model", `The agent does not know the model ${model}: ${said}`);
  }
  for (const { pattern, field, message } of CAUSES) {
    const found = pattern.exec(stderr);
    if (found === null) continue;
    const text = cut(message(found.slice(1)), SHOWN);
    return field === null ? new AppError("UNAVAILABLE", text) : unfit(field, text);
  }
  const how =
    signal === null
      ? exit_code === null
        ? "could not be started"
        : `exited with code ${exit_code}`
      : `was terminated by ${signal}`;
  return new AppError("UNAVAILABLE", `The agent ${how} before it was ready${said === "" ? "." : `: ${said}`}`);
}

/** Explains that an agent did not become ready in time. */
export function startTimeout(ms: number, stderr: string): AppError {
  const said = causeIn(stderr);
  return new AppError(
    "TIMEOUT",
    `The agent was not ready after ${ms / 1_000} seconds and was terminated${said === "" ? "." : `: ${said}`}`,
  );
}

/** The error in the output, without earlier warnings and the source location. */
function causeIn(stderr: string): string {
  const lines = stderr.split("\n").map((line) => line.trim());
  const error = lines.find((line) => /^(?:Uncaught )?\w*Error(?: \[\w+\])?: /.test(line));
  if (error !== undefined) return cut(error, SHOWN);
  const telling = lines.filter((line) => line !== "" && !/^(?:at |Warning: |Hint: |Node\.js v\d)/.test(line));
  return cut(telling.slice(-3).join(" "), SHOWN);
}

function unfit(path: string, message: string): AppError {
  return new AppError("INVALID_PAYLOAD", message, { details: [{ path, message }] });
}
