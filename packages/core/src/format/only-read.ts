import { AppError } from "../errors.ts";
import type { SessionRecord } from "../session/record.ts";
import { formatNamed } from "./formats.ts";

/** The error for what would write into a session that is only read: its file is gone, or of an agent that alone may write it. */
export function onlyReadError(
  { format, capabilities, source }: Pick<SessionRecord, "format" | "capabilities" | "source">,
  done: "started" | "forked" | "labelled",
): AppError {
  if (source === "vault") {
    const message = `This session cannot be ${done}, because its file is gone; bring the file back with restore_session.`;
    return new AppError("CONFLICT", message);
  }
  const { name } = formatNamed(format).agent;
  const { resume_command: command } = capabilities;
  const instead = command === null ? "" : ` To go on with it, run: ${command}`;
  return new AppError(
    "CONFLICT",
    `This session of ${name} cannot be ${done}, because files of ${name} are only read. It can be named, tagged, ` +
      `exported and deleted.${instead}`,
  );
}
