import type { CommandOutput } from "@sm/router";
import type { Command } from "commander";
import { type Connection, call } from "../connection/connection.ts";
import { findSession, type NamedSession } from "../connection/session-argument.ts";
import { CliError, describeFailure, EXIT } from "../failure.ts";
import type { Shell } from "../shell.ts";
import { visible } from "../terminal/visible.ts";
import type { Run } from "./run-command.ts";

const HELP = `
Examples:
  session-cli delete 4f2a91c0
  session-cli delete last --yes
`;

/** Adds `delete`. */
export function addDelete(program: Command, run: Run): void {
  program
    .command("delete")
    .description("move sessions to the trash, or delete them permanently if there is no trash")
    .argument("<session...>", "path, id, beginning of an id, title, or last")
    .option("-y, --yes", "do not ask for confirmation; required without a terminal")
    .addHelpText("after", HELP)
    .action((named: string[], { yes }: { yes?: true }) =>
      run(async (connection, shell) => {
        if (yes !== true && !shell.canAsk) {
          throw new CliError(EXIT.usage, "Cannot ask for confirmation without a terminal: add --yes to delete.");
        }
        // Resolves all arguments before deleting: otherwise "last" would change its meaning.
        const sessions: NamedSession[] = [];
        for (const text of named) sessions.push(await findSession(text, connection));
        if (yes !== true && !(await shell.confirm(await question(sessions, connection)))) {
          throw new CliError(EXIT.failure, "Nothing was deleted.");
        }
        const result = await call(connection, "delete_sessions", { paths: sessions.map(({ path }) => path) });
        report(result, shell);
      }),
    );
}

async function question(sessions: readonly NamedSession[], connection: Connection): Promise<string> {
  const lines: string[] = [];
  for (const { title, path } of sessions) {
    // What cannot be previewed is told when it is deleted.
    const preview = await call(connection, "preview_deletion", { path }).catch(() => null);
    const along = preview === null ? "" : companionsText(preview);
    lines.push(`  ${visible(title === null ? path : `${title} (${path})`)}${along === "" ? "" : `, with ${along}`}`);
  }
  return `${lines.join("\n")}\nMove ${sessions.length === 1 ? "this session" : "these sessions"} to the trash?`;
}

function companionsText({ companions, subagents }: CommandOutput<"preview_deletion">): string {
  const others = companions - subagents;
  const parts = [
    ...(subagents > 0 ? [`${subagents} ${subagents === 1 ? "subagent" : "subagents"}`] : []),
    ...(others > 0 ? [`${others} ${subagents > 0 ? "other " : ""}${others === 1 ? "file" : "files"}`] : []),
  ];
  return parts.join(" and ");
}

const DONE: Record<CommandOutput<"delete_session">["method"], string> = {
  trash: "Moved to the trash",
  permanent: "Deleted permanently",
  // Its file was gone before.
  vault: "Deleted from the vault",
};

function report(result: CommandOutput<"delete_sessions">, shell: Shell): void {
  if (shell.json) shell.writeJson(result);
  for (const { path, method, companions } of shell.json || shell.quiet ? [] : result.deleted) {
    const along = companions === 0 ? "" : `, with ${companions} more ${companions === 1 ? "file" : "files"}`;
    shell.write(`${DONE[method]}: ${visible(path)}${along}\n`);
  }
  for (const path of result.deleted.flatMap(({ left_behind }) => left_behind)) {
    shell.warn(`Could not be deleted, and is left behind: ${visible(path)}`);
  }
  const [first] = result.failed;
  if (first === undefined) return;
  const lines = result.failed.map(({ path, error }) => `${error.code}: ${error.message} (${path})`);
  throw new CliError(describeFailure(Object.assign(new Error(), first.error)).exitCode, lines.join("\n"));
}
