import type { VaultCopy } from "@sm/core";
import type { CommandOutput } from "@sm/router";
import type { Command } from "commander";
import { call, type VerificationProgress } from "../connection/connection.ts";
import { absolutePath, findSession } from "../connection/session-argument.ts";
import { CliError, EXIT } from "../failure.ts";
import { CLEAR_LINE } from "../progress.ts";
import type { Shell } from "../shell.ts";
import { visible } from "../terminal/visible.ts";
import { examples, localTime, sizeText, tell } from "./display.ts";
import type { Run } from "./run-command.ts";

const HELP = `
The vault keeps the bytes of sessions while their files are there, and when they are gone.

Examples:
  session-cli vault status
  session-cli vault verify
  session-cli vault export /mnt/disk/vault
  session-cli vault import /mnt/disk/vault
  session-cli restore 4f2a91c0
`;

/** Adds `vault` and its subcommands. `runHere` opens the data directory itself. */
export function addVault(program: Command, run: Run, runHere: Run): void {
  const vault = program
    .command("vault")
    .description("show, verify and copy the vault, which keeps sessions whose files are gone")
    .addHelpText("after", HELP);
  vault
    .command("status")
    .description("show what the vault keeps and what it takes")
    .addHelpText("after", examples("session-cli vault status"))
    .action(() =>
      run(async (connection, shell) => {
        const status = await call(connection, "get_vault_status", {});
        if (shell.json) shell.writeJson(status);
        else shell.show(statusText(status, shell));
      }),
    );
  vault
    .command("verify")
    .description("read the whole vault, and repair what is damaged from the session files")
    .addHelpText("after", examples("session-cli vault verify"))
    .action(() =>
      run(async (connection, shell) => {
        const line = verificationLine(shell);
        if (line === null) shell.note("Reading the vault.");
        else connection.followVerification(line.update);
        report(await call(connection, "verify_vault", {}).finally(() => line?.clear()), shell);
      }),
    );
  addForget(vault, run);
  addCopying(vault, runHere);
}

function addForget(vault: Command, run: Run): void {
  vault
    .command("forget")
    .description("remove a session from the vault for good; its file, if there is one, stays as it is")
    .argument("<session>", "path, id, beginning of an id, title, or last")
    .option("-y, --yes", "do not ask for confirmation; required without a terminal")
    .addHelpText("after", examples("session-cli vault forget 4f2a91c0"))
    .action((named: string, { yes }: { yes?: true }) =>
      run(async (connection, shell) => {
        if (yes !== true && !shell.canAsk) {
          throw new CliError(EXIT.usage, "Cannot ask for confirmation without a terminal: add --yes to vault forget.");
        }
        const { path, title } = await findSession(named, connection);
        const question = `  ${visible(title === null ? path : `${title} (${path})`)}\nRemove this session from the vault for good?`;
        if (yes !== true && !(await shell.confirm(question))) throw new CliError(EXIT.failure, "Nothing was removed.");
        tell(shell, await call(connection, "forget_session", { path }), `Removed from the vault: ${visible(path)}`);
      }),
    );
}

function addCopying(vault: Command, runHere: Run): void {
  vault
    .command("export")
    .description("bring a copy of the vault in a directory up to date; works while the service runs")
    .argument("<directory>", "directory of the copy; created if missing")
    .addHelpText("after", examples("session-cli vault export /mnt/disk/vault"))
    .action((directory: string) =>
      runHere(async (connection, shell) =>
        reportCopy("Copied to", await connection.copyVault("export", absolutePath(directory)), shell),
      ),
    );
  vault
    .command("import")
    .description("add the content of such a directory to the vault, also on another machine")
    .argument("<directory>", "directory written by vault export")
    .addHelpText("after", examples("session-cli vault import /mnt/disk/vault"))
    .action((directory: string) =>
      runHere(async (connection, shell) =>
        reportCopy("Read from", await connection.copyVault("import", absolutePath(directory)), shell),
      ),
    );
}

/** A line that tells how far a verification is; `null` where nobody would see it. */
function verificationLine({ streams, quiet }: Shell): { update: VerificationProgress; clear(): void } | null {
  const { stderr } = streams;
  if (quiet || stderr.isTTY !== true) return null;
  let isOver = false;
  stderr.write("Reading the vault.");
  return {
    update(checked, total) {
      if (isOver || total === 0) return;
      const percent = Math.floor((100 * Math.min(checked, total)) / total);
      stderr.write(`${CLEAR_LINE}Reading the vault: ${percent} % of ${total.toLocaleString("en")} parts`);
    },
    clear() {
      if (!isOver) stderr.write(CLEAR_LINE);
      isOver = true;
    },
  };
}

/** @throws {CliError} if something was left out. */
function reportCopy(done: string, copy: VaultCopy, shell: Shell): void {
  const { directory, sessions, written_bytes, damaged } = copy;
  const count = `${sessions} ${sessions === 1 ? "session" : "sessions"}`;
  tell(shell, copy, `${done} ${visible(directory)}: ${count}, ${sizeText(written_bytes)} written`);
  if (damaged.length === 0) return;
  throw new CliError(EXIT.failure, damaged.map((path) => `Damaged, and left out: ${path}`).join("\n"));
}

function statusText(status: CommandOutput<"get_vault_status">, { colors }: Shell): string {
  const { bytes, original_bytes, only_here, pending, oldest_at } = status;
  const share = original_bytes === 0 ? "" : `, ${((100 * bytes) / original_bytes).toFixed(1)} % of what it keeps`;
  const facts: [string, string][] = [
    ["Keeps sessions", status.enabled ? "yes" : "no, it is turned off"],
    ["Sessions", `${status.sessions}`],
    ["Only in the vault", `${only_here}`],
    ...(pending > 0 ? [["Waiting to be stored", `${pending}`] satisfies [string, string]] : []),
    ["Size", `${sizeText(bytes)}${share}`],
    ["Size of originals", sizeText(original_bytes)],
    ...(oldest_at === null ? [] : [["Since", localTime(oldest_at)] satisfies [string, string]]),
  ];
  const width = Math.max(...facts.map(([name]) => name.length));
  const lines = facts.map(([name, value]) => `${colors.bold(name.padEnd(width))}  ${value}\n`);
  const problems = status.problems.map((problem) => `${colors.red(visible(problem))}\n`);
  return [...lines, ...problems].join("");
}

function report(verification: CommandOutput<"verify_vault">, shell: Shell): void {
  const { checked, damaged } = verification;
  if (shell.json) shell.writeJson(verification);
  else if (!shell.quiet) {
    shell.write(`Verified ${checked} ${checked === 1 ? "part" : "parts"}, ${damaged.length} damaged.\n`);
    for (const { path, is_repaired } of damaged) {
      if (is_repaired) shell.write(`Repaired from the session file: ${visible(path)}\n`);
    }
  }
  const lost = damaged.filter(({ is_repaired }) => !is_repaired).map(({ path }) => `Damaged: ${path}`);
  if (lost.length > 0) throw new CliError(EXIT.failure, lost.join("\n"));
}
