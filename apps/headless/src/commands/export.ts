import { type Command, Option } from "commander";
import type { ExportOptions } from "../export/export-sessions.ts";
import { addText, parsePastTime } from "../option-values.ts";
import type { Run } from "./run-command.ts";

const HELP = `
Several sessions are written to a folder, one file each, or to a zip with an index page. A pattern with a slash
matches paths, any other pattern titles and ids; case is ignored. Quote patterns, or the shell expands them.

Without --format, the file extension decides: .html, .md, .json, .jsonl. The default is Markdown for standard output
and HTML for a folder or a zip.

Examples:
  session-cli export last --open
  session-cli export last --output last.html --theme light
  session-cli export 4f2a91c0 --format json | jq '.messages | length'
  session-cli export '*login*' --output login.zip
  session-cli export --project . --since 7d --output week/ --format markdown
  session-cli export last --subagents --output last.html
  session-cli export last --redact --preview
  session-cli export last --redact --output shared.html
  session-cli export last --redact-word Ada --redact-word 'Acme Corp' --preview
`;

/** Adds `export`. */
export function addExport(program: Command, run: Run): void {
  program
    .command("export")
    .description("export sessions as HTML, Markdown or JSON")
    .argument("[session...]", "path, id, beginning of an id, last, or a pattern such as '*login*'")
    .addOption(new Option("--format <format>", "format of the export").choices(["html", "markdown", "json", "jsonl"]))
    .option("-o, --output <path>", "file, folder or .zip to write, - for standard output")
    .option("--force", "replace files that exist")
    .option("--project <directory>", "only sessions of this working directory; with a pattern, those that match both")
    .option(
      "--since <time>",
      "only sessions with a message since this time, such as 2026-11, 7d, 3mo or yesterday",
      parsePastTime,
    )
    .option("--no-thinking", "omit thinking")
    .option("--no-tools", "omit tool calls and their results")
    .option("--notes", "include your notes and bookmarks")
    .option("--subagents", "include the subagents of each session: after it in its file, or in a folder of a .zip")
    .addOption(new Option("--theme <theme>", "theme of the HTML page").choices(["system", "light", "dark"]))
    .option("--redact", "replace secrets, e-mail addresses and home directories with placeholders")
    .option(
      "--redact-word <word>",
      "replace this word or phrase too, in any case; can be repeated; implies --redact",
      addText,
    )
    .addOption(
      new Option("--preview", "with --redact: only show what would be replaced").conflicts(["output", "force"]),
    )
    .option("--open", "open the HTML file in the browser; without --output, in a temporary folder")
    .addHelpText("after", HELP)
    .action((named: string[], options: ExportOptions) =>
      run(async (connection, shell) => {
        // Loaded on demand: half of a command's time is loading.
        const { exportSessions } = await import("../export/export-sessions.ts");
        await exportSessions(named, options, connection, shell);
      }),
    );
}
