import { stripVTControlCharacters } from "node:util";
import type { CommandOutput } from "@sm/router";
import type { Command } from "commander";
import { type Connection, call } from "../connection/connection.ts";
import { absolutePath } from "../connection/session-argument.ts";
import { CliError, EXIT } from "../failure.ts";
import type { Column } from "../terminal/table.ts";
import { visible, visibleLines } from "../terminal/visible.ts";
import { examples, localTime, shortIds, tell, writeList } from "./display.ts";
import type { Run } from "./run-command.ts";

type ListedTerminal = CommandOutput<"list_terminals">[number];

const HELP = `
These commands need a running server. <terminal> is an id or the beginning of an id.

Examples:
  session-cli terminals list
  session-cli terminals attach 4f2a91c0    until Ctrl+]
`;

/** Adds `terminals` and its subcommands. */
export function addTerminals(program: Command, run: Run): void {
  const terminals = program
    .command("terminals")
    .description("manage the server's terminals")
    .addHelpText("after", HELP);
  addList(terminals, run);
  addOpen(terminals, run);
  addShow(terminals, run);
  addAttach(terminals, run);
  addClose(terminals, run);
}

function addList(terminals: Command, run: Run): void {
  terminals
    .command("list", { isDefault: true })
    .description("list the terminals, oldest first")
    .addHelpText("after", examples("session-cli terminals list"))
    .action(() =>
      run(async (connection, shell) => {
        const listed = await call(connection, "list_terminals", {});
        writeList(shell, listed, listed, { columns: columns(listed), things: "terminals", name: ({ id }) => id });
      }),
    );
}

function addOpen(terminals: Command, run: Run): void {
  terminals
    .command("open")
    .description("open a terminal on the server and attach to it")
    .argument("[directory]", "working directory", ".")
    .option("--shell <program>", "program to run instead of your shell")
    .addHelpText("after", examples("session-cli terminals open", "session-cli terminals open ~/project --shell bash"))
    .action((directory: string, { shell: program }: { shell?: string }) =>
      run(async (connection, shell) => {
        const { stdin, stdout } = shell.streams;
        const isHere = stdin.isTTY === true && stdout.isTTY === true && !shell.json && !shell.quiet;
        const size = isHere ? { cols: stdout.columns, rows: stdout.rows } : {};
        const payload = { cwd: absolutePath(directory), shell: program, ...size };
        const opened = await call(connection, "create_terminal", payload);
        if (isHere) {
          const { attachTerminal } = await import("../live/attach-terminal.ts");
          await attachTerminal(opened.id, connection, shell);
        } else if (shell.quiet && !shell.json) shell.write(`${visible(opened.id)}\n`);
        else tell(shell, opened, `Opened ${visible(opened.id)} in ${visible(opened.cwd)}`);
      }),
    );
}

function addShow(terminals: Command, run: Run): void {
  terminals
    .command("show")
    .description("print the recent output of a terminal as plain text")
    .argument("<terminal>", "id, or beginning of an id")
    .addHelpText("after", examples("session-cli terminals show 4f2a91c0"))
    .action((named: string) =>
      run(async (connection, shell) => {
        const { id } = await findTerminal(named, connection);
        const shown = await call(connection, "attach_terminal", { id });
        if (shell.json) return shell.writeJson(shown);
        const text = visibleLines(stripVTControlCharacters(shown.data)).replaceAll("\u240d", "");
        shell.show(text.endsWith("\n") || text === "" ? text : `${text}\n`);
      }),
    );
}

function addAttach(terminals: Command, run: Run): void {
  terminals
    .command("attach")
    .description("attach to a terminal until it ends or you type Ctrl+]")
    .argument("<terminal>", "id, or beginning of an id")
    .addHelpText("after", examples("session-cli terminals attach 4f2a91c0"))
    .action((named: string) =>
      run(async (connection, shell) => {
        const { attachTerminal } = await import("../live/attach-terminal.ts");
        await attachTerminal((await findTerminal(named, connection)).id, connection, shell);
      }),
    );
}

function addClose(terminals: Command, run: Run): void {
  terminals
    .command("close")
    .description("close a terminal and end all programs in it")
    .argument("<terminal>", "id, or beginning of an id")
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

/** @throws {CliError} `notFound` for no match or several. */
async function findTerminal(named: string, connection: Connection): Promise<ListedTerminal> {
  const listed = await call(connection, "list_terminals", {});
  const [only, ...others] = listed.filter(({ id }) => id.startsWith(named));
  if (only === undefined) {
    const message = `No terminal has an id that starts with "${visible(named)}"; session-cli terminals list shows all.`;
    throw new CliError(EXIT.notFound, message);
  }
  if (others.length === 0) return only;
  const lines = [only, ...others].map(({ id, cwd }) => `  ${visible(id)}  ${visible(cwd)}`);
  throw new CliError(EXIT.notFound, `"${visible(named)}" is ambiguous; give more of the id:`, lines);
}
