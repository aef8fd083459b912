import {
  findMoves,
  type LibraryLog,
  type NearSessions,
  type SessionIdentity,
  type SessionMarks,
  type StateStore,
  type TagName,
  tagsUnder,
} from "@sm/core/state";
import { and, countDistinct, desc, eq, inArray, type SQL, sql } from "drizzle-orm";
import type { Queries } from "../database/database.ts";
import { forgetUnmarked, isPathOf, listOf, markSession, markSessions, numbersOf } from "./marked.ts";
import { archivedSessions, favorites, markedSessions, sessionNames, sessionTags, tags } from "./schema.ts";
import { stateVersion, storable, type UserConnection } from "./user-connection.ts";

/** An answer, and the version of the state that it is of. */
interface Kept<T> {
  version: number;
  answer: T;
}

/** The marks of one user. */
export class PostgresMarks implements StateStore {
  readonly #connection: UserConnection;
  readonly #log: LibraryLog;
  /** Lists and searches ask for these again and again. */
  #names: Kept<ReadonlyMap<string, string>> | null = null;
  #archived: Kept<ReadonlySet<string>> | null = null;
  #tagged: (Kept<readonly string[]> & { question: string }) | null = null;

  constructor(connection: UserConnection, log: LibraryLog) {
    this.#connection = connection;
    this.#log = log;
  }

  async marks(sessions: readonly Pick<SessionIdentity, "path">[]): Promise<Map<string, SessionMarks>> {
    if (sessions.length === 0) return new Map();
    const rows = await this.#connection.read((db) =>
      db
        .select({
          path: markedSessions.path,
          tagIds: sql<
            string[]
          >`ARRAY(SELECT tag_id FROM session_tags WHERE session_key = ${markedSessions.key} ORDER BY tag_id COLLATE "C")`,
          isFavorite: sql<boolean>`EXISTS (SELECT 1 FROM favorites WHERE session_key = ${markedSessions.key})`,
          archivedAt: archivedSessions.archivedAt,
          notes: sql<number>`(SELECT count(*)::int FROM notes WHERE session_key = ${markedSessions.key})`,
        })
        .from(markedSessions)
        .leftJoin(archivedSessions, eq(archivedSessions.sessionKey, markedSessions.key))
        .where(isPathOf(sessions.map(({ path }) => path))),
    );
    return new Map(
      rows.map(({ path, tagIds, isFavorite, archivedAt, notes }) => [
        path,
        { tag_ids: tagIds, is_favorite: isFavorite, archived_at: archivedAt, note_count: notes },
      ]),
    );
  }

  toggleFavorite(session: SessionIdentity): Promise<boolean> {
    return this.#connection.write(async (db) => {
      const key = await markSession(db, session);
      const removed = await db.delete(favorites).where(eq(favorites.sessionKey, key)).returning();
      if (removed.length === 0) await db.insert(favorites).values({ sessionKey: key });
      else await forgetUnmarked(db, [key]);
      return removed.length === 0;
    });
  }

  setName(session: SessionIdentity, name: string): Promise<void> {
    return this.#connection.write(async (db) => {
      const key = await markSession(db, session);
      await db.delete(sessionNames).where(eq(sessionNames.sessionKey, key));
      if (name === "") await forgetUnmarked(db, [key]);
      else await db.insert(sessionNames).values({ sessionKey: key, name: storable(name) });
    });
  }

  async names(): Promise<ReadonlyMap<string, string>> {
    this.#names = await this.#current(this.#names, async (db) => {
      const rows = await db
        .select({ path: markedSessions.path, name: sessionNames.name })
        .from(sessionNames)
        .innerJoin(markedSessions, eq(markedSessions.key, sessionNames.sessionKey))
        .where(sql`${sessionNames}.user_id = own_user_id()`);
      const known = this.#names?.answer;
      const isSame = known?.size === rows.length && rows.every(({ path, name }) => known.get(path) === name);
      return known !== undefined && isSame ? known : new Map(rows.map(({ path, name }) => [path, name]));
    });
    return this.#names.answer;
  }

  async setArchived(sessions: readonly SessionIdentity[], at: string | null): Promise<string[]> {
    if (sessions.length === 0) return [];
    return this.#connection.write(async (db) => {
      const paths = sessions.map(({ path }) => path);
      const archived = await db
        .select({ path: markedSessions.path, key: markedSessions.key })
        .from(archivedSessions)
        .innerJoin(markedSessions, eq(markedSessions.key, archivedSessions.sessionKey))
        .where(isPathOf(paths));
      if (at === null) {
        const keys = archived.map(({ key }) => key);
        await db.execute(sql`DELETE FROM archived_sessions WHERE session_key = ANY (${numbersOf(keys)})`);
        await forgetUnmarked(db, keys);
        return archived.map(({ path }) => path);
      }
      const areArchived = new Set(archived.map(({ path }) => path));
      const others = sessions.filter(({ path }) => !areArchived.has(path));
      await markSessions(db, others);
      await db.execute(sql`
        INSERT INTO archived_sessions (session_key, archived_at) SELECT key, ${at} FROM marked_sessions
        WHERE ${isPathOf(others.map(({ path }) => path))}`);
      return [...new Set(others.map(({ path }) => path))];
    });
  }

  async archived(): Promise<ReadonlySet<string>> {
    this.#archived = await this.#current(this.#archived, async (db) => {
      const rows = await db
        .select({ path: markedSessions.path })
        .from(archivedSessions)
        .innerJoin(markedSessions, eq(markedSessions.key, archivedSessions.sessionKey));
      const known = this.#archived?.answer;
      const isSame = known?.size === rows.length && rows.every(({ path }) => known.has(path));
      return known !== undefined && isSame ? known : new Set(rows.map(({ path }) => path));
    });
    return this.#archived.answer;
  }

  async favorites(): Promise<string[]> {
    const rows = await this.#connection.read((db) =>
      db
        .select({ path: markedSessions.path })
        .from(favorites)
        .innerJoin(markedSessions, eq(markedSessions.key, favorites.sessionKey))
        .orderBy(desc(favorites.sequence)),
    );
    return rows.map(({ path }) => path);
  }

  async sessionsWithTags(tagIds: readonly string[]): Promise<readonly string[]> {
    const wanted = [...new Set(tagIds)];
    if (wanted.length === 0) return [];
    const question = JSON.stringify(wanted);
    const known = this.#tagged?.question === question ? this.#tagged : null;
    const current = await this.#current(known, async (db) => {
      const rows = await db
        .select({ path: markedSessions.path })
        .from(sessionTags)
        .innerJoin(markedSessions, eq(markedSessions.key, sessionTags.sessionKey))
        .where(inArray(sessionTags.tagId, wanted))
        .groupBy(markedSessions.path)
        .having(eq(countDistinct(sessionTags.tagId), wanted.length));
      return rows.map(({ path }) => path);
    });
    this.#tagged = { ...current, question };
    return current.answer;
  }

  async sessionsUnderTag(wanted: TagName): Promise<Set<string>> {
    const rows = await this.#connection.read(async (db) => {
      const all = await db.select({ id: tags.id, name: tags.name, parent_id: tags.parentId }).from(tags);
      const found = tagsUnder(all, wanted);
      return db
        .select({ path: markedSessions.path })
        .from(sessionTags)
        .innerJoin(markedSessions, eq(markedSessions.key, sessionTags.sessionKey))
        .where(sql`${sessionTags.tagId} = ANY (${listOf([...found])})`);
    });
    return new Set(rows.map(({ path }) => path));
  }

  async forget(paths: readonly string[]): Promise<void> {
    if (paths.length === 0) return;
    await this.#connection.write((db) => db.delete(markedSessions).where(isPathOf(paths)));
  }

  marked(near?: NearSessions): Promise<SessionIdentity[]> {
    return this.#connection.read((db) =>
      db
        .select({ path: markedSessions.path, id: markedSessions.sessionId })
        .from(markedSessions)
        .where(and(sql`${markedSessions}.user_id = own_user_id()`, near === undefined ? undefined : isNear(near))),
    );
  }

  async follow(sessions: readonly SessionIdentity[], marked?: readonly SessionIdentity[]): Promise<string[]> {
    const moves = findMoves(marked ?? (await this.marked()), sessions);
    if (moves.length === 0) return [];
    await this.#connection.write(async (db) => {
      for (const { from, to } of moves) await moveMarks(db, from.path, to);
    });
    this.#log.info({ moves }, "Moved the marks of moved sessions.");
    return moves.filter(({ from, to }) => from.path !== to.path).map(({ to }) => to.path);
  }

  /** What is kept, where nothing has changed since; otherwise read anew. */
  async #current<T>(kept: Kept<T> | null, read: (db: Queries) => Promise<T>): Promise<Kept<T>> {
    if (kept !== null && kept.version === (await this.#connection.version())) return kept;
    return this.#connection.read(async (db) => {
      const version = await stateVersion(db);
      return kept?.version === version ? kept : { version, answer: await read(db) };
    });
  }
}

async function moveMarks(db: Queries, fromPath: string, to: SessionIdentity): Promise<void> {
  const source = await keyOf(db, fromPath);
  if (source === undefined) return;
  const target = await keyOf(db, to.path);
  if (target === undefined || target === source) {
    const place = { path: storable(to.path), sessionId: storable(to.id) };
    await db.update(markedSessions).set(place).where(eq(markedSessions.key, source));
    return;
  }
  await db.execute(sql`
    UPDATE notes SET text = notes.text || E'\\n\\n' || other.text FROM notes AS other
    WHERE notes.session_key = ${target} AND other.session_key = ${source}
    AND other.entry_id IS NOT DISTINCT FROM notes.entry_id AND other.text <> notes.text`);
  for (const [table, column] of MARKS_OF_SESSION) {
    const mark = sql.identifier(table);
    const isThere =
      column === null
        ? sql`EXISTS (SELECT 1 FROM ${mark} AS other WHERE other.session_key = ${target})`
        : sql`EXISTS (SELECT 1 FROM ${mark} AS other WHERE other.session_key = ${target}
            AND other.${sql.identifier(column)} IS NOT DISTINCT FROM ${mark}.${sql.identifier(column)})`;
    await db.execute(sql`UPDATE ${mark} SET session_key = ${target} WHERE session_key = ${source} AND NOT ${isThere}`);
  }
  // One that the target has already stays, and what is left here goes.
  await db.delete(markedSessions).where(eq(markedSessions.key, source));
}

/** Tables of marks, and the column that tells several of one session apart. */
const MARKS_OF_SESSION: readonly [table: string, column: string | null][] = [
  ["session_tags", "tag_id"],
  ["favorites", null],
  ["session_names", null],
  ["notes", "entry_id"],
  ["bookmarks", "entry_id"],
  ["archived_sessions", null],
];

async function keyOf(db: Queries, path: string): Promise<number | undefined> {
  const [row] = await db
    .select({ key: markedSessions.key })
    .from(markedSessions)
    .where(isPathOf([path]));
  return row?.key;
}

function isNear({ paths, ids }: NearSessions): SQL {
  return sql`(${markedSessions.sessionId} = ANY (${listOf(ids)}) OR ${markedSessions.sessionId} IN (
    SELECT session_id FROM marked_sessions WHERE path = ANY (${listOf(paths)})))`;
}
