import { count, desc, eq, inArray, sql } from "drizzle-orm";
import type { LibraryLog } from "../../library-log.ts";
import type { Queries, StateConnection } from "./connection.ts";
import { findMoves } from "./moved-sessions.ts";
import type { SessionIdentity, SessionMarks, StateStore, TagName } from "./ports.ts";
import { favorites, markedSessions, sessionNames, sessionTags, tags } from "./schema.ts";

/** To read them after each change takes a millisecond. */
const FEW = 1_000;

/** The marks in `state.db`. */
export class SqliteStateStore implements StateStore {
  readonly #connection: StateConnection;
  readonly #log: LibraryLog;
  /** What was asked for last: whoever looks through a list asks for one page after the other. */
  #tagged: { question: string; paths: readonly string[] } | null = null;

  #names: { version: string; names: ReadonlyMap<string, string> } | null = null;

  /** Where few sessions have marks: their paths, as others are asked for most. `paths` is `null` where many have. */
  #marked: { version: string; paths: ReadonlySet<string> | null } | null = null;

  constructor(connection: StateConnection, log: LibraryLog) {
    this.#connection = connection;
    this.#log = log;
  }

  async marks(sessions: readonly Pick<SessionIdentity, "path">[]): Promise<Map<string, SessionMarks>> {
    const marked = this.#fewMarked();
    const wanted = sessions.filter(({ path }) => marked?.has(path) ?? true);
    if (wanted.length === 0) return new Map();
    const paths = JSON.stringify(wanted.map((session) => session.path));
    const rows = this.#connection.read((db) =>
      db
        .select({ path: markedSessions.path, tagId: sessionTags.tagId, favorite: favorites.sequence })
        .from(markedSessions)
        .leftJoin(sessionTags, eq(sessionTags.sessionKey, markedSessions.key))
        .leftJoin(favorites, eq(favorites.sessionKey, markedSessions.key))
        .where(sql`${markedSessions.path} IN (SELECT value FROM json_each(${paths}))`)
        .orderBy(sessionTags.tagId)
        .all(),
    );
    const marks = new Map<string, SessionMarks>();
    for (const { path, tagId, favorite } of rows) {
      const mark = marks.get(path) ?? { tag_ids: [], is_favorite: favorite !== null };
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

  async sessionsUnderTag({ value, prefix }: TagName): Promise<Set<string>> {
    const wanted = foldName(value);
    const rows = this.#connection.read((db) => {
      const all = db.select({ id: tags.id, name: tags.name, parentId: tags.parentId }).from(tags).all();
      const children = new Map<string | null, string[]>();
      for (const { id, parentId } of all) {
        const siblings = children.get(parentId);
        if (siblings === undefined) children.set(parentId, [id]);
        else siblings.push(id);
      }
      const found = new Set<string>();
      const add = (id: string): void => {
        if (found.has(id)) return;
        found.add(id);
        for (const child of children.get(id) ?? []) add(child);
      };
      for (const { id, name } of all) {
        const folded = foldName(name);
        if (prefix ? folded.startsWith(wanted) : folded === wanted) add(id);
      }
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
  }

  async marked(): Promise<SessionIdentity[]> {
    return this.#connection.read((db) =>
      db.select({ path: markedSessions.path, id: markedSessions.sessionId }).from(markedSessions).all(),
    );
  }

  async follow(sessions: readonly SessionIdentity[]): Promise<string[]> {
    const moves = findMoves(await this.marked(), sessions);
    if (moves.length === 0) return [];
    this.#connection.write((db) => {
      for (const { from, to } of moves) moveMarks(db, from.path, to);
    });
    this.#log.info({ moves }, "Moved tags, favorites and names to moved sessions.");
    return moves.filter(({ from, to }) => from.path !== to.path).map(({ to }) => to.path);
  }
}

/** Without case and accents, as texts are searched. */
function foldName(name: string): string {
  return name
    .normalize("NFKD")
    .replace(/\p{Mn}/gu, "")
    .toLowerCase();
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
  db.delete(markedSessions).where(eq(markedSessions.key, source.key)).run();
}

function findMarked(db: Queries, path: string): { key: number } | undefined {
  return db.select({ key: markedSessions.key }).from(markedSessions).where(eq(markedSessions.path, path)).get();
}

/** Gives the key under which marks of a session are kept. */
function markSession(db: Queries, { path, id }: SessionIdentity): number {
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
    AND NOT EXISTS (SELECT 1 FROM favorites WHERE favorites.session_key = marked_sessions.key)`);
}
