import { execFile } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { promisify } from "node:util";
import { type PostgresServer, startPostgres } from "@sm/store-postgres/postgres-server.fixture";
import { ENVIRONMENT } from "../measure/environment.ts";
import { CAN_WATCH_PROCESSES, endedChildrenTime, peakMemory, processorTime } from "../measure/process-tree.ts";
import { ServerProcess } from "../measure/server-process.ts";
import { BINARY } from "../measure/service.ts";

const SERVERS = 2;
/** As it is installed, but for what a test directory needs. */
const SETTINGS = { fsync: "on", max_connections: "100" };

const run = promisify(execFile);

/** What one table takes with its indexes and what is stored apart of its rows, in bytes. */
export interface TableSize {
  name: string;
  bytes: number;
  indexBytes: number;
}

/** A PostgreSQL and two servers of a hub, each the built program, of which each can be killed. */
export class HubStack {
  readonly postgres: PostgresServer;
  readonly store: string;
  readonly #directory: string;
  readonly #program: string;
  readonly #ports: readonly number[];
  readonly #servers: ServerProcess[] = [];
  readonly #end = () => process.kill(this.postgres.pid, "SIGQUIT");

  private constructor(
    postgres: PostgresServer,
    store: string,
    { directory, program, ports }: { directory: string; program: string; ports: readonly number[] },
  ) {
    this.postgres = postgres;
    this.store = store;
    this.#directory = directory;
    this.#program = program;
    this.#ports = ports;
    process.once("exit", this.#end);
  }

  /**
   * @param directory for what the servers are configured by.
   * @param program of the servers.
   */
  static async start(directory: string, program = BINARY): Promise<HubStack> {
    mkdirSync(directory, { recursive: true });
    const postgres = await startPostgres(SETTINGS);
    const store = await postgres.newDatabase();
    const ports = [];
    for (let server = 0; server < SERVERS; server++) ports.push(await freePort());
    const stack = new HubStack(postgres, store, { directory, program, ports });
    for (const server of ports.keys()) await stack.startServer(server);
    return stack;
  }

  get urls(): string[] {
    return this.#ports.map((port) => `http://127.0.0.1:${port}`);
  }

  server(number: number): ServerProcess {
    const server = this.#servers[number];
    if (server === undefined) throw new RangeError(`There is no server ${number}.`);
    return server;
  }

  /** Starts a server where it was before. */
  async startServer(number: number): Promise<void> {
    const port = String(this.#ports[number]);
    const config = join(this.#directory, `server-${number}`);
    const args = ["serve", "--store", this.store, "--port", port, "--config-dir", config];
    this.#servers[number] = await ServerProcess.start(this.#program, args);
  }

  /** Makes a user with a token, and gives the file that it is in and the token. */
  async newUser(name: string): Promise<{ token: string; tokenFile: string }> {
    const { stdout } = await run(process.execPath, [this.#program, "hub", "add-user", name, "--store", this.store], {
      env: ENVIRONMENT,
    });
    const token = stdout.trim();
    const tokenFile = join(this.#directory, `token-${name}`);
    writeFileSync(tokenFile, `${token}\n`, { mode: 0o600 });
    return { token, tokenFile };
  }

  /** Sends a command to a server and gives its data. */
  async command<Data>(server: number, token: string, command: string, payload: object): Promise<Data> {
    const body = JSON.stringify({ command, payload });
    const answer = await this.server(server).send("POST", "/api", body, { Authorization: `Bearer ${token}` });
    const { success, data } = JSON.parse(answer.body) as { success: boolean; data: Data };
    if (!success) throw new Error(`${command} was answered with ${answer.status}: ${answer.body.slice(0, 500)}`);
    return data;
  }

  /** Seconds of all servers and of PostgreSQL so far; `null` where they cannot be read. */
  processorTimes(): { servers: number; postgres: number } | null {
    if (!CAN_WATCH_PROCESSES) return null;
    const servers = this.#servers.reduce((sum, { pid }) => sum + processorTime(pid), 0);
    const { pid } = this.postgres;
    // Its process for a connection that was given up has ended.
    return { servers, postgres: processorTime(pid) + endedChildrenTime(pid) };
  }

  /** The most that was resident of the largest server so far, in bytes; `null` where that cannot be read. */
  peakMemory(): number | null {
    return CAN_WATCH_PROCESSES ? Math.max(...this.#servers.map(({ pid }) => peakMemory(pid))) : null;
  }

  /** The largest first. */
  async tables(): Promise<TableSize[]> {
    const rows = await this.postgres.query<{ name: string; bytes: string; index_bytes: string }>(
      this.store,
      `SELECT relname AS name, pg_total_relation_size(oid) AS bytes, pg_indexes_size(oid) AS index_bytes
       FROM pg_class WHERE relkind IN ('r', 'm') AND relnamespace = 'public'::regnamespace ORDER BY 2 DESC`,
    );
    return rows.map(({ name, bytes, index_bytes }) => ({
      name,
      bytes: Number(bytes),
      indexBytes: Number(index_bytes),
    }));
  }

  /** Bytes that PostgreSQL has written to its log so far. */
  async logBytes(): Promise<number> {
    const statement = "SELECT pg_current_wal_insert_lsn() - '0/0'::pg_lsn AS bytes";
    const [row] = await this.postgres.query<{ bytes: string }>(this.store, statement);
    return Number(row?.bytes);
  }

  async databaseBytes(): Promise<number> {
    const statement = "SELECT pg_database_size(current_database()) AS bytes";
    const [row] = await this.postgres.query<{ bytes: string }>(this.store, statement);
    return Number(row?.bytes);
  }

  async close(): Promise<void> {
    await Promise.all(this.#servers.map((server) => server.stop()));
    process.off("exit", this.#end);
    await this.postgres.close();
  }
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const address = server.address();
      server.close(() =>
        address === null || typeof address === "string"
          ? reject(new Error("The system gave no port."))
          : resolve(address.port),
      );
    });
  });
}
