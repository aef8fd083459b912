import { AppError, cut } from "@sm/core";
import type { AgentExit } from "./agent-process.ts";

/** Of what the agent has written, in the message of an error. */
const SHOWN = 500;

/** What a failed start has in common with others, by what the agent writes then. */
interface Cause {
  pattern: RegExp;
  /** The field of `start_coding_session` that is to be changed; `null` where it is something else. */
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
    // The first module of a release that this Node cannot run; the releases after 0.74 need 22.19.
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

/** Says why an agent has ended before it was ready. */
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

/** Says that an agent hangs at its start. */
export function startTimeout(ms: number, stderr: string): AppError {
  const said = causeIn(stderr);
  return new AppError(
    "TIMEOUT",
    `The agent was not ready after ${ms / 1_000} seconds and was terminated${said === "" ? "." : `: ${said}`}`,
  );
}

/** The error among what was written, without warnings before it and without the place in the source after it. */
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
