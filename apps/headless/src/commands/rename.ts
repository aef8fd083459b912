import type { Command } from "commander";
import { call } from "../connection/connection.ts";
import { findSession } from "../connection/session-argument.ts";
import { visible } from "../terminal/visible.ts";
import { tell } from "./display.ts";
import type { Run } from "./run-command.ts";

const HELP = `
Examples:
  session-cli rename last "Tide clock"
  session-cli rename 4f2a91c0 ""       remove the name
`;

/** Adds `rename`. */
export function addRename(program: Command, run: Run): void {
  program
    .command("rename")
    .description("name a session")
    .argument("<session>", "path, id, beginning of an id, title, or last")
    .argument("<name>", "the new name")
    .addHelpText("after", HELP)
    .action((session: string, name: string) =>
      run(async (connection, shell) => {
        const { path } = await findSession(session, connection);
        const record = await call(connection, "rename_session", { path, name });
        tell(shell, record, `Renamed to ${shell.colors.bold(visible(record.title))}`);
      }),
    );
}
