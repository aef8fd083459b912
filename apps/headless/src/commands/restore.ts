import type { CommandOutput } from "@sm/router";
import type { Command } from "commander";
import { type Connection, call } from "../connection/connection.ts";
import { absolutePath, findSession, sessionsNamed } from "../connection/session-argument.ts";
import { CliError, EXIT } from "../failure.ts";
import { parseWholeNumber } from "../option-values.ts";
import { visible } from "../terminal/visible.ts";
import { examples, localTime, sizeText, tell, writeList } from "./display.ts";
import type { Run } from "./run-command.ts";

const SESSION = "path, id, beginning of an id, title, or last";

type Deleted = CommandOutput<"list_deleted_sessions">[number];

/** Adds `restore`, `generations`, `deleted` and `undelete`. */
export function addRestore(program: Command, run: Run): void {
  addGenerations(program, run);
  program
    .command("restore")
    .description("write a session's file again from the vault; never overwrites a file")
    .argument("<session>", SESSION)
    .option("--to <file>", "a new file in a session directory instead of the session's own place")
    .option("--generation <number>", "an earlier state of the file, from session-cli generations", parseWholeNumber)
    .addHelpText(
      "after",
      examples(
        "session-cli restore 4f2a91c0",
        "session-cli restore 4f2a91c0 --generation 17 --to ~/.pi/agent/sessions/before.jsonl",
      ),
    )
    .action((named: string, { to, generation }: { to?: string; generation?: number }) =>
      run(async (connection, shell) => {
        const { path } = await findSession(named, connection);
        const target = to === undefined ? undefined : absolutePath(to);
        const record = await call(connection, "restore_session", { path, to: target, generation });
        tell(shell, record, `Restored: ${visible(record.path)}`);
      }),
    );
  program
    .command("deleted")
    .description("list deleted sessions that can be restored, last deleted first")
    .addHelpText("after", examples("session-cli deleted", "session-cli undelete 4f2a91c0"))
    .action(() =>
      run(async (connection, shell) => {
        const sessions = await call(connection, "list_deleted_sessions", {});
        writeList(shell, sessions, sessions, {
          columns: [
            { head: "DELETED", cell: ({ deleted_at }) => localTime(deleted_at) },
            { head: "UNTIL", cell: ({ expires_at }) => localTime(expires_at), optional: true },
            { head: "IN", cell: ({ source }) => source, optional: true },
            { head: "SIZE", cell: ({ size_bytes }) => sizeText(size_bytes), align: "right", optional: true },
            { head: "TITLE", cell: ({ title }) => title, flexible: true, paint: shell.colors.bold },
            { head: "PATH", cell: ({ path }) => path, flexible: true },
          ],
          things: "deleted sessions",
          name: ({ path }) => path,
        });
      }),
    );
  program
    .command("undelete")
    .description("restore deleted sessions to where they were")
    .argument("<deleted...>", "path, id, beginning of an id, title, or last for the last deleted one")
    .addHelpText("after", examples("session-cli undelete last"))
    .action((named: string[]) =>
      run(async (connection, shell) => {
        const deleted = await call(connection, "list_deleted_sessions", {});
        // All are found before the first is brought back: otherwise "last" would change its meaning.
        const paths = named.map((text) => findDeleted(text, deleted).path);
        const records: CommandOutput<"undelete_session">[] = [];
        for (const path of paths) records.push(await call(connection, "undelete_session", { path }));
        if (shell.json) return shell.writeJson(records);
        for (const { path } of shell.quiet ? [] : records) shell.write(`Restored: ${visible(path)}\n`);
      }),
    );
}

function addGenerations(program: Command, run: Run): void {
  program
    .command("generations")
    .description("list the states of a session's file that the vault keeps, newest first")
    .argument("<session>", SESSION)
    .addHelpText("after", examples("session-cli generations 4f2a91c0"))
    .action((named: string) =>
      run(async (connection: Connection, shell) => {
        const { path } = await findSession(named, connection);
        const generations = await call(connection, "list_generations", { path });
        writeList(shell, generations, generations, {
          columns: [
            { head: "NUMBER", cell: ({ generation }) => `${generation}`, align: "right", paint: shell.colors.yellow },
            { head: "SIZE", cell: ({ size_bytes }) => sizeText(size_bytes), align: "right" },
            { head: "SINCE", cell: ({ started_at }) => localTime(started_at) },
            { head: "KEPT", cell: ({ kept_at }) => localTime(kept_at) },
            { head: "REPLACED", cell: ({ replaced_at }) => localTime(replaced_at) },
          ],
          things: "generations",
          name: ({ generation }) => `${generation}`,
        });
      }),
    );
}

/** @throws {CliError} `notFound` for no match or several; lists the candidates. */
function findDeleted(text: string, deleted: readonly Deleted[]): Deleted {
  const [newest] = deleted;
  if (text === "last" && newest !== undefined) return newest;
  const atPath = deleted.filter(({ path }) => path === text || path === absolutePath(text));
  const found = atPath.length > 0 ? atPath : sessionsNamed(text, deleted);
  const [only, ...others] = found;
  if (only === undefined) {
    throw new CliError(
      EXIT.notFound,
      `No deleted session has the path, id or title "${visible(text)}"; session-cli deleted shows all.`,
    );
  }
  if (others.length === 0) return only;
  const lines = found.map(({ path, title }) => `  ${visible(title)}\n    ${visible(path)}`);
  throw new CliError(EXIT.notFound, `"${visible(text)}" is ambiguous; give the path:`, lines);
}
