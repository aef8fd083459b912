import type { Argument, Option } from "commander";
import { Option as CommanderOption } from "commander";
import { type Connection, call } from "../connection/connection.ts";
import { listTags } from "../connection/tag-argument.ts";

/** A possible completion. */
export interface Candidate {
  value: string;
  /** Shown beside it, if the shell supports that. */
  description: string;
}

/** What the shell completes by itself. */
export type Files = "files" | "directories" | null;

type Ask = Pick<Connection, "send">;
type Source = (connection: Ask, prefix: string) => Promise<Candidate[]>;

/** Longer lists are not useful. */
const MAX_SESSIONS = 100;

/** Sources of values that only a service knows, by the name of the argument or option value. */
const LIVE: Readonly<Record<string, Source>> = {
  session: sessions,
  query: sessions,
  tag: tags,
  parent: tags,
  "live session": async (connection) => {
    const live = await call(connection, "get_coding_live_sessions", {});
    return [LAST, ...live.map(({ session_id, name, cwd }) => candidate(session_id, name ?? cwd))];
  },
  terminal: async (connection) => {
    const terminals = await call(connection, "list_terminals", {});
    return terminals.map(({ id, cwd }) => candidate(id, cwd));
  },
  version: async (connection) => {
    const versions = await call(connection, "list_config_versions", {});
    return [LAST, ...versions.map(({ id, created_at, origin }) => candidate(id, `${created_at} ${origin}`))];
  },
  backup: async (connection) => {
    const backups = await call(connection, "list_model_config_backups", {});
    return [LAST, ...backups.map(({ backup_name, created_at }) => candidate(backup_name, created_at))];
  },
  token: async (connection) => {
    const tokens = await call(connection, "list_tokens", {});
    return tokens.map(({ name, scope }) => candidate(name, scope));
  },
  link: async (connection) => {
    const { shares } = await call(connection, "list_shares", {});
    return shares.map(({ id, title }) => candidate(id, title));
  },
  agent: async (connection) => {
    const homes = await call(connection, "get_agent_homes", {});
    return homes.flatMap(({ agent, name }) => (agent === "pi" ? [] : [candidate(agent, name)]));
  },
  project: async (connection) => {
    const { by_project } = await call(connection, "get_session_stats", {});
    return by_project.flatMap(({ project, sessions }) =>
      project === null ? [] : [candidate(project, `${sessions} sessions`)],
    );
  },
};

const FILES: Readonly<Record<string, Files>> = {
  file: "files",
  output: "files",
  session: "files",
  directory: "directories",
  project: "directories",
};

const LAST = candidate("last", "the newest session");

/** Name of an option value or argument in the help, which determines its source. */
function nameOf(value: Option | Argument): string {
  if (!(value instanceof CommanderOption)) return value.name();
  const named = value.attributeName();
  return named in LIVE || named in FILES ? named : (/[<[]([^\]>.]+)/.exec(value.flags)?.[1] ?? "");
}

/** File completion for an option value or argument. */
export function filesFor(value: Option | Argument): Files {
  return FILES[nameOf(value)] ?? null;
}

/** Whether the values come from a service. */
export function isLive(value: Option | Argument): boolean {
  return nameOf(value) in LIVE;
}

/** Requests the values from a service. */
export async function liveValues(value: Option | Argument, prefix: string, connection: Ask): Promise<Candidate[]> {
  return (await LIVE[nameOf(value)]?.(connection, prefix)) ?? [];
}

/** Without input, the newest ones by ID with their titles; otherwise matches by ID and by title. */
async function sessions(connection: Ask, prefix: string): Promise<Candidate[]> {
  const query = prefix === "" || "last".startsWith(prefix) ? undefined : prefix;
  const page = await call(connection, "list_sessions", { query, limit: MAX_SESSIONS });
  const ids = page.sessions.map(({ id, title }) => candidate(id, title));
  const titles = page.sessions.map(({ id, title }) => candidate(title, id));
  return [LAST, ...ids, ...(prefix === "" ? [] : titles)];
}

async function tags(connection: Ask): Promise<Candidate[]> {
  return (await listTags(connection)).map(({ path, session_count }) => candidate(path, `${session_count} sessions`));
}

function candidate(value: string, description: string): Candidate {
  return { value, description };
}
