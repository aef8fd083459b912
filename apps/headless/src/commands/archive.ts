import type { CommandOutput } from "@sm/router";
import type { Command } from "commander";
import { type Connection, call } from "../connection/connection.ts";
import { absolutePath, findSession } from "../connection/session-argument.ts";
import { CliError, describeFailure, EXIT } from "../failure.ts";
import { agentOption, parsePastTime } from "../option-values.ts";
import type { Shell } from "../shell.ts";
import { visible } from "../terminal/visible.ts";
import { sizeText } from "./display.ts";
import type { Run } from "./run-command.ts";

const HELP = `
Lists and searches leave archived sessions out; their files stay as they are.

Examples:
  session-cli archive 4f2a91c0
  session-cli archive --older-than 90d --not-favorite
  session-cli list --archived
  session-cli unarchive 4f2a91c0
`;

const SESSION = "path, id, beginning of an id, title, or last";
/** Sessions that are changed by one request. */
const AT_ONCE = 500;

interface ArchiveOptions {
  olderThan?: string;
  notFavorite?: true;
  project?: string;
  agent?: CommandOutput<"list_sessions">["sessions"][number]["format"];
  yes?: true;
}

/** Adds `archive` and `unarchive`. */
export function addArchive(program: Command, run: Run): void {
  const archive = program
    .command("archive")
    .description("archive sessions: lists and searches leave them out, and nothing is deleted")
    .argument("[session...]", SESSION)
    .option("--older-than <time>", "all whose last message is before this time, such as 90d or 2026-01", parsePastTime)
    .option("--not-favorite", "with --older-than, leave out favorites")
    .option("--project <directory>", "with --older-than, only those of this working directory")
    .addOption(agentOption())
    .option("-y, --yes", "with --older-than, do not ask for confirmation; required without a terminal")
    .addHelpText("after", HELP);
  archive.action((named: string[], options: ArchiveOptions) => {
    const { olderThan, yes } = options;
    if ((olderThan === undefined) === (named.length === 0)) {
      archive.error("error: name sessions, or give --older-than");
    }
    return run(async (connection, shell) => {
      if (olderThan === undefined) {
        return report(
          await changeAll("archive_session", await pathsOf(named, connection), connection),
          "Archived",
          shell,
        );
      }
      if (yes !== true && !shell.canAsk) {
        throw new CliError(EXIT.usage, "Cannot ask for confirmation without a terminal: add --yes to archive.");
      }
      const { paths, size } = await oldSessions(options, connection);
      const count = paths.length === 1 ? "1 session" : `${paths.length} sessions`;
      if (yes !== true && paths.length > 0 && !(await shell.confirm(`Archive ${count} (${sizeText(size)})?`))) {
        throw new CliError(EXIT.failure, "Nothing was archived.");
      }
      const result = await changeAll("archive_session", paths, connection);
      if (shell.json || result.failed.length > 0) return report(result, "Archived", shell);
      if (!shell.quiet) shell.write(`Archived ${count} (${sizeText(size)}).\n`);
    });
  });
  program
    .command("unarchive")
    .description("move sessions out of the archive")
    .argument("<session...>", "path, id, beginning of an id, or title")
    .addHelpText("after", HELP)
    .action((named: string[]) =>
      run(async (connection, shell) => {
        const paths = await pathsOf(named, connection);
        report(await changeAll("unarchive_session", paths, connection), "Taken back", shell);
      }),
    );
}

/** Resolves all arguments before the first change: otherwise "last" would change its meaning. */
async function pathsOf(named: readonly string[], connection: Connection): Promise<string[]> {
  const paths: string[] = [];
  for (const text of named) paths.push((await findSession(text, connection)).path);
  return paths;
}

/** The sessions that would be archived, and the size of their files. */
async function oldSessions(
  { olderThan, notFavorite, project, agent }: ArchiveOptions,
  connection: Connection,
): Promise<{ paths: string[]; size: number }> {
  const paths: string[] = [];
  let size = 0;
  let cursor: string | null = null;
  do {
    const page: CommandOutput<"list_sessions"> = await call(connection, "list_sessions", {
      until: olderThan,
      query: notFavorite === true ? "-is:favorite" : undefined,
      project: project === undefined ? undefined : absolutePath(project),
      format: agent,
      limit: AT_ONCE,
      cursor,
    });
    for (const session of page.sessions) {
      paths.push(session.path);
      size += session.size_bytes;
    }
    cursor = page.next_cursor;
  } while (cursor !== null);
  return { paths, size };
}

type Change = CommandOutput<"archive_session">;

async function changeAll(
  command: "archive_session" | "unarchive_session",
  paths: readonly string[],
  connection: Connection,
): Promise<Change> {
  const all: Change = { changed: [], failed: [] };
  for (let start = 0; start < paths.length; start += AT_ONCE) {
    const { changed, failed } = await call(connection, command, { paths: paths.slice(start, start + AT_ONCE) });
    all.changed.push(...changed);
    all.failed.push(...failed);
  }
  return all;
}

function report(result: Change, done: string, shell: Shell): void {
  if (shell.json) shell.writeJson(result);
  else if (!shell.quiet) {
    for (const path of result.changed) shell.write(`${done}: ${visible(path)}\n`);
    if (result.changed.length === 0 && result.failed.length === 0) shell.write("Nothing to change.\n");
  }
  const [first] = result.failed;
  if (first === undefined) return;
  const lines = result.failed.map(({ path, error }) => `${error.code}: ${error.message} (${path})`);
  throw new CliError(describeFailure(Object.assign(new Error(), first.error)).exitCode, lines.join("\n"));
}
