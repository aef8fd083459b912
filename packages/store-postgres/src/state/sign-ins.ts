import { createHash } from "node:crypto";
import { newToken } from "@sm/core/state";
import { and, eq, inArray, lt, lte, sql } from "drizzle-orm";
import type { PostgresDatabase, Queries } from "../database/database.ts";
import { hubSecrets, signIns, takenSignIns, tokens, userIdentities, users } from "./schema.ts";
import type { TokenDirectory } from "./token-directory.ts";
import { tellOfTokens } from "./token-notice.ts";
import { storable } from "./user-connection.ts";
import { isLastOwner, type UserRole } from "./users.ts";

/** Somebody whom a provider of OpenID Connect has told of. */
export interface ProvenIdentity {
  issuer: string;
  /** The provider's name of them, which never changes. */
  subject: string;
  /** What they are called, for somebody who is new. */
  name: string;
}

export interface SignInTerms {
  /** What somebody who is new may do. */
  newRole: UserRole;
  /** What the provider says that they may do; `null`: it does not say. */
  role: UserRole | null;
  /** Name of the token. */
  tokenName: string;
  /** When it expires. */
  expiresAt: Date;
  /** What the provider wants to see when they sign out there. */
  idToken: string | null;
}

export interface CompletedSignIn {
  token: string;
  userId: string;
  isNew: boolean;
  /** The provider says less, but a hub without an owner could not be given one. */
  staysOwner: boolean;
}

/** For longer than what a browser brings back is accepted. */
const TAKEN_MINUTES = 60;
const MOST_NAMES = 1_000;

/** Signing in by OpenID Connect, as far as the database is concerned. */
export class SignIns {
  readonly #database: PostgresDatabase;
  readonly #directory: TokenDirectory;

  constructor(database: PostgresDatabase, directory: TokenDirectory) {
    this.#database = database;
    this.#directory = directory;
  }

  /** 32 bytes that all servers of this hub have, and nobody else. */
  async secret(): Promise<Buffer> {
    const [row] = await this.#database.asService((db) =>
      db.select({ secret: hubSecrets.secret }).from(hubSecrets).where(eq(hubSecrets.name, "sign-in")),
    );
    if (row === undefined) throw new Error("The database has no secret for signing in.");
    return row.secret;
  }

  /** Whether what begins a sign-in comes back for the first time, on all servers. */
  async take(state: string): Promise<boolean> {
    const stateHash = createHash("sha256").update(state).digest();
    return this.#database.asService(async (db) => {
      const old = sql`now() - make_interval(mins => ${TAKEN_MINUTES})`;
      await db.delete(takenSignIns).where(lt(takenSignIns.takenAt, old));
      const taken = await db.insert(takenSignIns).values({ stateHash }).onConflictDoNothing().returning();
      return taken.length > 0;
    });
  }

  /** Finds the user or adds one, and gives a token. */
  async complete(identity: ProvenIdentity, terms: SignInTerms): Promise<CompletedSignIn> {
    const { issuer, subject } = identity;
    const { token, hash, hint } = newToken();
    const completed = await this.#database.asService(async (db) => {
      // Whoever signs in twice at once for the first time is one user.
      await db.execute(sql`SELECT pg_advisory_xact_lock(hashtextextended(${JSON.stringify([issuer, subject])}, 0))`);
      const [known] = await db
        .update(userIdentities)
        .set({ lastSignInAt: sql`now()` })
        .where(and(eq(userIdentities.issuer, issuer), eq(userIdentities.subject, subject)))
        .returning({ userId: userIdentities.userId });
      const userId = known?.userId ?? (await addUser(db, identity, terms.role ?? terms.newRole));
      const staysOwner = known !== undefined && terms.role !== null && (await isKept(db, userId, terms.role));
      await db.execute(tellOfTokens());
      await removeExpired(db, userId);
      const values = {
        ...{ userId, name: storable(terms.tokenName), scope: "full" as const, hash, hint },
        ...{ createdAt: new Date().toISOString(), expiresAt: terms.expiresAt.toISOString() },
      };
      const [added] = await db.insert(tokens).values(values).returning({ tokenId: tokens.id });
      await db.insert(signIns).values({ tokenId: added?.tokenId ?? "", userId, idToken: terms.idToken });
      return { userId, isNew: known === undefined, staysOwner };
    });
    await this.#directory.refresh();
    return { token, ...completed };
  }

  /** Revokes a token if it was made by signing in; `null` if not. */
  async end(tokenId: string): Promise<{ idToken: string | null } | null> {
    const ended = await this.#database.asService(async (db) => {
      const [found] = await db.select({ idToken: signIns.idToken }).from(signIns).where(eq(signIns.tokenId, tokenId));
      if (found === undefined) return null;
      await db.execute(tellOfTokens());
      await db.delete(tokens).where(eq(tokens.id, tokenId));
      return found;
    });
    if (ended !== null) await this.#directory.refresh();
    return ended;
  }
}

async function addUser(db: Queries, { issuer, subject, name }: ProvenIdentity, role: UserRole): Promise<string> {
  for (let count = 1; count <= MOST_NAMES; count += 1) {
    const own = count === 1 ? name : `${name} (${count})`;
    // Also one that differs in case: people could not tell them apart.
    const [taken] = await db.select({ id: users.id }).from(users).where(sql`lower(${users.name}) = lower(${own})`);
    if (taken !== undefined) continue;
    const [added] = await db
      .insert(users)
      .values({ name: own, role })
      .onConflictDoNothing()
      .returning({ id: users.id });
    if (added === undefined) continue;
    await db.insert(userIdentities).values({ issuer, subject, userId: added.id });
    return added.id;
  }
  throw new Error("Every name like that of the new user is taken.");
}

/** Gives a known user the role that the provider says, unless the hub would be left without an owner. */
async function isKept(db: Queries, userId: string, role: UserRole): Promise<boolean> {
  if (role !== "owner" && (await isLastOwner(db, userId))) return true;
  await db.update(users).set({ role }).where(eq(users.id, userId));
  return false;
}

/** Those that nobody has signed out of, which lists would show for ever. */
async function removeExpired(db: Queries, userId: string): Promise<void> {
  const own = db.select({ id: signIns.tokenId }).from(signIns).where(eq(signIns.userId, userId));
  await db.delete(tokens).where(and(inArray(tokens.id, own), lte(tokens.expiresAt, new Date().toISOString())));
}
