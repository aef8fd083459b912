import type { CommandOutput } from "@sm/router";
import { type Command, Option } from "commander";
import { type Connection, call } from "../connection/connection.ts";
import { findSession, type NamedSession } from "../connection/session-argument.ts";
import { CliError, EXIT } from "../failure.ts";
import { addText, parseFutureTime } from "../option-values.ts";
import type { Shell } from "../shell.ts";
import type { Column } from "../terminal/table.ts";
import { visible } from "../terminal/visible.ts";
import { localTime, sizeText, tell, writeList } from "./display.ts";
import type { Run } from "./run-command.ts";

type ShareRecord = CommandOutput<"list_shares">["shares"][number];

const HELP = `
The page shows the session as it is now, with secrets, e-mail addresses and home directories replaced: see
session-cli export last --redact --preview first. Standard output gets the link alone. It is shown only once.

Links need "sharing" in session-manager.json, and a service that others can reach. With --folder the page is
written to a folder instead, for any web server.

Examples:
  session-cli share last
  session-cli share 4f2a91c0 --expires 30d --no-tools
  session-cli share last --folder ~/public/sessions
  session-cli share --list
  session-cli share --revoke 5f0c1d9e
`;

interface ShareOptions {
  expires?: string;
  folder?: string;
  thinking: boolean;
  tools: boolean;
  notes?: true;
  subagents?: true;
  redactWord?: string[];
  theme?: "system" | "light" | "dark";
  list?: true;
  revoke?: string;
}

/** Adds `share`. */
export function addShare(program: Command, run: Run): void {
  const share = program
    .command("share")
    .description("share a redacted page of a session under a link, or list and revoke links")
    .argument("[session]", "path, id, beginning of an id, title, or last")
    .option(
      "--expires <time>",
      "when the link expires, such as 2027-01-31, 12h or 30d (default: in 7 days, at most in 90)",
      parseFutureTime,
    )
    .option("--folder <directory>", "write the page to this folder instead of creating a link")
    .option("--no-thinking", "omit thinking")
    .option("--no-tools", "omit tool calls and their results")
    .option("--notes", "include your notes and bookmarks")
    .option("--subagents", "include the subagents of the session")
    .option("--redact-word <word>", "replace this word or phrase too, in any case; can be repeated", addText)
    .addOption(new Option("--theme <theme>", "theme of the page").choices(["system", "light", "dark"]))
    .option("--list", "list the links that have not expired")
    .option("--revoke <link>", "revoke a link at once: its id, or the beginning of its id")
    .addHelpText("after", HELP);
  share.action((named: string | undefined, options: ShareOptions) => {
    const { expires, folder, list, revoke } = options;
    if ([named, list, revoke].filter((given) => given !== undefined).length !== 1) {
      share.error("error: name a session, or give --list or --revoke");
    }
    if (named === undefined && (folder !== undefined || expires !== undefined)) {
      share.error("error: --folder and --expires need a session");
    }
    if (folder !== undefined && expires !== undefined) {
      share.error("error: a page in a folder does not end: --folder and --expires cannot be combined");
    }
    return run(async (connection, shell) => {
      if (revoke !== undefined) return revokeShare(revoke, connection, shell);
      if (named === undefined) return listShares(connection, shell);
      const session = await findSession(named, connection);
      if (folder !== undefined) return writePage(session, folder, options, connection, shell);
      await makeLink(session, options, connection, shell);
    });
  });
}

async function makeLink(
  { path }: NamedSession,
  options: ShareOptions,
  connection: Connection,
  shell: Shell,
): Promise<void> {
  const shared = await call(connection, "share_session", {
    path,
    ...mannerOf(options),
    ...(options.expires !== undefined && { expires_at: options.expires }),
  });
  if (shell.json) return shell.writeJson(shared);
  shell.write(`${visible(shared.url)}\n`);
  shell.note(
    `Anyone with this link can read the page until ${localTime(shared.expires_at)}. The link is not shown again; ` +
      `session-cli share --revoke ${shared.id.slice(0, 8)} ends it.`,
  );
}

async function writePage(
  session: NamedSession,
  folder: string,
  options: ShareOptions,
  connection: Connection,
  shell: Shell,
): Promise<void> {
  // Loaded on demand: a link does not need it.
  const { writeExport } = await import("../export/writing.ts");
  await writeExport([session], {
    destination: { kind: "folder", path: folder },
    format: "html",
    manner: { ...mannerOf(options), redact: true },
    replace: false,
    connection,
    shell,
  });
}

/** Only options that differ from the default, to keep URLs short. */
function mannerOf({ thinking, tools, notes, subagents, redactWord, theme }: ShareOptions) {
  return {
    ...(thinking ? {} : { include_thinking: false }),
    ...(tools ? {} : { include_tools: false }),
    ...(notes === true ? { include_notes: true } : {}),
    ...(subagents === true ? { include_subagents: true } : {}),
    ...(redactWord === undefined ? {} : { redact_words: redactWord }),
    ...(theme === undefined ? {} : { theme }),
  };
}

async function listShares(connection: Connection, shell: Shell): Promise<void> {
  const answer = await call(connection, "list_shares", {});
  writeList(shell, answer, answer.shares, { columns: COLUMNS, things: "links", name: ({ id }) => id });
}

const COLUMNS: Column<ShareRecord>[] = [
  { head: "ID", cell: ({ id }) => id.slice(0, 8) },
  { head: "TITLE", cell: ({ title }) => title, flexible: true },
  { head: "EXPIRES", cell: ({ expires_at }) => localTime(expires_at) },
  { head: "OPENED", cell: ({ opened_count }) => `${opened_count}`, align: "right" },
  { head: "LAST OPENED", cell: ({ last_opened_at }) => localTime(last_opened_at) || "never" },
  { head: "SIZE", cell: ({ size_bytes }) => sizeText(size_bytes), align: "right", optional: true },
];

async function revokeShare(named: string, connection: Connection, shell: Shell): Promise<void> {
  const { shares } = await call(connection, "list_shares", {});
  const found = shares.filter(({ id }) => id.startsWith(named));
  const [only] = named === "" ? [] : found;
  if (only === undefined) {
    // Does not repeat the argument: it may be the link itself.
    throw new CliError(EXIT.notFound, "There is no link with this id; session-cli share --list shows all.");
  }
  if (found.length > 1) {
    const lines = found.map(({ id, title }) => `  ${id}  ${visible(title)}`);
    throw new CliError(EXIT.notFound, "Several links have an id that starts like this; give more of it:", lines);
  }
  const revoked = await call(connection, "revoke_share", { id: only.id });
  tell(shell, revoked, `Revoked the link to "${visible(only.title)}"`);
}
