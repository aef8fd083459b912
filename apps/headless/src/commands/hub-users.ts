import type { UserAccounts } from "@sm/hub";
import { Argument, type Command, Option } from "commander";
import { CliError, EXIT } from "../failure.ts";
import { storeOption } from "../option-values.ts";
import type { Shell } from "../shell.ts";
import { visible } from "../terminal/visible.ts";
import { examples, type ListView, localTime, tell, writeList } from "./display.ts";
import type { RunAlone } from "./run-command.ts";

type User = Awaited<ReturnType<UserAccounts["list"]>>[number];

const ROLES = ["owner", "member", "reader"] as const;
type Role = (typeof ROLES)[number];

const VIEW: ListView<User> = {
  columns: [
    { head: "NAME", cell: ({ name }) => name, flexible: true },
    { head: "ROLE", cell: ({ role }) => role },
    { head: "LAST SEEN", cell: ({ last_seen_at }) => (last_seen_at === null ? "never" : localTime(last_seen_at)) },
    { head: "SIGNS IN WITH", cell: waysOf },
  ],
  things: "users",
  name: ({ name }) => name,
};

/** Adds the commands for whoever runs a hub: they need its database, and no server. */
export function addHubUsers(hub: Command, runAlone: RunAlone): void {
  /** A command on the database of the hub. */
  const add = (name: string, description: string, example: string) =>
    hub
      .command(name)
      .description(description)
      .addOption(storeOption())
      .addHelpText("after", examples(`session-cli hub ${name} ${example}`.replace(/ +/g, " ")));

  add("users", "list the users of the hub that you run", "--store postgres://hub@db/hub").action(
    (options: { store: string }) =>
      runAlone(async (shell) => {
        const users = await accountsOf(options.store, (accounts) => accounts.list());
        writeList(shell, users, users, VIEW);
      }),
  );
  add(
    "add-user",
    "add a user to the hub that you run, and print a token for them, which is shown only once",
    "ada --store postgres://hub@db/hub",
  )
    .argument("<name>", "name of the user")
    .addOption(new Option("--role <role>", "what they may do").choices(ROLES).default("member"))
    .action((name: string, options: { store: string; role: Role }) =>
      runAlone(async (shell) => {
        shell.show(`${await accountsOf(options.store, (accounts) => accounts.add(name, options.role))}\n`);
      }),
    );
  add("add-token", "print another token for a user of the hub that you run", "ada --store postgres://hub@db/hub")
    .argument("<name>", "name of the user")
    .addOption(new Option("--token-name <name>", "what it is for").default("added by the owner"))
    .action((name: string, options: { store: string; tokenName: string }) =>
      runAlone(async (shell) => {
        const token = await accountsOf(options.store, (accounts) => accounts.addToken(name, options.tokenName));
        shell.show(`${token}\n`);
      }),
    );
  add("set-role", "change what a user of the hub that you run may do", "ada owner --store postgres://hub@db/hub")
    .argument("<name>", "name of the user")
    .addArgument(new Argument("<role>", "what they may do").choices(ROLES))
    .action((name: string, role: Role, options: { store: string }) =>
      runAlone(async (shell) => {
        await accountsOf(options.store, (accounts) => accounts.setRole(name, role));
        tell(shell, { name, role }, `"${visible(name)}" is ${role === "owner" ? "an" : "a"} ${role} now`);
      }),
    );
  add(
    "revoke-tokens",
    "revoke all tokens of a user of the hub that you run, also those of their machines",
    "ada --store postgres://hub@db/hub",
  )
    .argument("<name>", "name of the user")
    .action((name: string, options: { store: string }) =>
      runAlone(async (shell) => {
        const revoked = await accountsOf(options.store, (accounts) => accounts.revokeTokens(name));
        tell(shell, { name, revoked }, `${counted(revoked, "token")} revoked`);
      }),
    );
  add(
    "link-user",
    "let whoever signed in as one user of the hub that you run sign in as another from now on",
    '"ada (2)" ada --store postgres://hub@db/hub',
  )
    .argument("<from>", "name of the user that the provider's account belongs to now")
    .argument("<to>", "name of the user that it shall belong to")
    .action((from: string, to: string, options: { store: string }) =>
      runAlone(async (shell) => {
        await accountsOf(options.store, (accounts) => accounts.link(from, to));
        tell(shell, { from, to }, `Who signed in as "${visible(from)}" signs in as "${visible(to)}" now`);
      }),
    );
  add(
    "remove-user",
    "remove a user of the hub that you run, with everything that they have sent",
    "ada --store postgres://hub@db/hub",
  )
    .argument("<name>", "name of the user")
    .option("-y, --yes", "do not ask for confirmation; required without a terminal")
    .action((name: string, { store, yes }: { store: string; yes?: true }) =>
      runAlone((shell) => accountsOf(store, (accounts) => removeUser(accounts, name, shell, yes === true))),
    );
}

async function removeUser(accounts: UserAccounts, name: string, shell: Shell, isConfirmed: boolean): Promise<void> {
  const owned = await accounts.owned(name);
  const { sessions, machines, tokens } = owned;
  const what = `${counted(sessions, "session")} of ${counted(machines, "machine")} and ${counted(tokens, "token")}`;
  if (!isConfirmed && !shell.canAsk) {
    throw new CliError(EXIT.usage, `Cannot ask for confirmation without a terminal: add --yes to remove ${what}.`);
  }
  if (!isConfirmed && !(await shell.confirm(`Remove "${visible(name)}" with ${what}?`))) {
    throw new CliError(EXIT.failure, "Nothing was removed.");
  }
  await accounts.remove(name);
  tell(shell, { name, removed: owned }, `"${visible(name)}" is removed, with ${what}`);
}

function waysOf({ issuers, tokens }: User): string {
  const hosts = issuers.map((issuer) => (URL.canParse(issuer) ? new URL(issuer).host : issuer));
  return [...hosts, ...(tokens > 0 ? [counted(tokens, "token")] : [])].join(", ") || "nothing";
}

function counted(count: number, thing: string): string {
  return `${count} ${thing}${count === 1 ? "" : "s"}`;
}

/** Loaded on demand: nobody at home needs PostgreSQL's client. */
async function accountsOf<Result>(url: string, use: (accounts: UserAccounts) => Promise<Result>): Promise<Result> {
  const { withUserAccounts } = await import("@sm/hub");
  const nothing = () => undefined;
  return withUserAccounts({ url, log: { info: nothing, warn: nothing, error: nothing } }, use);
}
