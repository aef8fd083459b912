import type { SessionRecord } from "@sm/core";
import type { Command } from "commander";
import { findRecord } from "../connection/session-argument.ts";
import { CliError, EXIT } from "../failure.ts";
import type { Shell } from "../shell.ts";
import { examples } from "./display.ts";
import type { Run } from "./run-command.ts";

interface ResumeOptions {
  print?: true;
}

/**
 * Adds `resume`.
 *
 * @param execute runs a command of a POSIX shell in the user's terminal, and gives its exit code.
 */
export function addResume(program: Command, run: Run, execute: (command: string) => Promise<number>): void {
  program
    .command("resume")
    .description("continue a session with its own agent, in its directory")
    .argument("<session>", "path, id, beginning of an id, title, or last")
    .option("--print", "only print the command, for a POSIX shell")
    .addHelpText("after", examples("session-cli resume last", "session-cli resume 4f2a91c0 --print"))
    .action(async (named: string, { print }: ResumeOptions) => {
      let execution: string | null = null;
      await run(async (connection, shell) => {
        const record = await findRecord(named, connection);
        // Loaded on demand, with all formats.
        const { resumeCommand } = await import("../connection/resume-command.ts");
        const command = resumeCommand(record);
        if (print === true || shell.json) return printCommand(record, command, shell);
        if (program.opts<{ server?: string }>().server) {
          throw new CliError(EXIT.usage, "The session is on another machine; print its command with --print.");
        }
        if (record.is_live) {
          throw new CliError(EXIT.refused, "An agent works on this session; stop it first, or see --print.");
        }
        execution = command;
      });
      // The library is closed by now: it would go on beside the agent.
      if (execution !== null) process.exitCode = await execute(execution);
    });
}

function printCommand({ path }: SessionRecord, resume_command: string, shell: Shell): void {
  if (shell.json) shell.writeJson({ path, resume_command });
  else shell.write(`${resume_command}\n`);
}
