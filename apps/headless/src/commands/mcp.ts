import type { Command } from "commander";
import type { Connection } from "../connection/connection.ts";
import type { Shell } from "../shell.ts";
import type { Run } from "./run-command.ts";

const HELP = `
Agents start it themselves and speak the Model Context Protocol with it. Where a server runs, they may use its
address instead, such as http://127.0.0.1:52131/mcp.

Examples:
  session-cli mcp
  claude mcp add sessions -- session-cli mcp
  codex mcp add sessions -- session-cli mcp
`;

/** Adds `mcp`, which ends when standard input does. */
export function addMcp(
  program: Command,
  run: Run,
  speak: (connection: Connection, shell: Shell) => Promise<void>,
): void {
  program
    .command("mcp")
    .description("let an agent ask for past work, over standard input and output")
    .addHelpText("after", HELP)
    .action(() => run(speak));
}
