import { type Command, Option } from "commander";
import { findSession } from "../connection/session-argument.ts";
import { writeNewFile } from "../new-file.ts";
import type { Run } from "../program.ts";

const HELP = `
Examples:
  session-cli export last --output last.md
  session-cli export 4f2a91c0 --format json | jq '.messages | length'
`;

interface ExportOptions {
  format: string;
  output?: string;
  force?: true;
}

/** Adds `export`. */
export function addExport(program: Command, run: Run): void {
  program
    .command("export")
    .description("write a session to standard output or to a file")
    .argument("<session>", "path, id, beginning of an id, or last")
    .addOption(
      new Option("--format <format>", "what to write")
        .choices(["html", "markdown", "json", "jsonl"])
        .default("markdown"),
    )
    .option("--output <file>", "file to write, all of it or nothing")
    .option("--force", "replace the file if there is one")
    .addHelpText("after", HELP)
    .action((session: string, { format, output, force }: ExportOptions) =>
      run(async (connection, shell) => {
        const { path } = await findSession(session, connection);
        const content = await connection.download(new URLSearchParams({ path, format }));
        if (output === undefined) return shell.writeBytes(content);
        await writeNewFile(output, content, { replace: force === true });
        shell.note(`Written to ${output}.`);
      }),
    );
}
