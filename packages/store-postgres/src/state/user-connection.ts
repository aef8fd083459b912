import { type SQL, sql } from "drizzle-orm";
import type { PostgresDatabase, Queries } from "../database/database.ts";
import { users } from "./schema.ts";

/** What one user has said, as the stores of this folder read and write it. */
export class UserConnection {
  readonly #database: PostgresDatabase;
  readonly #userId: string;
  /** Of questions that have come and are not on their way yet. */
  #version: Promise<number> | null = null;

  constructor(database: PostgresDatabase, userId: string) {
    this.#database = database;
    this.#userId = userId;
  }

  read<T>(query: (db: Queries) => Promise<T>): Promise<T> {
    return this.#database.read(this.#userId, query);
  }

  /** See {@link stateVersion}. Those who ask at the same time share one question, which begins after all of them. */
  version(): Promise<number> {
    this.#version ??= Promise.resolve().then(async () => {
      this.#version = null;
      return versionIn(await this.#database.ask<VersionRow>(this.#userId, STATE_VERSION));
    });
    return this.#version;
  }

  /** One change of a user follows the other, on whichever server: no other changes what a decision rests on. */
  write<T>(change: (db: Queries) => Promise<T>): Promise<T> {
    return this.#database.write(this.#userId, async (db) => {
      await db.update(users).set({ stateVersion: sql`${users.stateVersion} + 1` });
      return change(db);
    });
  }
}

const STATE_VERSION = "SELECT state_version AS version FROM users";

/** PostgreSQL gives a `bigint` as text. */
type VersionRow = { version: string };

function versionIn([row]: readonly VersionRow[]): number {
  return Number(row?.version ?? 0);
}

/** Differs after every change of the user's state, whoever has made it. */
export async function stateVersion(db: Queries): Promise<number> {
  return versionIn((await db.execute<VersionRow>(sql.raw(STATE_VERSION))).rows);
}

/** PostgreSQL keeps no text with NUL, nor with half of a surrogate pair. */
export function storable(text: string): string {
  return text.replace(/\0|\p{Surrogate}/gu, "\ufffd");
}

/** Whether a text may be compared with a column of UUIDs: others are refused by PostgreSQL. */
export function isUuid(text: string): boolean {
  return /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text);
}

/** The id of a user; NULL for a name that nobody has. */
export function userNamed(name: string): SQL {
  return sql`(SELECT id FROM users WHERE name = ${storable(name)})`;
}
