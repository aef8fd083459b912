import { resolve } from "node:path";
import { SESSION_FORMATS, type SessionFormatName, type SessionRecord } from "@sm/core";
import type { CommandOutput } from "@sm/router";
import { type Command, Option } from "commander";
import { call } from "../connection/connection.ts";
import { findRecord } from "../connection/session-argument.ts";
import { CliError, EXIT } from "../failure.ts";
import { addText } from "../option-values.ts";
import type { Shell } from "../shell.ts";
import { visible } from "../terminal/visible.ts";
import { examples } from "./display.ts";
import type { Run } from "./run-command.ts";

interface ConvertOptions {
  to: SessionFormatName;
  entry?: string;
  output?: string;
  redactWord?: string[];
}

type Converted = CommandOutput<"convert_session">;

/** Adds `convert`. */
export function addConvert(program: Command, run: Run): void {
  program
    .command("convert")
    .description("hand a session over to another agent: to pi as a session, to others as a brief to start from")
    .argument("<session>", "path, id, beginning of an id, title, or last")
    .addOption(
      new Option("--to <agent>", "agent that continues the work").choices(SESSION_FORMATS).makeOptionMandatory(),
    )
    .option("--entry <entry>", "last entry that is handed over (default: the end of the newest branch)")
    .option(
      "--redact-word <word>",
      "replace this word or phrase in the brief too, in any case; can be repeated",
      addText,
    )
    .option("-o, --output <file>", "write the brief to this file (default: a file that the service keeps for a week)")
    .addHelpText(
      "after",
      examples(
        "session-cli convert last --to pi",
        "session-cli convert 4f2a91c0 --to claude-code --entry a1b2c3d4",
        "session-cli convert last --to codex --output brief.md",
      ),
    )
    .action((named: string, { to, entry, output, redactWord }: ConvertOptions) =>
      run(async (connection, shell) => {
        if (output !== undefined && to === "pi") {
          throw new CliError(EXIT.usage, "--output is for briefs; a session of pi is written to its own directory.");
        }
        const source = await findRecord(named, connection);
        const converted = await call(connection, "convert_session", {
          path: source.path,
          to,
          entry_id: entry,
          redact_words: redactWord,
        });
        const file = output === undefined ? null : await writeBrief(converted, output);
        await tellConverted(converted, source, file, shell);
      }),
    );
}

async function writeBrief({ brief }: Converted, output: string): Promise<string> {
  // Loaded on demand: half of a command's time is loading.
  const { writeNewFile } = await import("../new-file.ts");
  const file = resolve(output);
  await writeNewFile(file, [new TextEncoder().encode(brief ?? "")], { replace: false, mode: 0o600 });
  return file;
}

/** @param written the file with the brief, if it was written here. */
async function tellConverted(
  converted: Converted,
  { cwd }: Pick<SessionRecord, "cwd">,
  written: string | null,
  shell: Shell,
): Promise<void> {
  const { session, to } = converted;
  const path = session?.path ?? written ?? converted.brief_path ?? "";
  // Made here: what is pasted into this terminal is never chosen by a server.
  const { resumeCommand, startWithBrief } = await import("../connection/resume-command.ts");
  const command = session === null ? startWithBrief(to, cwd, path) : resumeCommand({ ...session, format: "pi" });
  if (shell.json) return shell.writeJson({ ...converted, brief_path: session === null ? path : null, command });
  if (shell.quiet) return shell.write(`${visible(path)}\n`);
  shell.write(`${session === null ? "Brief" : "Session"}: ${visible(path)}\n`);
  shell.write(`Continue with:\n${command}\n`);
}
