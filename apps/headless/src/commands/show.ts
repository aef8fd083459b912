import type { Command } from "commander";
import { type Connection, call } from "../connection/connection.ts";
import { findSession } from "../connection/session-argument.ts";
import { parseWholeNumber } from "../option-values.ts";
import type { Shell } from "../shell.ts";
import { visibleLines } from "../terminal/visible.ts";
import type { Run } from "./run-command.ts";
import { lastTurns, paintHeadings } from "./transcript.ts";

const HELP = `
Examples:
  session-cli show last
  session-cli show 4f2a91c0 --limit 2 --no-thinking
  session-cli show last --no-tools | less
`;

interface ShowOptions {
  leaf?: string;
  limit?: number;
  thinking: boolean;
  tools: boolean;
}

/** Adds `show`. */
export function addShow(program: Command, run: Run): void {
  program
    .command("show")
    .description("print the newest branch of a session as Markdown")
    .argument("<session>", "path, id, beginning of an id, title, or last")
    .option("--leaf <entry>", "print the branch that ends at this entry")
    .option("-n, --limit <number>", "only the last turns (with --json: entries)", parseWholeNumber)
    .option("--no-thinking", "omit thinking")
    .option("--no-tools", "omit tool calls and their results")
    .addHelpText("after", HELP)
    .action((session: string, options: ShowOptions) =>
      run(async (connection, shell) => {
        const { path } = await findSession(session, connection);
        if (shell.json) {
          const { leaf: leaf_id, limit } = options;
          shell.writeJson(await call(connection, "read_session_entries", { path, leaf_id, limit }));
        } else {
          shell.show(await transcriptText(path, options, connection, shell));
        }
      }),
    );
}

async function transcriptText(
  path: string,
  { leaf, limit, thinking, tools }: ShowOptions,
  connection: Connection,
  { colors }: Shell,
): Promise<string> {
  const { content } = await call(connection, "export_session", {
    path,
    format: "markdown",
    leaf_id: leaf,
    include_thinking: thinking,
    include_tools: tools,
  });
  const shown = visibleLines(limit === undefined ? content : lastTurns(content, limit));
  return paintHeadings(shown, (heading, level) => (level === 3 ? colors.cyan(heading) : colors.bold(heading)));
}
