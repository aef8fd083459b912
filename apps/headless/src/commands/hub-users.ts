import type { UserAccounts } from "@sm/hub";
import { type Command, Option } from "commander";
import { visible } from "../terminal/visible.ts";
import { examples } from "./display.ts";
import type { RunAlone } from "./run-command.ts";

const ROLES = ["owner", "member", "reader"] as const;

/** Adds the commands for whoever runs a hub: they need its database, and no server. */
export function addHubUsers(hub: Command, runAlone: RunAlone): void {
  const store = () =>
    new Option("--store <url>", "database of the hub").env("SESSION_MANAGER_STORE").makeOptionMandatory();
  hub
    .command("users")
    .description("list the users of the hub that you run")
    .addOption(store())
    .addHelpText("after", examples("session-cli hub users --store postgres://hub@db/hub"))
    .action((options: { store: string }) =>
      runAlone(async (shell) => {
        const users = await accountsOf(options.store, (accounts) => accounts.list());
        if (shell.json) shell.writeJson(users);
        else shell.show(users.map(({ name, role }) => `${visible(name)}  ${role}\n`).join(""));
      }),
    );
  hub
    .command("add-user")
    .description("add a user to the hub that you run, and print a token for them, which is shown only once")
    .argument("<name>", "name of the user")
    .addOption(new Option("--role <role>", "what they may do").choices(ROLES).default("member"))
    .addOption(store())
    .addHelpText("after", examples("session-cli hub add-user ada --store postgres://hub@db/hub"))
    .action((name: string, options: { store: string; role: (typeof ROLES)[number] }) =>
      runAlone(async (shell) => {
        shell.show(`${await accountsOf(options.store, (accounts) => accounts.add(name, options.role))}\n`);
      }),
    );
  hub
    .command("add-token")
    .description("print another token for a user of the hub that you run")
    .argument("<name>", "name of the user")
    .addOption(new Option("--token-name <name>", "what it is for").default("added by the owner"))
    .addOption(store())
    .addHelpText("after", examples("session-cli hub add-token ada --store postgres://hub@db/hub"))
    .action((name: string, options: { store: string; tokenName: string }) =>
      runAlone(async (shell) => {
        const token = await accountsOf(options.store, (accounts) => accounts.addToken(name, options.tokenName));
        shell.show(`${token}\n`);
      }),
    );
}

/** Loaded on demand: nobody at home needs PostgreSQL's client. */
async function accountsOf<Result>(url: string, use: (accounts: UserAccounts) => Promise<Result>): Promise<Result> {
  const { withUserAccounts } = await import("@sm/hub");
  const nothing = () => undefined;
  return withUserAccounts({ url, log: { info: nothing, warn: nothing, error: nothing } }, use);
}
