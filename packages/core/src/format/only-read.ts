import { AppError } from "../errors.ts";
import type { SessionRecord } from "../session/record.ts";
import { formatNamed } from "./formats.ts";

/** The error for what would write into a session of an agent whose files are only read. */
export function onlyReadError(
  { format, capabilities }: Pick<SessionRecord, "format" | "capabilities">,
  done: "started" | "forked",
): AppError {
  const { name } = formatNamed(format).agent;
  const { resume_command: command } = capabilities;
  const instead = command === null ? "" : ` To go on with it, run: ${command}`;
  return new AppError(
    "CONFLICT",
    `This session of ${name} cannot be ${done}, because files of ${name} are only read. It can be named, tagged, ` +
      `exported and deleted.${instead}`,
  );
}
