import { type AgentCommand, isJsonObject, type JsonValue, oneLine } from "@sm/core";

/** More than extensions, prompts and skills together have. */
const MAX_COMMANDS = 1_000;
/** Skills are described for models, in up to 1,024 characters; more is not shown. */
const MAX_DESCRIPTION = 1_024;
/** What a prompt may begin with: up to the first white space. */
const NAME = /^\S{1,200}$/;

/** Parses the response to `get_commands`, ignoring unknown parts. */
export function parseCommands(data: JsonValue | undefined): AgentCommand[] {
  const listed = isJsonObject(data) && Array.isArray(data.commands) ? data.commands : [];
  return listed.slice(0, MAX_COMMANDS).flatMap((command) => {
    if (!isJsonObject(command) || typeof command.name !== "string" || !NAME.test(command.name)) return [];
    const { name, description, source } = command;
    return { name, description: textOrNull(description, MAX_DESCRIPTION), source: textOrNull(source, 200) };
  });
}

function textOrNull(value: JsonValue | undefined, limit: number): string | null {
  return typeof value === "string" ? oneLine(value, limit) || null : null;
}
