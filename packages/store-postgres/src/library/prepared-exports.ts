import { createHash } from "node:crypto";
import type { ArchiveOptions } from "@sm/core";
import { sql } from "drizzle-orm";
import type { PostgresDatabase } from "../database/database.ts";

/** Exports of one user that wait for their download, from whichever server. */
export class PostgresPreparedExports {
  readonly #database: PostgresDatabase;
  readonly #userId: string;

  constructor(database: PostgresDatabase, userId: string) {
    this.#database = database;
    this.#userId = userId;
  }

  /** Keeps what is to be exported for so long, and the newest of them, and says until when. */
  async keep(ticket: string, options: ArchiveOptions, limits: { validMs: number; most: number }): Promise<Date> {
    await this.#database.asService((db) => db.execute(sql`DELETE FROM prepared_exports WHERE expires_at < now()`));
    return this.#database.write(this.#userId, async (db) => {
      // The clock of the database is that of all servers.
      const { rows } = await db.execute<{ until: string }>(sql`
        INSERT INTO prepared_exports (hash, options, expires_at)
        VALUES (${hashOf(ticket)}, ${JSON.stringify(options)}, now() + ${limits.validMs} * interval '1 ms')
        RETURNING extract(epoch FROM expires_at) * 1000 AS until`);
      await db.execute(sql`
        DELETE FROM prepared_exports WHERE sequence IN
          (SELECT sequence FROM prepared_exports ORDER BY sequence DESC OFFSET ${limits.most})`);
      return new Date(Math.floor(Number(rows[0]?.until)));
    });
  }

  /** `null` for what was taken, has expired or was never kept. */
  async look(ticket: string): Promise<ArchiveOptions | null> {
    const found = await this.#database.read(this.#userId, (db) =>
      db.execute<{ options: string }>(sql`SELECT options FROM prepared_exports WHERE ${isWaiting(ticket)}`),
    );
    return optionsOf(found.rows);
  }

  /** Gives it to whoever comes first. */
  async take(ticket: string): Promise<ArchiveOptions | null> {
    const taken = await this.#database.write(this.#userId, (db) =>
      db.execute<{ options: string }>(sql`DELETE FROM prepared_exports WHERE ${isWaiting(ticket)} RETURNING options`),
    );
    return optionsOf(taken.rows);
  }
}

function isWaiting(ticket: string) {
  return sql`hash = ${hashOf(ticket)} AND expires_at > now()`;
}

function hashOf(ticket: string): Buffer {
  return createHash("sha256").update(ticket).digest();
}

function optionsOf([row]: readonly { options: string }[]): ArchiveOptions | null {
  return row === undefined ? null : JSON.parse(row.options);
}
