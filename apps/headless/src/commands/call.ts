import type { CommandOutput } from "@sm/router";
import type { Command } from "commander";
import { type Connection, call } from "../connection/connection.ts";
import { CliError, EXIT } from "../failure.ts";
import type { Shell } from "../shell.ts";
import type { Column } from "../terminal/table.ts";
import { writeList } from "./display.ts";
import type { Run } from "./run-command.ts";

const HELP = `
Examples:
  session-cli call --list
  session-cli call --list export_session
  session-cli call ping
  session-cli call list_sessions '{"limit": 5, "sort": "cost"}'
  session-cli call export_session - < payload.json
`;

/** Adds `call`, which runs any command of the service. */
export function addCall(program: Command, run: Run): void {
  program
    .command("call")
    .description("run a command of the service and print its data as JSON")
    .argument("[command]", "name of the command")
    .argument("[payload]", "JSON object, - to read it from standard input", "{}")
    .option("--list", "list the commands; of one, print the JSON Schemas of its payload and its data")
    .addHelpText("after", HELP)
    .action((command: string | undefined, payload: string, { list }: { list?: true }) =>
      run(async (connection, shell) => {
        if (command === undefined) {
          if (list === true) return listAll(connection, shell);
          throw new CliError(EXIT.usage, "Give the name of a command; --list shows all.");
        }
        if (list === true) return describe(command, connection, shell);
        shell.writeJson(await connection.send(command, await readPayload(payload, shell)));
      }),
    );
}

type ListedCommand = CommandOutput<"list_commands">[number];

async function listAll(connection: Connection, shell: Shell): Promise<void> {
  const commands = await call(connection, "list_commands", {});
  const columns: Column<ListedCommand>[] = [
    { head: "COMMAND", cell: ({ name }) => name, paint: shell.colors.yellow },
    { head: "ACCESS", cell: ({ access }) => access },
    { head: "SUMMARY", cell: ({ summary }) => summary, flexible: true },
  ];
  writeList(shell, commands, commands, { columns, things: "commands", name: ({ name }) => name });
}

async function describe(name: string, connection: Connection, shell: Shell): Promise<void> {
  const commands = await call(connection, "list_commands", {});
  const found = commands.find((command) => command.name === name);
  if (found === undefined) {
    throw new CliError(EXIT.notFound, `There is no command "${name}"; --list shows all.`);
  }
  shell.writeJson(found);
}

async function readPayload(text: string, shell: Shell): Promise<unknown> {
  const json = text === "-" ? await shell.readInput() : text;
  try {
    return JSON.parse(json);
  } catch (error) {
    throw new CliError(EXIT.usage, `The payload is not JSON: ${(error as Error).message}`);
  }
}
