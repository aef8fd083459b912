import { posix, resolve, win32 } from "node:path";
import type { SessionRecord } from "@sm/core";
import type { CommandOutput } from "@sm/router";
import { CliError, EXIT } from "../failure.ts";
import { visible } from "../terminal/visible.ts";
import { type Connection, call } from "./connection.ts";

/** What subcommands need to know about a session argument. */
export interface NamedSession {
  path: string;
  /** `null` if the argument was a path. */
  title: string | null;
}

/** Longer lists are not useful. */
const MAX_CANDIDATES = 10;

/**
 * Finds a session by path, ID, beginning of an ID, title, or `last`.
 *
 * @throws {CliError} `notFound` for no match or several; lists the candidates.
 */
export async function findSession(text: string, connection: Pick<Connection, "send">): Promise<NamedSession> {
  return isPath(text) ? { path: absolutePath(text), title: null } : findRecord(text, connection);
}

/**
 * Finds the record of a session like {@link findSession}.
 *
 * @throws {CliError} `notFound` for a path without a session, too.
 */
export async function findRecord(text: string, connection: Pick<Connection, "send">): Promise<SessionRecord> {
  if (text === "") throw new CliError(EXIT.usage, "Name a session by its path, id or title, or use last.");
  if (isPath(text)) {
    const path = absolutePath(text);
    const record = (await listMentioning(path, connection)).find((one) => one.path === path);
    if (record === undefined) throw new CliError(EXIT.notFound, `${path} is not the path of a known session.`);
    return record;
  }
  if (text === "last") {
    const { sessions } = await call(connection, "list_sessions", { limit: 1 });
    if (sessions[0] === undefined) throw new CliError(EXIT.notFound, "There are no sessions yet.");
    return sessions[0];
  }
  const candidates = await listMentioning(text, connection);
  const found = sessionsNamed(text, candidates);
  const [only, ...others] = found;
  if (only === undefined) {
    throw new CliError(
      EXIT.notFound,
      `No session has the title "${text}" or an id that starts with it; session-cli list shows all.`,
    );
  }
  if (others.length === 0) return only;
  const lines = found
    .slice(0, MAX_CANDIDATES)
    .map(({ id, title, path }) => `  ${visible(id)}  ${visible(title)}\n    ${visible(path)}`);
  if (found.length > MAX_CANDIDATES) lines.push(`  and ${found.length - MAX_CANDIDATES} more`);
  // Several files with the same ID cannot be distinguished by more of it.
  const hint = found.every(({ id }) => id === only.id) ? "the path" : "more of the id, or the path";
  throw new CliError(EXIT.notFound, `"${text}" is ambiguous; give ${hint}:`, lines);
}

/** The sessions with this ID; where there is none, those whose ID begins with the text, else those with this title. */
export function sessionsNamed<Session extends { id: string | null; title: string }>(
  text: string,
  sessions: readonly Session[],
): Session[] {
  const tests: ((session: Session) => boolean)[] = [
    ({ id }) => id === text,
    ({ id }) => text !== "" && id?.startsWith(text) === true,
    ({ title }) => title === text,
  ];
  return tests.map((test) => sessions.filter(test)).find((found) => found.length > 0) ?? [];
}

/** Lists sessions that mention the text, in the ID or elsewhere: the list filter searches several fields. */
async function listMentioning(text: string, connection: Pick<Connection, "send">): Promise<SessionRecord[]> {
  const found: SessionRecord[] = [];
  let cursor: string | null = null;
  do {
    const page: CommandOutput<"list_sessions"> = await call(connection, "list_sessions", {
      query: text,
      archived: "include",
      limit: 500,
      cursor,
    });
    found.push(...page.sessions);
    cursor = page.next_cursor;
  } while (cursor !== null);
  return found;
}

function isPath(text: string): boolean {
  return text.endsWith(".jsonl") || /[/\\]/.test(text);
}

/** Makes a path absolute; a server may run on another system. */
export function absolutePath(path: string): string {
  return posix.isAbsolute(path) || win32.isAbsolute(path) ? path : resolve(path);
}
