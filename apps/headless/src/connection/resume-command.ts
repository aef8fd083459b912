import { formatNamed, type SessionFormatName, type SessionRecord, startCommand } from "@sm/core";
import { CliError, EXIT } from "../failure.ts";

/**
 * The command that continues a session. Made here and not taken from the record: what runs in this terminal is never
 * chosen by a server.
 *
 * @throws CliError where its agent cannot continue it.
 */
export function resumeCommand(record: Pick<SessionRecord, "format" | "path" | "id" | "cwd">): string {
  const { agent } = formatNamed(record.format);
  const command = agent.resumeCommand(record);
  if (command !== null) return command;
  throw new CliError(EXIT.refused, `${agent.name} cannot continue this session: its id or its directory is not known.`);
}

/**
 * The command that starts an agent with a brief.
 *
 * @throws CliError for an agent that cannot be started so.
 */
export function startWithBrief(agent: SessionFormatName, cwd: string | null, file: string): string {
  const { agent: started } = formatNamed(agent);
  const command = startCommand(started, cwd, file);
  if (command !== null) return command;
  throw new CliError(EXIT.refused, `${started.name} cannot be started with a brief.`);
}
