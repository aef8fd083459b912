import type { CommandOutput } from "@sm/router";
import { type Command, Option } from "commander";
import { type Connection, call } from "../connection/connection.ts";
import { CliError, EXIT } from "../failure.ts";
import { parseFutureTime } from "../option-values.ts";
import type { Column } from "../terminal/table.ts";
import { visible } from "../terminal/visible.ts";
import { localTime, tell, writeList } from "./display.ts";
import type { Run } from "./run-command.ts";

type TokenRecord = CommandOutput<"list_tokens">[number];

const HELP = `
These commands use the data directory, with or without a running server, so that you can create the first
token over ssh. With --server they ask that server.
`;

const CREATE_HELP = `
Standard output gets the token alone. It is shown only once.

Examples:
  session-cli token create laptop
  session-cli token create dashboard --scope read --expires 30d
  ssh host session-cli token create laptop > token
`;

const LIST_HELP = `
Example:
  session-cli token list
`;

const REVOKE_HELP = `
Example:
  session-cli token revoke laptop
`;

/** Adds `token create`, `token list` and `token revoke`. */
export function addToken(program: Command, run: Run): void {
  const token = program
    .command("token")
    .description("manage the API tokens of clients on other machines")
    .addHelpText("after", HELP);
  token
    .command("create")
    .description("create a token")
    .argument("<name>", "name of the token")
    .addOption(new Option("--scope <scope>", "permissions").choices(["read", "full"]).default("full"))
    .option("--expires <time>", "expiry, such as 2027-01-31, 90min, 30d or next-year (default: never)", parseFutureTime)
    .addHelpText("after", CREATE_HELP)
    .action((name: string, { scope, expires }: { scope: "read" | "full"; expires?: string }) =>
      run(async (connection, shell) => {
        const created = await call(connection, "create_token", { name, scope, expires_at: expires });
        if (shell.json) return shell.writeJson(created);
        shell.write(`${created.token}\n`);
        const end = created.expires_at === null ? "until it is revoked" : `until ${localTime(created.expires_at)}`;
        shell.note(
          `The token "${created.name}" (${created.scope}) is valid ${end}. Store it now: it is not shown again.`,
        );
      }),
    );
  token
    .command("list")
    .description("list the tokens without their secrets")
    .addHelpText("after", LIST_HELP)
    .action(() =>
      run(async (connection, shell) => {
        const tokens = await call(connection, "list_tokens", {});
        writeList(shell, tokens, tokens, { columns: COLUMNS, things: "tokens", name: ({ id }) => id });
      }),
    );
  token
    .command("revoke")
    .description("revoke a token at once, also on open connections")
    .argument("<token>", "id or name")
    .addHelpText("after", REVOKE_HELP)
    .action((named: string) =>
      run(async (connection, shell) => {
        const { id, name } = await findToken(named, connection);
        const revoked = await call(connection, "revoke_token", { id });
        tell(shell, revoked, `Revoked the token "${visible(name)}"`);
      }),
    );
}

const COLUMNS: Column<TokenRecord>[] = [
  { head: "NAME", cell: ({ name }) => name, flexible: true },
  { head: "SCOPE", cell: ({ scope }) => scope },
  { head: "BEGINS WITH", cell: ({ hint }) => `sm_${hint}…` },
  { head: "CREATED", cell: ({ created_at }) => localTime(created_at) },
  { head: "LAST USED", cell: ({ last_used_at }) => localTime(last_used_at) || "never" },
  { head: "EXPIRES", cell: ({ expires_at }) => localTime(expires_at) || "never" },
  { head: "ID", cell: ({ id }) => id, optional: true },
];

async function findToken(named: string, connection: Connection): Promise<TokenRecord> {
  const tokens = await call(connection, "list_tokens", {});
  const found = tokens.filter(({ id, name }) => id === named || name === named);
  const [only] = found;
  if (only === undefined) {
    // Does not repeat the argument: it may be the token itself.
    throw new CliError(EXIT.notFound, "There is no token with this id or name; session-cli token list shows all.");
  }
  if (found.length === 1) return only;
  const lines = found.map(({ id, hint, created_at }) => `  ${id}  sm_${hint}…  made ${localTime(created_at)}`);
  throw new CliError(EXIT.notFound, "Several tokens have this name; give the id:", lines);
}
