import { lstat } from "node:fs/promises";
import { homedir } from "node:os";
import type { SessionRecord } from "@sm/core";
import type { CommandOutput } from "@sm/router";
import picomatch from "picomatch";
import { type Connection, call } from "../connection/connection.ts";
import { absolutePath, findSession, type NamedSession } from "../connection/session-argument.ts";
import { CliError, EXIT } from "../failure.ts";

/** Restricts the sessions that patterns match; default: all. */
export interface SessionFilter {
  /** A working directory. */
  project: string | undefined;
  /** A time as `list_sessions` accepts it. */
  since: string | undefined;
}

export interface Selection {
  /** Without duplicates, in the order of the arguments; matches of a pattern newest first. */
  sessions: NamedSession[];
  /** Whether several could be selected, regardless of the actual number. */
  isMany: boolean;
}

type Match = (session: SessionRecord) => boolean;

/**
 * Finds the sessions given by name or pattern; without arguments, all that match the filter. Resolves all of them
 * before anything else.
 *
 * @throws {CliError} `notFound` for a name or pattern without a match.
 */
export async function selectSessions(
  named: readonly string[],
  filter: SessionFilter,
  connection: Pick<Connection, "send">,
): Promise<Selection> {
  const isFiltered = filter.project !== undefined || filter.since !== undefined;
  if (named.length === 0 && !isFiltered) {
    throw new CliError(EXIT.usage, "Name a session, or select several with a pattern, --project or --since.");
  }
  const patterns = await Promise.all(named.map(readPattern));
  const name = named.find((_, place) => patterns[place] === null);
  if (isFiltered && name !== undefined) {
    throw new CliError(EXIT.usage, `--project and --since need a pattern, and "${name}" is not one.`);
  }

  let listed: Promise<SessionRecord[]> | null = null;
  const matching = async (match: Match, what: string): Promise<NamedSession[]> => {
    listed ??= listSessions(filter, connection);
    const sessions = (await listed).filter(match);
    if (sessions.length === 0) throw new CliError(EXIT.notFound, `${what}; session-cli list shows all sessions.`);
    return sessions;
  };
  const found: NamedSession[] = [];
  for (const [place, text] of named.entries()) {
    const match = patterns[place];
    if (match == null) found.push(await findSession(text, connection));
    else found.push(...(await matching(match, `No session matches "${text}"`)));
  }
  if (named.length === 0) found.push(...(await matching(() => true, "No such session")));
  const sessions = [...new Map(found.map((session) => [session.path, session])).values()];
  return { sessions, isMany: named.length !== 1 || patterns[0] !== null };
}

/** `null` for a name: file names may contain pattern characters. */
async function readPattern(text: string): Promise<Match | null> {
  if (!picomatch.scan(text).isGlob || (await exists(text))) return null;
  if (!/[/\\]/.test(text)) {
    // Titles may contain slashes, which * must match, as with the option `bash`.
    const matches = picomatch(text, { nocase: true, dot: true, bash: true, windows: false });
    return ({ title, id }) => matches(title) || matches(id);
  }
  const matches = picomatch(pathPattern(text), { dot: true });
  return ({ path }) => matches(path);
}

/** Expands a home directory and relative paths in a quoted pattern. */
function pathPattern(text: string): string {
  if (text.startsWith("**")) return text;
  return absolutePath(text.replace(/^~(?=\/)/, homedir()));
}

async function exists(path: string): Promise<boolean> {
  return (await lstat(path).catch(() => null)) !== null;
}

async function listSessions(
  { project, since }: SessionFilter,
  connection: Pick<Connection, "send">,
): Promise<SessionRecord[]> {
  const sessions: SessionRecord[] = [];
  let cursor: string | null = null;
  do {
    const page: CommandOutput<"list_sessions"> = await call(connection, "list_sessions", {
      project: project === undefined ? undefined : absolutePath(project),
      since,
      limit: 500,
      cursor,
    });
    sessions.push(...page.sessions);
    cursor = page.next_cursor;
  } while (cursor !== null);
  return sessions;
}
