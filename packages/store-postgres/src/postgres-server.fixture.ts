import { execFileSync, spawn } from "node:child_process";
import { chownSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import pg from "pg";

/** Where Debian has the programs of each version. */
const DEBIAN = "/usr/lib/postgresql";
/** PostgreSQL refuses to run as root: then it runs as somebody who may do nothing. */
const NOBODY = 65_534;

/** A real PostgreSQL in a temporary directory, for one test file. */
export interface PostgresServer {
  /** Of the process that starts the others; another one after `start`. */
  readonly pid: number;
  /** Asks as an administrator, who sees past row-level security; `database` is a URL from `newDatabase`. */
  query<Row extends pg.QueryResultRow>(database: string, statement: string): Promise<Row[]>;
  /** Makes an empty database, with a role of its own that is no superuser, and gives its URL. */
  newDatabase(): Promise<string>;
  /** Ends it as a power failure would. */
  kill(): Promise<void>;
  /** Starts it again on its files. */
  start(): Promise<void>;
  close(): Promise<void>;
}

/** Whether the tests of this file run: where PostgreSQL is not installed, they are skipped with a notice, or fail in CI. */
export function needsPostgres(): boolean {
  if (programsOfPostgres() !== null) return true;
  const notice = "PostgreSQL is not installed; install Debian's package postgresql to run its tests.";
  if (process.env.SESSION_MANAGER_ALL_TESTS === "1" || process.env.CI === "true") throw new Error(notice);
  console.warn(notice);
  return false;
}

function missingPrograms(): never {
  throw new Error("PostgreSQL is not installed.");
}

/** Those that `SESSION_MANAGER_POSTGRES` names, or else the newest that Debian has. */
function programsOfPostgres(): string | null {
  const named = process.env.SESSION_MANAGER_POSTGRES;
  if (named !== undefined) return named;
  if (!existsSync(DEBIAN)) return null;
  const newest = readdirSync(DEBIAN)
    .filter((name) => existsSync(join(DEBIAN, name, "bin", "initdb")))
    .sort((a, b) => Number(b) - Number(a))[0];
  return newest === undefined ? null : join(DEBIAN, newest, "bin");
}

/**
 * Starts a server that listens on a UNIX socket only.
 *
 * @param settings of PostgreSQL beside those that tests have.
 */
export async function startPostgres(settings: Readonly<Record<string, string>> = {}): Promise<PostgresServer> {
  const programs = programsOfPostgres() ?? missingPrograms();
  const directory = mkdtempSync(join(tmpdir(), "postgres-"));
  const data = join(directory, "data");
  mkdirSync(data, { mode: 0o700 });
  const account = process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : {};
  if (account.uid !== undefined) for (const path of [directory, data]) chownSync(path, NOBODY, NOBODY);
  const initial = ["-D", data, "-U", "admin", "-A", "trust", "-E", "UTF8", "--locale=C.UTF-8", "--no-sync"];
  execFileSync(join(programs, "initdb"), initial, { ...account, cwd: directory, stdio: "ignore" });
  let server = spawnServer();
  let databases = 0;
  await answering();

  function spawnServer() {
    // What the program has written stays when it is killed; only a power failure would need more.
    const all = { listen_addresses: "", max_connections: "50", fsync: "off", ...settings };
    const given = Object.entries(all).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
    const flags = ["-D", data, "-k", directory, ...given];
    return spawn(join(programs, "postgres"), flags, { ...account, cwd: directory, stdio: "ignore" });
  }

  function urlOf(user: string, database: string): string {
    return `postgres://${user}@/${database}?host=${encodeURIComponent(directory)}`;
  }

  async function asAdmin<Row extends pg.QueryResultRow>(statement: string, database = "postgres"): Promise<Row[]> {
    const client = new pg.Client({ connectionString: urlOf("admin", database) });
    client.on("error", () => undefined);
    await client.connect();
    try {
      return (await client.query<Row>(statement)).rows;
    } finally {
      await client.end();
    }
  }

  async function answering(): Promise<void> {
    for (let attempt = 0; ; attempt++) {
      try {
        await asAdmin("SELECT 1");
        return;
      } catch (error) {
        if (attempt === 1_200 || server.exitCode !== null) throw error;
        await delay(50);
      }
    }
  }

  async function end(signal: NodeJS.Signals): Promise<void> {
    if (server.exitCode !== null || server.signalCode !== null) return;
    const ended = new Promise((resolve) => server.once("exit", resolve));
    server.kill(signal);
    await ended;
  }

  return {
    get pid() {
      return server.pid ?? 0;
    },
    query: (database, statement) => asAdmin(statement, /@\/(\w+)/.exec(database)?.[1]),
    newDatabase: async () => {
      const name = `hub_${++databases}`;
      await asAdmin(`CREATE ROLE ${name} LOGIN`);
      await asAdmin(`CREATE DATABASE ${name} OWNER ${name}`);
      return urlOf(name, name);
    },
    kill: async () => {
      // Those that it has started would answer for a moment longer.
      const started = childrenOf(server.pid ?? 0);
      await end("SIGKILL");
      for (const pid of started) killed(pid);
    },
    start: async () => {
      server = spawnServer();
      await answering();
    },
    close: async () => {
      // Without waiting for connections, and without a look back.
      await end("SIGQUIT");
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

/** Linux tells them; elsewhere they notice some time later that the server is gone. */
function childrenOf(pid: number): number[] {
  const path = `/proc/${pid}/task/${pid}/children`;
  return existsSync(path) ? readFileSync(path, "utf8").split(" ").filter(Boolean).map(Number) : [];
}

function killed(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // It has ended.
  }
}
