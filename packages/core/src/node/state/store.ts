import { statSync } from "node:fs";
import { count, desc, eq, inArray } from "drizzle-orm";
import { type BetterSQLite3Database, drizzle } from "drizzle-orm/better-sqlite3";
import { AppError } from "../../errors.ts";
import { errorCode } from "../file-errors.ts";
import type { LibraryLog } from "../library-log.ts";
import { isCorrupt, isUnwritable } from "../sqlite.ts";
import { openStateDatabase, type StateDatabase, type StateOptions } from "./database.ts";
import { findMoves } from "./moves.ts";
import { favorites, markedSessions, sessionTags } from "./schema.ts";

/** A session file and the id in it. Records have both. */
export interface SessionIdentity {
  path: string;
  id: string;
}

/** What the user has attached to a session. */
export interface SessionMarks {
  tag_ids: string[];
  is_favorite: boolean;
}

/**
 * What the user has said about sessions, kept apart from what can be read from the files again.
 *
 * Marks belong to a path. Where a path is gone, they follow the session id to the file that has it now, see `follow`.
 * A copy of a file has the same id and stays without marks until it gets its own; deleting it leaves those of the
 * original alone.
 *
 * Methods reject with AppError `READ_ONLY` when the file system refuses a change, and `UNAVAILABLE` when the disk is
 * full and when the database is damaged or was replaced under the running program.
 */
export interface StateStore {
  /** What is or was wrong with the stored state, for people; `null` where nothing is. */
  readonly problem: string | null;
  /** Gives the marks of these sessions by path; a session without marks is not in the map. */
  marks(sessions: readonly SessionIdentity[]): Promise<Map<string, SessionMarks>>;
  /** Turns the favorite flag over and gives its new value. */
  toggleFavorite(session: SessionIdentity): Promise<boolean>;
  /** Gives the paths of all favorites, the newest first, those of missing files too. */
  favorites(): Promise<string[]>;
  /** Gives the paths of the sessions that have every one of these tags; none where no tag is given. */
  sessionsWithTags(tagIds: readonly string[]): Promise<Set<string>>;
  /** Removes the marks of a session that was deleted. */
  forget(session: SessionIdentity): Promise<void>;
  /**
   * Carries marks along with files that were moved: marks of a file that is gone go to a session with the same id, to
   * one without marks if there is one, else beside the marks that it has. Wants all sessions that exist; to be called
   * after a scan and when files came or went.
   */
  follow(sessions: readonly SessionIdentity[]): Promise<void>;
  close(): Promise<void>;
}

/**
 * Opens the user state in `state.db` of the data directory, with the repairs and backups that it needs.
 *
 * @throws AppError `READ_ONLY` when the directory cannot be written, `UNAVAILABLE` when a newer program wrote the file.
 */
export function openStateStore(options: StateOptions): StateStore {
  return new SqliteStateStore(openStateDatabase(options), options.log);
}

/** From this many paths on, reading all marks is cheaper than naming the paths. */
const MOST_PATHS_IN_QUERY = 500;

class SqliteStateStore implements StateStore {
  readonly #state: StateDatabase;
  readonly #log: LibraryLog;
  readonly #db: BetterSQLite3Database;
  readonly #inode: number | undefined;
  #problem: string | null;

  constructor(state: StateDatabase, log: LibraryLog) {
    this.#state = state;
    this.#log = log;
    this.#db = drizzle(state.client);
    this.#inode = inodeOf(state.path);
    this.#problem = state.problem;
  }

  get problem(): string | null {
    return this.#problem;
  }

  async marks(sessions: readonly SessionIdentity[]): Promise<Map<string, SessionMarks>> {
    const paths = new Set(sessions.map((session) => session.path));
    const rows = this.#read(() =>
      this.#db
        .select({ path: markedSessions.path, tagId: sessionTags.tagId, favorite: favorites.sequence })
        .from(markedSessions)
        .leftJoin(sessionTags, eq(sessionTags.sessionKey, markedSessions.key))
        .leftJoin(favorites, eq(favorites.sessionKey, markedSessions.key))
        .where(paths.size <= MOST_PATHS_IN_QUERY ? inArray(markedSessions.path, [...paths]) : undefined)
        .orderBy(sessionTags.tagId)
        .all(),
    );
    const marks = new Map<string, SessionMarks>();
    for (const { path, tagId, favorite } of rows) {
      if (!paths.has(path)) continue;
      const mark = marks.get(path) ?? { tag_ids: [], is_favorite: favorite !== null };
      if (tagId !== null) mark.tag_ids.push(tagId);
      marks.set(path, mark);
    }
    return marks;
  }

  async toggleFavorite(session: SessionIdentity): Promise<boolean> {
    return this.#write((db) => {
      const { key } = db
        .insert(markedSessions)
        .values({ path: session.path, sessionId: session.id })
        .onConflictDoUpdate({ target: markedSessions.path, set: { sessionId: session.id } })
        .returning({ key: markedSessions.key })
        .get();
      const removed = db.delete(favorites).where(eq(favorites.sessionKey, key)).run().changes > 0;
      if (removed) forgetUnmarked(db, key);
      else db.insert(favorites).values({ sessionKey: key }).run();
      return !removed;
    });
  }

  async favorites(): Promise<string[]> {
    const rows = this.#read(() =>
      this.#db
        .select({ path: markedSessions.path })
        .from(favorites)
        .innerJoin(markedSessions, eq(markedSessions.key, favorites.sessionKey))
        .orderBy(desc(favorites.sequence))
        .all(),
    );
    return rows.map((row) => row.path);
  }

  async sessionsWithTags(tagIds: readonly string[]): Promise<Set<string>> {
    const wanted = new Set(tagIds);
    const rows = this.#read(() =>
      this.#db
        .select({ path: markedSessions.path })
        .from(sessionTags)
        .innerJoin(markedSessions, eq(markedSessions.key, sessionTags.sessionKey))
        .where(inArray(sessionTags.tagId, [...wanted]))
        .groupBy(markedSessions.key)
        .having(eq(count(), wanted.size))
        .all(),
    );
    return new Set(rows.map((row) => row.path));
  }

  async forget(session: SessionIdentity): Promise<void> {
    this.#write((db) => db.delete(markedSessions).where(eq(markedSessions.path, session.path)).run());
  }

  async follow(sessions: readonly SessionIdentity[]): Promise<void> {
    const marked = this.#read(() =>
      this.#db.select({ path: markedSessions.path, id: markedSessions.sessionId }).from(markedSessions).all(),
    );
    const moves = findMoves(marked, sessions);
    if (moves.length === 0) return;
    this.#write((db) => {
      for (const { from, to } of moves) moveMarks(db, from.path, to);
    });
    this.#log.info({ moves }, "Tags and favorites followed sessions that were moved.");
  }

  async close(): Promise<void> {
    this.#state.client.close();
  }

  #read<T>(query: () => T): T {
    try {
      return query();
    } catch (error) {
      throw this.#explain(error);
    }
  }

  /** Takes the write lock before it reads, so that no other process changes what a decision rests on. */
  #write<T>(change: (db: Queries) => T): T {
    if (inodeOf(this.#state.path) !== this.#inode) {
      throw new AppError("UNAVAILABLE", `${this.#state.path} was replaced or removed; restart to use the new one.`);
    }
    try {
      return this.#db.transaction(change, { behavior: "immediate" });
    } catch (error) {
      throw this.#explain(error);
    }
  }

  #explain(error: unknown): unknown {
    const { path } = this.#state;
    if (isUnwritable(error)) {
      const code = errorCode(error) === "SQLITE_FULL" ? "UNAVAILABLE" : "READ_ONLY";
      const message = `${path} cannot be written (${error.message}); look at its permissions and the free space.`;
      return new AppError(code, message, { cause: error });
    }
    if (isCorrupt(error)) {
      const problem = `${path} is damaged (${error.message}); a restart puts the latest backup in its place.`;
      if (this.#problem !== problem) this.#log.error({ err: error, path }, problem);
      this.#problem = problem;
      return new AppError("UNAVAILABLE", problem, { cause: error });
    }
    return error;
  }
}

type Queries = Pick<BetterSQLite3Database, "select" | "insert" | "update" | "delete">;

function moveMarks(db: Queries, fromPath: string, to: SessionIdentity): void {
  const source = findMarked(db, fromPath);
  if (source === undefined) return;
  const target = findMarked(db, to.path);
  if (target === undefined || target.key === source.key) {
    const place = { path: to.path, sessionId: to.id };
    db.update(markedSessions).set(place).where(eq(markedSessions.key, source.key)).run();
    return;
  }
  const tagsOfSource = db.select().from(sessionTags).where(eq(sessionTags.sessionKey, source.key)).all();
  for (const { tagId } of tagsOfSource) {
    db.insert(sessionTags).values({ sessionKey: target.key, tagId }).onConflictDoNothing().run();
  }
  const isFavorite = db.select().from(favorites).where(eq(favorites.sessionKey, target.key)).get() !== undefined;
  if (!isFavorite) {
    db.update(favorites).set({ sessionKey: target.key }).where(eq(favorites.sessionKey, source.key)).run();
  }
  db.delete(markedSessions).where(eq(markedSessions.key, source.key)).run();
}

function findMarked(db: Queries, path: string): { key: number } | undefined {
  return db.select({ key: markedSessions.key }).from(markedSessions).where(eq(markedSessions.path, path)).get();
}

function forgetUnmarked(db: Queries, key: number): void {
  const tag = db.select().from(sessionTags).where(eq(sessionTags.sessionKey, key)).get();
  if (tag === undefined) db.delete(markedSessions).where(eq(markedSessions.key, key)).run();
}

/** Tells one file from another at the same path. */
function inodeOf(path: string): number | undefined {
  return statSync(path, { throwIfNoEntry: false })?.ino;
}
