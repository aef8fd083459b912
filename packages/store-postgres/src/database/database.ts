import { AppError } from "@sm/core";
import type { LibraryLog } from "@sm/core/state";
import { sql } from "drizzle-orm";
import { drizzle, type NodePgDatabase } from "drizzle-orm/node-postgres";
import pg from "pg";
import { explained, explaining } from "./errors.ts";
import { migrate, refuseNewer } from "./migrate.ts";
import { MIGRATIONS } from "./migrations/all.ts";
import { NamedStatements } from "./named-statements.ts";

/** What may be asked inside a transaction. */
export type Queries = Pick<NodePgDatabase, "select" | "selectDistinct" | "insert" | "update" | "delete" | "execute">;

export interface TransactionOptions {
  /**
   * Whether all queries find their rows by keys: then each has the same plan for whatever is asked, which a connection
   * makes once. With the policies of what is shared, planning takes PostgreSQL longer than the rest.
   */
  byKeys?: boolean;
}

export interface PostgresOptions {
  /** `postgres://user@host:port/database`, as `psql` takes it. */
  url: string;
  log: LibraryLog;
  /** Most connections of this process; default 10. PostgreSQL has 100 for all, unless it is told otherwise. */
  connections?: number;
}

/** Older ones do not have unique indexes in which NULLs are equal. */
const OLDEST_VERSION = 15;
const DEFAULT_CONNECTIONS = 10;
const CONNECT_TIMEOUT_MS = 5_000;
/** Of one statement: whoever waits longer has given up. */
const STATEMENT_TIMEOUT_MS = 60_000;
const BEGIN_READING = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY";
/** The plan stays when a table has grown, so it must not be one for a small table. */
const BY_KEYS = "; SET LOCAL plan_cache_mode = force_generic_plan; SET LOCAL enable_seqscan = off";
const AS_SERVICE = "BEGIN; SET LOCAL session_manager.is_service = 'on'";
const USER_ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/**
 * The connections of a process to the database of a hub.
 *
 * Everything is read and written in the name of a user. PostgreSQL itself leaves out the rows of others (row-level
 * security), so that a forgotten condition shows nothing. What the database refuses is thrown as AppError: `READ_ONLY` on
 * a standby, `UNAVAILABLE` where it does not answer or has no room.
 */
export class PostgresDatabase {
  readonly #pool: pg.Pool;
  /** Why nothing is read and written any more. */
  #refusal: AppError | null = null;
  readonly #statements = new NamedStatements();
  /** Of each connection, where frequent statements are named. */
  readonly #named = new WeakMap<pg.PoolClient, Queries>();

  private constructor(pool: pg.Pool) {
    this.#pool = pool;
  }

  /**
   * Connects, and takes the steps of the schema that are still to be taken; other servers may do so at the same time.
   *
   * @throws AppError `UNAVAILABLE` where the database does not answer, is too old, belongs to a newer program, or lets
   * its user see past row-level security.
   */
  static async open({ url, log, connections = DEFAULT_CONNECTIONS }: PostgresOptions): Promise<PostgresDatabase> {
    const pool = new pg.Pool({
      connectionString: url,
      max: connections,
      application_name: "session-manager",
      connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
      // Policies make costs look high: what is compiled takes longer than what is asked.
      options: "-c jit=off",
      statement_timeout: STATEMENT_TIMEOUT_MS,
    });
    // A connection that nobody uses just now was closed by the other end; the next request gets another one.
    pool.on("error", (error) => log.warn({ err: error }, "A connection to PostgreSQL was lost."));
    // One that is in use: told by the query that runs, or the next one. Here, as the end may come in one piece with the
    // answer that hands the connection out: before whoever takes it could listen, and it would end the process.
    pool.on("connect", (client) => client.on("error", () => undefined));
    try {
      await refuseUnfit(pool);
      await migrate(pool, MIGRATIONS);
      return new PostgresDatabase(pool);
    } catch (error) {
      await pool.end();
      throw explained(error);
    }
  }

  /** Reads rows of a user alone, all of one moment. */
  read<T>(userId: string, query: (db: Queries) => Promise<T>, options: TransactionOptions = {}): Promise<T> {
    return this.#read(asUser(userId), query, options);
  }

  /** Reads what a user may see, also of others who share it, all of one moment. A query that means own rows says so. */
  readVisible<T>(userId: string, query: (db: Queries) => Promise<T>, options: TransactionOptions = {}): Promise<T> {
    return this.#read(`${asUser(userId)}; SET LOCAL session_manager.sees_others = 'on'`, query, options);
  }

  /**
   * Asks one question about rows of a user alone that has no parameters, in one message instead of three: what is asked
   * before each search and list.
   */
  async ask<Row extends pg.QueryResultRow>(userId: string, statement: string): Promise<Row[]> {
    if (this.#refusal !== null) throw this.#refusal;
    // PostgreSQL makes one transaction of the statements in a message. Two of them have two results.
    const asked = explaining(() => this.#pool.query(`${asUser(userId)}; ${statement}`));
    const results = (await asked) as unknown as pg.QueryResult<Row>[];
    return results[1]?.rows ?? [];
  }

  /** Changes what a user may change, all or nothing. */
  write<T>(userId: string, change: (db: Queries) => Promise<T>, { byKeys }: TransactionOptions = {}): Promise<T> {
    const begin = `BEGIN; ${asUser(userId)}`;
    return byKeys ? this.#transaction(begin + BY_KEYS, change, this.#namedOn) : this.#transaction(begin, change);
  }

  /** For the service itself, which has to find users by their tokens, and has no rows of sessions. */
  asService<T>(change: (db: Queries) => Promise<T>): Promise<T> {
    return this.#transaction(AS_SERVICE, change);
  }

  /**
   * Does work that waits for any user, in one transaction: what is taken is another server's to do where this one ends.
   *
   * @param take looks for work as the service, and locks it; `null`: there is none.
   * @param action does it in the name of its user.
   */
  work<Work extends { userId: string }, T>(
    take: (db: Queries) => Promise<Work | null>,
    action: (db: Queries, work: Work) => Promise<T>,
  ): Promise<T | null> {
    const doWork = async (db: Queries) => {
      const work = await take(db);
      if (work === null) return null;
      await db.execute(sql`
        SELECT set_config('session_manager.is_service', 'off', true), set_config('session_manager.user_id', ${work.userId}, true)`);
      return action(db, work);
    };
    return this.#transaction(AS_SERVICE + BY_KEYS, doWork, this.#namedOn);
  }

  /** Makes the room of rows that are gone usable again, sooner than PostgreSQL does by itself. */
  async vacuum(table: "text_chunks"): Promise<void> {
    await this.#ask(`VACUUM ${table}`);
  }

  /**
   * Whether no transaction sees any more what was there before this one, so that a vacuum frees what it has removed.
   *
   * @param transaction `pg_current_xact_id()` of one that has ended.
   */
  async isSeenByAll(transaction: string): Promise<boolean> {
    // A server's own connections are of one role, whose transactions it may see.
    const rows = await this.#ask<{ is_seen: boolean }>(
      `SELECT NOT EXISTS (SELECT FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()
         AND age(backend_xmin) >= age($1::xid)) AS is_seen`,
      [transaction],
    );
    return rows[0]?.is_seen === true;
  }

  /**
   * Looks whether another server has taken a step of the schema that this program does not work with: from then on it
   * refuses everything, instead of writing rows that the newer ones cannot read.
   *
   * @returns why, or `null`.
   */
  async checkSchema(): Promise<AppError | null> {
    try {
      await refuseNewer(this.#pool, MIGRATIONS);
    } catch (error) {
      if (!(error instanceof AppError)) throw explained(error);
      this.#refusal = error;
    }
    return this.#refusal;
  }

  /** Connections of this process, those that nobody uses now, and requests that wait for one. */
  get connections(): { open: number; idle: number; waiting: number } {
    const { totalCount, idleCount, waitingCount } = this.#pool;
    return { open: totalCount, idle: idleCount, waiting: waitingCount };
  }

  async close(): Promise<void> {
    await this.#pool.end();
  }

  /** Beside all transactions, and in nobody's name. */
  async #ask<Row extends pg.QueryResultRow>(statement: string, values: string[] = []): Promise<Row[]> {
    return (await explaining(() => this.#pool.query<Row>(statement, values))).rows;
  }

  #read<T>(settings: string, query: (db: Queries) => Promise<T>, { byKeys = false }: TransactionOptions): Promise<T> {
    return this.#transaction(`${BEGIN_READING}; ${settings}${byKeys ? BY_KEYS : ""}`, query, this.#namedOn);
  }

  readonly #namedOn = (client: pg.PoolClient): Queries => {
    const known = this.#named.get(client);
    if (known !== undefined) return known;
    const queries = drizzle(this.#statements.over(client));
    this.#named.set(client, queries);
    return queries;
  };

  async #transaction<T>(
    begin: string,
    action: (db: Queries) => Promise<T>,
    queriesOn: (client: pg.PoolClient) => Queries = drizzle,
  ): Promise<T> {
    if (this.#refusal !== null) throw this.#refusal;
    const client = await explaining(() => this.#pool.connect());
    let lost: Error | undefined;
    try {
      await client.query(begin);
      const result = await action(queriesOn(client));
      await client.query("COMMIT");
      return result;
    } catch (error) {
      // Where it fails too, the connection is gone, or in a state that nobody knows.
      await client.query("ROLLBACK").catch((reason: Error) => {
        lost = reason;
      });
      throw explained(error);
    } finally {
      client.release(lost);
    }
  }
}

/** Holds until the end of the transaction. The parameter of a `SET` cannot be sent apart from its text. */
function asUser(userId: string): string {
  if (!USER_ID.test(userId)) throw new Error("A user is named by a UUID.");
  return `SET LOCAL session_manager.user_id = '${userId}'`;
}

/** @throws AppError `UNAVAILABLE`. */
async function refuseUnfit(pool: pg.Pool): Promise<void> {
  const { rows } = await pool.query<{ version: number; name: string; sees_all: boolean }>(
    `SELECT current_setting('server_version_num')::int / 10000 AS version, current_user AS name,
       rolsuper OR rolbypassrls AS sees_all FROM pg_roles WHERE rolname = current_user`,
  );
  const { version = 0, name = "", sees_all: seesAll = true } = rows[0] ?? {};
  if (version < OLDEST_VERSION) {
    throw new AppError("UNAVAILABLE", `PostgreSQL ${version} is too old; use ${OLDEST_VERSION} or newer.`);
  }
  if (seesAll) {
    throw new AppError(
      "UNAVAILABLE",
      `The role ${name} sees the rows of every user; connect with a role that is no superuser and has no BYPASSRLS.`,
    );
  }
}
