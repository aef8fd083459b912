import { type AgentCommand, isJsonObject, type JsonValue } from "@sm/core";

/** More than extensions, prompts and skills together have. */
const MAX_COMMANDS = 1_000;

/** Parses the response to `get_commands`, ignoring unknown parts. */
export function parseCommands(data: JsonValue | undefined): AgentCommand[] {
  const listed = isJsonObject(data) && Array.isArray(data.commands) ? data.commands : [];
  return listed.slice(0, MAX_COMMANDS).flatMap((command) => {
    if (!isJsonObject(command) || typeof command.name !== "string" || command.name === "") return [];
    const { name, description, source } = command;
    return { name, description: textOrNull(description), source: textOrNull(source) };
  });
}

const textOrNull = (value: JsonValue | undefined) => (typeof value === "string" && value !== "" ? value : null);
