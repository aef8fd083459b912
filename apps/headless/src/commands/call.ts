import type { Command } from "commander";
import { CliError, EXIT } from "../failure.ts";
import type { Run } from "../program.ts";
import type { Shell } from "../shell.ts";

const HELP = `
Examples:
  session-cli call ping
  session-cli call list_sessions '{"limit": 5, "sort": "cost"}'
  session-cli call export_session - < payload.json
`;

/** Adds `call`, which runs any command of the service. */
export function addCall(program: Command, run: Run): void {
  program
    .command("call")
    .description("run a command of the service and print its data as JSON")
    .argument("<command>", "name of the command")
    .argument("[payload]", "JSON object, - to read it from standard input", "{}")
    .addHelpText("after", HELP)
    .action((command: string, payload: string) =>
      run(async (connection, shell) => {
        shell.writeJson(await connection.send(command, await readPayload(payload, shell)));
      }),
    );
}

async function readPayload(text: string, shell: Shell): Promise<unknown> {
  const json = text === "-" ? await shell.readInput() : text;
  try {
    return JSON.parse(json);
  } catch (error) {
    throw new CliError(EXIT.usage, `The payload is not JSON: ${(error as Error).message}`);
  }
}
