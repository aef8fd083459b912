import type { Command } from "commander";
import { call } from "../connection/connection.ts";
import { findSession } from "../connection/session-argument.ts";
import { visible } from "../terminal/visible.ts";
import { examples, tell } from "./display.ts";
import type { Run } from "./run-command.ts";

/** Adds `fork`. */
export function addFork(program: Command, run: Run): void {
  program
    .command("fork")
    .description("copy a branch of a session into a new session")
    .argument("<session>", "path, id, beginning of an id, title, or last")
    .option("--entry <entry>", "last entry of the copy (default: the end of the newest branch)")
    .addHelpText("after", examples("session-cli fork last", "session-cli fork 4f2a91c0 --entry a1b2c3d4"))
    .action((session: string, { entry }: { entry?: string }) =>
      run(async (connection, shell) => {
        const { path } = await findSession(session, connection);
        const fork = await call(connection, "fork_session", { path, entry_id: entry });
        if (shell.quiet && !shell.json) shell.write(`${visible(fork.id)}\n`);
        else tell(shell, fork, `Forked to ${visible(fork.id)}: ${visible(fork.title)}`);
      }),
    );
}
