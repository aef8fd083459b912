import type { PayloadIssue } from "@sm/core";
import type { Command } from "commander";
import { CliError, EXIT, isCoded } from "./failure.ts";

/** Fields with another name on the command line. */
const NAMES: Readonly<Record<string, string>> = {
  path: "session",
  paths: "session",
  session_path: "session",
  session_paths: "session",
  tag_ids: "tag",
  parent_id: "parent",
  leaf_id: "leaf",
  entry_id: "entry",
  expires_at: "expires",
  cwd: "directory",
  include_thinking: "thinking",
  include_tools: "tools",
  per_session: "perSession",
  thinking_level: "thinking",
  favorites_only: "favorites",
  format: "agent",
};

/**
 * Converts an invalid-payload error of the service to commander's form, naming the option or argument. Other errors are
 * unchanged.
 *
 * @param command whose options and arguments became the payload.
 */
export function misuseOf(error: unknown, command: Command): unknown {
  if (!isCoded(error) || error.code !== "INVALID_PAYLOAD" || !Array.isArray(error.details)) return error;
  const issues = error.details as PayloadIssue[];
  const texts = issues.map((issue) => issueText(issue, command));
  if (texts.every((text) => text === null)) return error;
  const [first = "", ...others] = texts.map(
    (text, at) => `error: ${text ?? `${issues[at]?.path}: ${issues[at]?.message}`}`,
  );
  return new CliError(EXIT.usage, first, others);
}

/** `null` if it is neither an option nor an argument. */
function issueText({ path, message }: PayloadIssue, command: Command): string | null {
  const [field = ""] = path.split(".");
  const name = NAMES[field] ?? field;
  const option = command.options.find((one) => one.attributeName() === name);
  if (option !== undefined && command.getOptionValueSource(name) === "cli") {
    const value: unknown = command.getOptionValue(name);
    const given = option.required ? ` argument '${String(value)}'` : "";
    return `option '${option.flags}'${given} is invalid. ${message}`;
  }
  const place = command.registeredArguments.findIndex((argument) => argument.name() === name);
  const values = command.processedArgs[place] as string | string[] | undefined;
  if (values === undefined) return null;
  return `argument '${[values].flat().join(" ")}' is invalid for '${name}'. ${message}`;
}
