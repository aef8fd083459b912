import { AppError } from "@sm/core";
import { asc, eq } from "drizzle-orm";
import type { PostgresDatabase } from "../database/database.ts";
import { isDuplicate } from "../database/errors.ts";
import { users } from "./schema.ts";
import { storable } from "./user-connection.ts";

/**
 * What a user may do: an `owner` everything, also with users and projects; a `member` sends sessions and marks them; a
 * `reader` only reads what is shared.
 */
export type UserRole = "owner" | "member" | "reader";

export interface HubUser {
  id: string;
  name: string;
  role: UserRole;
}

const USER = { id: users.id, name: users.name, role: users.role };

/** The users of a hub. */
export class Users {
  readonly #database: PostgresDatabase;

  constructor(database: PostgresDatabase) {
    this.#database = database;
  }

  /** By name. */
  list(): Promise<HubUser[]> {
    return this.#database.asService((db) => db.select(USER).from(users).orderBy(asc(users.name)));
  }

  /** Rejects with AppError `CONFLICT` for a name that another one has. */
  async create(name: string, role: UserRole): Promise<HubUser> {
    try {
      const [user] = await this.#database.asService((db) =>
        db
          .insert(users)
          .values({ name: storable(name), role })
          .returning(USER),
      );
      return user as HubUser;
    } catch (error) {
      if (isDuplicate(error)) throw new AppError("CONFLICT", `There is already a user named "${name}".`);
      throw error;
    }
  }

  /** `null` for an unknown one. */
  async find(id: string): Promise<HubUser | null> {
    const [user] = await this.#database.asService((db) => db.select(USER).from(users).where(eq(users.id, id)));
    return user ?? null;
  }
}
