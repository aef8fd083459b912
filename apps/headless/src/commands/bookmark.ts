import type { CommandOutput } from "@sm/router";
import type { Command } from "commander";
import { call } from "../connection/connection.ts";
import { findSession } from "../connection/session-argument.ts";
import { CliError, EXIT } from "../failure.ts";
import type { Shell } from "../shell.ts";
import { visible } from "../terminal/visible.ts";
import { examples, localTime, tell } from "./display.ts";
import type { Run } from "./run-command.ts";

const HELP = `
Bookmarks are kept apart from the files of sessions, and is:bookmarked finds sessions with them. Labels in the
files of pi are shown beside them, and --label writes one.

Examples:
  session-cli bookmark last 4f2a91c0
  session-cli bookmark last
  session-cli bookmark last 4f2a91c0 --label "the fix"
  session-cli bookmark last 4f2a91c0 --remove
`;

/** Adds `bookmark` and `bookmarks`. */
export function addBookmark(program: Command, run: Run): void {
  program
    .command("bookmark")
    .description("set a bookmark on an entry of a session, show its bookmarks, or remove one")
    .argument("<session>", "path, id, beginning of an id, title, or last")
    .argument("[entry]", "id of the entry, from show --json or search --json")
    .option("--label <text>", "also write this label into the session file, as pi does; an empty one removes it")
    .option("--remove", "remove the bookmark on the entry")
    .addHelpText("after", HELP)
    .action((named: string, entry: string | undefined, { remove, label }: { remove?: true; label?: string }) =>
      run(async (connection, shell) => {
        if ((remove === true || label !== undefined) && entry === undefined) {
          throw new CliError(EXIT.usage, "Name the entry whose bookmark or label is changed.");
        }
        const { path } = await findSession(named, connection);
        if (entry === undefined) return show(await call(connection, "list_bookmarks", { path }), shell, false);
        const isSet = remove !== true;
        const bookmark = await call(connection, "set_bookmark", { path, entry_id: entry, bookmarked: isSet, label });
        tell(shell, bookmark, isSet ? "Set the bookmark" : "Removed the bookmark");
      }),
    );
  program
    .command("bookmarks")
    .description("list the bookmarks in all sessions")
    .addHelpText("after", examples("session-cli bookmarks", "session-cli search is:bookmarked"))
    .action(() => run(async (connection, shell) => show(await call(connection, "list_bookmarks", {}), shell, true)));
}

function show(bookmarks: CommandOutput<"list_bookmarks">, shell: Shell, isOfAll: boolean): void {
  if (shell.json) shell.writeJson(bookmarks);
  else if (bookmarks.length === 0) shell.show(`${shell.colors.dim("0 bookmarks")}\n`);
  else shell.show(bookmarks.map((bookmark) => lineOf(bookmark, isOfAll)).join(""));
}

function lineOf(
  { path, entry_id, label, created_at }: CommandOutput<"list_bookmarks">[number],
  isOfAll: boolean,
): string {
  const when = created_at === null ? "label of the agent" : localTime(created_at);
  const facts = [when, isOfAll ? path : "", `entry ${entry_id}`, label ?? ""];
  return `${visible(facts.filter(Boolean).join(" · "))}\n`;
}
