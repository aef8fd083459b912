import type { CommandOutput } from "@sm/router";
import type { Command } from "commander";
import { type Connection, call } from "../connection/connection.ts";
import { CliError, EXIT } from "../failure.ts";
import type { Run } from "../program.ts";
import { type Column, table } from "../terminal/table.ts";
import { visible } from "../terminal/visible.ts";
import { examples, localTime, shortIds, tell } from "./display.ts";

type ListedTerminal = CommandOutput<"list_terminals">[number];

const HELP = `
These ask a running server, whose terminals these are. <terminal> is its id or the beginning of its id.

Examples:
  session-cli terminals list
  session-cli terminals attach 4f2a91c0    until Ctrl+]
`;

/** Adds `terminals` with what can be done with terminals that are open. */
export function addTerminals(program: Command, run: Run): void {
  const terminals = program
    .command("terminals")
    .description("look after the server's terminals")
    .addHelpText("after", HELP);
  terminals
    .command("list", { isDefault: true })
    .description("list the terminals, the oldest first")
    .addHelpText("after", examples("session-cli terminals list"))
    .action(() =>
      run(async (connection, shell) => {
        const listed = await call(connection, "list_terminals", {});
        const { colors, width } = shell;
        if (!shell.forPeople) shell.writeJson(listed);
        else if (listed.length === 0) shell.write(`${colors.dim("0 terminals")}\n`);
        else shell.write(table(columns(listed), listed, { width, paintHead: colors.bold }));
      }),
    );
  terminals
    .command("attach")
    .description("show a terminal here and type into it, until it ends or Ctrl+] is typed")
    .argument("<terminal>", "its id, or the beginning of its id")
    .addHelpText("after", examples("session-cli terminals attach 4f2a91c0"))
    .action((named: string) =>
      run(async (connection, shell) => {
        const { attachTerminal } = await import("../live/attach-terminal.ts");
        await attachTerminal((await findTerminal(named, connection)).id, connection, shell);
      }),
    );
  terminals
    .command("close")
    .description("end a terminal's program and everything that it has started")
    .argument("<terminal>", "its id, or the beginning of its id")
    .addHelpText("after", examples("session-cli terminals close 4f2a91c0"))
    .action((named: string) =>
      run(async (connection, shell) => {
        const { id } = await findTerminal(named, connection);
        tell(shell, await call(connection, "terminal_close", { id }), `Closed ${visible(id)}`);
      }),
    );
}

function columns(terminals: readonly ListedTerminal[]): Column<ListedTerminal>[] {
  const shortId = shortIds(terminals.map(({ id }) => id));
  return [
    { head: "ID", cell: ({ id }) => shortId(id) },
    { head: "PROGRAM", cell: ({ shell }) => shell, flexible: true },
    { head: "DIRECTORY", cell: ({ cwd }) => cwd, flexible: true },
    { head: "STARTED", cell: ({ started_at }) => localTime(started_at) },
    { head: "PID", cell: ({ pid }) => String(pid), align: "right", optional: true },
    { head: "SIZE", cell: ({ cols, rows }) => `${cols}×${rows}`, optional: true },
    { head: "ENDED", cell: ({ exit }) => (exit === null ? "" : `${exit.signal ?? exit.exit_code}`) },
  ];
}

/** @throws {CliError} `notFound` where there is none, or more than one. */
async function findTerminal(named: string, connection: Connection): Promise<ListedTerminal> {
  const listed = await call(connection, "list_terminals", {});
  const [only, ...others] = listed.filter(({ id }) => id.startsWith(named));
  if (only === undefined) {
    const message = `No terminal has an id that begins with "${visible(named)}"; session-cli terminals list shows them.`;
    throw new CliError(EXIT.notFound, message);
  }
  if (others.length === 0) return only;
  const lines = [only, ...others].map(({ id, cwd }) => `  ${visible(id)}  ${visible(cwd)}`);
  throw new CliError(EXIT.notFound, `"${visible(named)}" may be any of these; name more of the id:`, lines);
}
