import { count, desc, eq, inArray, type SQL, sql } from "drizzle-orm";
import type { LibraryLog } from "../../library-log.ts";
import { ArchivedPaths } from "./archived-paths.ts";
import type { Queries, StateConnection } from "./connection.ts";
import { findMoves } from "./moved-sessions.ts";
import type { NearSessions, SessionIdentity, SessionMarks, StateStore, TagName } from "./ports.ts";
import { archivedSessions, favorites, markedSessions, sessionNames, sessionTags, tags } from "./schema.ts";
import { tagsUnder } from "./tag-tree.ts";

/** To read them after each change takes a millisecond. */
const FEW = 1_000;

/** The marks in `state.db`. */
export class SqliteStateStore implements StateStore {
  readonly #connection: StateConnection;
  readonly #log: LibraryLog;
  readonly #archived: ArchivedPaths;
  /** What was asked for last: whoever looks through a list asks for one page after the other. */
  #tagged: { question: string; paths: readonly string[] } | null = null;

  #names: { version: string; names: ReadonlyMap<string, string> } | null = null;

  /** Where few sessions have marks: their paths, as others are asked for most. `paths` is `null` where many have. */
  #marked: { version: string; paths: ReadonlySet<string> | null } | null = null;

  constructor(connection: StateConnection, log: LibraryLog) {
    this.#connection = connection;
    this.#log = log;
    this.#archived = new ArchivedPaths(connection);
  }

  async marks(sessions: readonly Pick<SessionIdentity, "path">[]): Promise<Map<string, SessionMarks>> {
    const marked = this.#fewMarked();
    const wanted = sessions.filter(({ path }) => marked?.has(path) ?? true);
    if (wanted.length === 0) return new Map();
    const paths = JSON.stringify(wanted.map((session) => session.path));
    const rows = this.#connection.read((db) =>
      db
        .select({
          path: markedSessions.path,
          tagId: sessionTags.tagId,
          favorite: favorites.sequence,
          archivedAt: archivedSessions.archivedAt,
          notes: sql<number>`(SELECT count(*) FROM notes WHERE notes.session_key = ${markedSessions.key})`,
        })
        .from(markedSessions)
        .leftJoin(sessionTags, eq(sessionTags.sessionKey, markedSessions.key))
        .leftJoin(favorites, eq(favorites.sessionKey, markedSessions.key))
        .leftJoin(archivedSessions, eq(archivedSessions.sessionKey, markedSessions.key))
        .where(sql`${markedSessions.path} IN (SELECT value FROM json_each(${paths}))`)
        .orderBy(sessionTags.tagId)
        .all(),
    );
    const marks = new Map<string, SessionMarks>();
    for (const { path, tagId, favorite, archivedAt, notes } of rows) {
      const mark = marks.get(path) ?? {
        tag_ids: [],
        is_favorite: favorite !== null,
        archived_at: archivedAt,
        note_count: notes,
      };
      if (tagId !== null) mark.tag_ids.push(tagId);
      marks.set(path, mark);
    }
    return marks;
  }

  #fewMarked(): ReadonlySet<string> | null {
    const { version } = this.#connection;
    if (this.#marked?.version === version) return this.#marked.paths;
    const rows = this.#connection.read((db) =>
      db
        .select({ path: markedSessions.path })
        .from(markedSessions)
        .limit(FEW + 1)
        .all(),
    );
    const paths = rows.length > FEW ? null : new Set(rows.map(({ path }) => path));
    this.#marked = { version, paths };
    return paths;
  }

  async toggleFavorite(session: SessionIdentity): Promise<boolean> {
    return this.#connection.write((db) => {
      const key = markSession(db, session);
      const removed = db.delete(favorites).where(eq(favorites.sessionKey, key)).run().changes > 0;
      if (removed) forgetUnmarked(db, [key]);
      else db.insert(favorites).values({ sessionKey: key }).run();
      return !removed;
    });
  }

  async setName(session: SessionIdentity, name: string): Promise<void> {
    this.#connection.write((db) => {
      const key = markSession(db, session);
      db.delete(sessionNames).where(eq(sessionNames.sessionKey, key)).run();
      if (name === "") forgetUnmarked(db, [key]);
      else db.insert(sessionNames).values({ sessionKey: key, name }).run();
    });
  }

  async names(): Promise<ReadonlyMap<string, string>> {
    const { version } = this.#connection;
    if (this.#names?.version === version) return this.#names.names;
    const rows = this.#connection.read((db) =>
      db
        .select({ path: markedSessions.path, name: sessionNames.name })
        .from(sessionNames)
        .innerJoin(markedSessions, eq(markedSessions.key, sessionNames.sessionKey))
        .all(),
    );
    const known = this.#names?.names;
    const isSame = known?.size === rows.length && rows.every(({ path, name }) => known.get(path) === name);
    const names = known !== undefined && isSame ? known : new Map(rows.map(({ path, name }) => [path, name]));
    this.#names = { version, names };
    return names;
  }

  async setArchived(sessions: readonly SessionIdentity[], at: string | null): Promise<string[]> {
    const changed = this.#connection.write((db) => {
      const archived = new Map(
        db
          .select({ path: markedSessions.path, key: markedSessions.key })
          .from(archivedSessions)
          .innerJoin(markedSessions, eq(markedSessions.key, archivedSessions.sessionKey))
          .where(isPathOf(sessions))
          .all()
          .map(({ path, key }) => [path, key]),
      );
      if (at === null) {
        const keys = JSON.stringify([...archived.values()]);
        db.run(sql`DELETE FROM archived_sessions WHERE session_key IN (SELECT value FROM json_each(${keys}))`);
        forgetUnmarked(db, [...archived.values()]);
        return [...archived.keys()];
      }
      const others = sessions.filter(({ path }) => !archived.has(path));
      markSessions(db, others);
      db.run(sql`
        INSERT INTO archived_sessions (session_key, archived_at) SELECT key, ${at} FROM marked_sessions
        WHERE ${isPathOf(others)}`);
      return others.map(({ path }) => path);
    });
    this.#archived.changed(changed, at !== null);
    return changed;
  }

  async archived(): Promise<ReadonlySet<string>> {
    return this.#archived.current();
  }

  /** To be called after sessions were archived otherwise than by `setArchived`. */
  wereArchived(paths: readonly string[]): void {
    this.#archived.changed(paths, true);
  }

  async favorites(): Promise<string[]> {
    const rows = this.#connection.read((db) =>
      db
        .select({ path: markedSessions.path })
        .from(favorites)
        .innerJoin(markedSessions, eq(markedSessions.key, favorites.sessionKey))
        .orderBy(desc(favorites.sequence))
        .all(),
    );
    return rows.map((row) => row.path);
  }

  async sessionsWithTags(tagIds: readonly string[]): Promise<readonly string[]> {
    const wanted = new Set(tagIds);
    const question = JSON.stringify([this.#connection.version, ...wanted]);
    if (this.#tagged?.question === question) return this.#tagged.paths;
    const rows = this.#connection.read((db) =>
      db
        .select({ path: markedSessions.path })
        .from(sessionTags)
        .innerJoin(markedSessions, eq(markedSessions.key, sessionTags.sessionKey))
        .where(inArray(sessionTags.tagId, [...wanted]))
        .groupBy(markedSessions.key)
        .having(eq(count(), wanted.size))
        .all(),
    );
    this.#tagged = { question, paths: rows.map((row) => row.path) };
    return this.#tagged.paths;
  }

  async sessionsUnderTag(wanted: TagName): Promise<Set<string>> {
    const rows = this.#connection.read((db) => {
      const all = db.select({ id: tags.id, name: tags.name, parent_id: tags.parentId }).from(tags).all();
      const found = tagsUnder(all, wanted);
      return db
        .select({ path: markedSessions.path })
        .from(sessionTags)
        .innerJoin(markedSessions, eq(markedSessions.key, sessionTags.sessionKey))
        .where(inArray(sessionTags.tagId, [...found]))
        .all();
    });
    return new Set(rows.map((row) => row.path));
  }

  async forget(paths: readonly string[]): Promise<void> {
    const isNamed = sql`${markedSessions.path} IN (SELECT value FROM json_each(${JSON.stringify(paths)}))`;
    this.#connection.write((db) => db.delete(markedSessions).where(isNamed).run());
    this.#archived.left(paths);
  }

  async marked(near?: NearSessions): Promise<SessionIdentity[]> {
    return this.#connection.read((db) =>
      db
        .select({ path: markedSessions.path, id: markedSessions.sessionId })
        .from(markedSessions)
        .where(near === undefined ? undefined : isNear(near))
        .all(),
    );
  }

  async follow(sessions: readonly SessionIdentity[], marked?: readonly SessionIdentity[]): Promise<string[]> {
    const moves = findMoves(marked ?? (await this.marked()), sessions);
    if (moves.length === 0) return [];
    this.#connection.write((db) => {
      for (const { from, to } of moves) moveMarks(db, from.path, to);
    });
    this.#archived.left(moves.map(({ from }) => from.path));
    this.#log.info({ moves }, "Moved the marks of moved sessions.");
    return moves.filter(({ from, to }) => from.path !== to.path).map(({ to }) => to.path);
  }
}

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
  const isNamed = db.select().from(sessionNames).where(eq(sessionNames.sessionKey, target.key)).get() !== undefined;
  if (!isNamed) {
    db.update(sessionNames).set({ sessionKey: target.key }).where(eq(sessionNames.sessionKey, source.key)).run();
  }
  db.run(sql`
    UPDATE notes SET text = notes.text || char(10, 10) || other.text FROM notes AS other
    WHERE notes.session_key = ${target.key} AND other.session_key = ${source.key}
    AND other.entry_id = notes.entry_id AND other.text <> notes.text`);
  db.run(sql`UPDATE OR IGNORE notes SET session_key = ${target.key} WHERE session_key = ${source.key}`);
  db.run(sql`UPDATE OR IGNORE bookmarks SET session_key = ${target.key} WHERE session_key = ${source.key}`);
  // One that the target has already stays, and what is left here goes.
  db.run(sql`UPDATE OR IGNORE archived_sessions SET session_key = ${target.key} WHERE session_key = ${source.key}`);
  db.delete(markedSessions).where(eq(markedSessions.key, source.key)).run();
}

function findMarked(db: Queries, path: string): { key: number } | undefined {
  return db.select({ key: markedSessions.key }).from(markedSessions).where(eq(markedSessions.path, path)).get();
}

function isNear({ paths, ids }: NearSessions): SQL {
  return sql`${markedSessions.sessionId} IN (
    SELECT value FROM json_each(${JSON.stringify(ids)})
    UNION SELECT session_id FROM marked_sessions WHERE path IN (SELECT value FROM json_each(${JSON.stringify(paths)})))`;
}

function isPathOf(sessions: readonly SessionIdentity[]): SQL {
  const paths = JSON.stringify(sessions.map(({ path }) => path));
  return sql`${markedSessions.path} IN (SELECT value FROM json_each(${paths}))`;
}

/** Makes sure that marks of these sessions can be kept. */
export function markSessions(db: Queries, sessions: readonly SessionIdentity[]): void {
  const json = JSON.stringify(sessions.map(({ path, id }) => ({ path, id })));
  db.run(sql`
    INSERT INTO marked_sessions (path, session_id) SELECT value ->> 'path', value ->> 'id' FROM json_each(${json})
    WHERE true ON CONFLICT (path) DO UPDATE SET session_id = excluded.session_id`);
}

/** Gives the key under which marks of a session are kept. */
export function markSession(db: Queries, { path, id }: SessionIdentity): number {
  return db
    .insert(markedSessions)
    .values({ path, sessionId: id })
    .onConflictDoUpdate({ target: markedSessions.path, set: { sessionId: id } })
    .returning({ key: markedSessions.key })
    .get().key;
}

/** Forgets those of these sessions that have lost their last mark. */
export function forgetUnmarked(db: Queries, keys: readonly number[]): void {
  db.run(sql`
    DELETE FROM marked_sessions WHERE key IN (SELECT value FROM json_each(${JSON.stringify(keys)}))
    AND NOT EXISTS (SELECT 1 FROM session_tags WHERE session_tags.session_key = marked_sessions.key)
    AND NOT EXISTS (SELECT 1 FROM session_names WHERE session_names.session_key = marked_sessions.key)
    AND NOT EXISTS (SELECT 1 FROM bookmarks WHERE bookmarks.session_key = marked_sessions.key)
    AND NOT EXISTS (SELECT 1 FROM notes WHERE notes.session_key = marked_sessions.key)
    AND NOT EXISTS (SELECT 1 FROM archived_sessions WHERE archived_sessions.session_key = marked_sessions.key)
    AND NOT EXISTS (SELECT 1 FROM favorites WHERE favorites.session_key = marked_sessions.key)`);
}
