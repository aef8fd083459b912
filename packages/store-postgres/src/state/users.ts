import { AppError } from "@sm/core";
import { and, asc, eq, inArray, sql } from "drizzle-orm";
import type { PostgresDatabase, Queries } from "../database/database.ts";
import { isDuplicate } from "../database/errors.ts";
import { signIns, tokens, userIdentities, users } from "./schema.ts";
import { tellOfTokens } from "./token-notice.ts";
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

/** A user, as those see them who run the hub. */
export interface HubUserDetails extends HubUser {
  /** When they, or their machines, were here last; `null`: never. */
  last_seen_at: string | null;
  /** Providers that they have signed in with. */
  issuers: string[];
  /** Tokens that were given out, those of sign-ins aside. */
  tokens: number;
}

/** What is gone with a user. */
export interface OwnedByUser {
  sessions: number;
  machines: number;
  tokens: number;
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

  /** By name. */
  async details(): Promise<HubUserDetails[]> {
    const seen = sql<Date | string | null>`greatest(
      (SELECT max(last_used_at::timestamptz) FROM tokens WHERE tokens.user_id = users.id),
      (SELECT max(last_sign_in_at) FROM user_identities WHERE user_identities.user_id = users.id))`;
    const given = sql<number>`(SELECT count(*)::int FROM tokens WHERE tokens.user_id = users.id
      AND NOT EXISTS (SELECT FROM sign_ins WHERE token_id = tokens.id))`;
    const issuers = sql<string[]>`ARRAY(
      SELECT DISTINCT issuer::text FROM user_identities WHERE user_identities.user_id = users.id ORDER BY 1)`;
    const rows = await this.#database.asService((db) =>
      db
        .select({ ...USER, seen, issuers, tokens: given })
        .from(users)
        .orderBy(asc(users.name)),
    );
    return rows.map(({ seen: at, ...user }) => ({
      ...user,
      last_seen_at: at === null ? null : new Date(at).toISOString(),
    }));
  }

  /** Rejects with AppError `NOT_FOUND`. */
  async named(name: string): Promise<HubUser> {
    const [user] = await this.#database.asService((db) => db.select(USER).from(users).where(eq(users.name, name)));
    if (user === undefined) throw new AppError("NOT_FOUND", `The hub has no user named "${name}".`);
    return user;
  }

  /** Takes effect at once, on all servers. Rejects with AppError `CONFLICT` for the last owner. */
  async setRole({ id, name }: HubUser, role: UserRole): Promise<void> {
    await this.#database.asService(async (db) => {
      if (role !== "owner" && (await isLastOwner(db, id))) throw lastOwner(name);
      await db.execute(tellOfTokens());
      await db.update(users).set({ role }).where(eq(users.id, id));
    });
  }

  async owned({ id }: HubUser): Promise<OwnedByUser> {
    // What others share with them does not go.
    const count = (table: string) => sql.raw(`(SELECT count(*)::int FROM ${table} WHERE user_id = own_user_id())`);
    const { rows } = await this.#database.read(id, (db) =>
      db.execute<Record<keyof OwnedByUser, number>>(
        sql`SELECT ${count("sessions")} AS sessions, ${count("machines")} AS machines, ${count("tokens")} AS tokens`,
      ),
    );
    return rows[0] ?? { sessions: 0, machines: 0, tokens: 0 };
  }

  /** Removes a user with all that is theirs. Rejects with AppError `CONFLICT` for the last owner. */
  async remove({ id, name }: HubUser): Promise<void> {
    await this.#database.asService(async (db) => {
      // Gigabytes of chunks take longer than a request may.
      await db.execute(sql`SET LOCAL statement_timeout = 0`);
      if (await isLastOwner(db, id)) throw lastOwner(name);
      await db.execute(tellOfTokens());
      await db.delete(users).where(eq(users.id, id));
    });
  }

  /** Revokes all tokens of a user, or those of sign-ins only; gives how many. */
  async revokeTokens({ id }: HubUser, { onlySignIns = false } = {}): Promise<number> {
    return this.#database.asService((db) => revokeTokens(db, id, { onlySignIns }));
  }

  /** Whoever signed in as `from` does so as `to` from now on. Rejects with AppError `CONFLICT` if nobody did. */
  async link(from: HubUser, to: HubUser): Promise<void> {
    await this.#database.asService(async (db) => {
      const moved = await db
        .update(userIdentities)
        .set({ userId: to.id })
        .where(eq(userIdentities.userId, from.id))
        .returning({ subject: userIdentities.subject });
      if (moved.length === 0) throw new AppError("CONFLICT", `"${from.name}" has never signed in with a provider.`);
      await revokeTokens(db, from.id, { onlySignIns: true });
    });
  }
}

/** Whether nobody else is an owner. Locks the owners, so that two cannot stop being one at the same time. */
export async function isLastOwner(db: Queries, id: string): Promise<boolean> {
  const owners = await db
    .select({ id: users.id })
    .from(users)
    .where(eq(users.role, "owner"))
    .orderBy(asc(users.id))
    .for("update");
  return owners.length === 1 && owners[0]?.id === id;
}

function lastOwner(name: string): AppError {
  return new AppError("CONFLICT", `"${name}" is the last owner of the hub; make somebody else an owner first.`);
}

async function revokeTokens(db: Queries, userId: string, { onlySignIns }: { onlySignIns: boolean }): Promise<number> {
  await db.execute(tellOfTokens());
  const signedIn = db.select({ id: signIns.tokenId }).from(signIns).where(eq(signIns.userId, userId));
  const revoked = await db
    .delete(tokens)
    .where(and(eq(tokens.userId, userId), onlySignIns ? inArray(tokens.id, signedIn) : undefined))
    .returning({ id: tokens.id });
  return revoked.length;
}
