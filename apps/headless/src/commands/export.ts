import { type Command, Option } from "commander";
import type { ExportOptions } from "../export/export-sessions.ts";
import { pastTime } from "../option-values.ts";
import type { Run } from "./run.ts";

const HELP = `
Several sessions go into a folder, a file each, or into a zip with a page that leads to them. A pattern with a slash
is matched against paths, any other against titles and ids, whatever their case. Quote it, or the shell takes it for
itself.

Without --format, the ending of the output decides: .html, .md, .json, .jsonl. Standard output gets Markdown, a folder
or a zip HTML.

Examples:
  session-cli export last --open
  session-cli export last --output last.html --theme light
  session-cli export 4f2a91c0 --format json | jq '.messages | length'
  session-cli export '*login*' --output login.zip
  session-cli export --project . --since 7d --output week/ --format markdown
  session-cli export last --redact --preview
  session-cli export last --redact --output shared.html
`;

/** Adds `export`. */
export function addExport(program: Command, run: Run): void {
  program
    .command("export")
    .description("write sessions as pages, Markdown or JSON")
    .argument("[session...]", "path, id, beginning of an id, last, or a pattern such as '*login*'")
    .addOption(new Option("--format <format>", "what to write").choices(["html", "markdown", "json", "jsonl"]))
    .option("-o, --output <path>", "file, folder or .zip to write, - for standard output")
    .option("--force", "replace files that exist")
    .option("--project <directory>", "only sessions of this working directory, of what matches a pattern or of all")
    .option(
      "--since <time>",
      "likewise, only sessions with a message since then, such as 2026-11, 7d, 3mo or yesterday",
      pastTime,
    )
    .option("--no-thinking", "without what the model thought")
    .option("--no-tools", "without tool calls and their results")
    .addOption(new Option("--theme <theme>", "colours of HTML").choices(["system", "light", "dark"]))
    .option("--redact", "replace secrets, e-mail addresses and home directories by placeholders")
    .addOption(
      new Option("--preview", "with --redact: only show what would be replaced").conflicts(["output", "force"]),
    )
    .option("--open", "open the HTML file in the browser; without --output, one in a temporary folder")
    .addHelpText("after", HELP)
    .action((named: string[], options: ExportOptions) =>
      run(async (connection, shell) => {
        // Loaded when it is needed: half of the time of a command is loading.
        const { exportSessions } = await import("../export/export-sessions.ts");
        await exportSessions(named, options, connection, shell);
      }),
    );
}
