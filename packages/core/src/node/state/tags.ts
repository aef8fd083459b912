import { randomUUID } from "node:crypto";
import { and, eq, inArray, isNull, sql } from "drizzle-orm";
import type { TagChanges, TagOptions } from "../../tags.ts";
import type { Queries, StateConnection } from "./connection.ts";
import type { SessionIdentity, StoredTag, TagStore } from "./ports.ts";
import { markedSessions, sessionTags, tags } from "./schema.ts";
import { forgetUnmarked, markSessions } from "./store.ts";
import { freeTagName, refuseNoTree, refuseTooManyTags, tagsInOrder, unknownTag } from "./tag-tree.ts";

const COLUMNS = { id: tags.id, name: tags.name, color: tags.color, parent_id: tags.parentId };

/** The tags in `state.db`. */
export class SqliteTagStore implements TagStore {
  readonly #connection: StateConnection;

  constructor(connection: StateConnection) {
    this.#connection = connection;
  }

  async list(): Promise<StoredTag[]> {
    return this.#connection.read((db) => tagsInOrder(db.select(COLUMNS).from(tags).all()));
  }

  async assignments(): Promise<{ tagId: string; path: string }[]> {
    return this.#connection.read((db) =>
      db
        .select({ tagId: sessionTags.tagId, path: markedSessions.path })
        .from(sessionTags)
        .innerJoin(markedSessions, eq(markedSessions.key, sessionTags.sessionKey))
        .all(),
    );
  }

  async create({ name, color, parent_id = null }: TagOptions): Promise<StoredTag> {
    const tag = { id: randomUUID(), name, color, parent_id };
    return this.#connection.write((db) => {
      const all = db.select(COLUMNS).from(tags).all();
      refuseTooManyTags(all.length);
      refuseNoTree([...all, tag]);
      db.insert(tags).values({ id: tag.id, name, color, parentId: parent_id }).run();
      return tag;
    });
  }

  async update(id: string, changes: TagChanges): Promise<StoredTag> {
    return this.#connection.write((db) => {
      const before = existing(db, id, "tag");
      const tag: StoredTag = {
        id,
        name: changes.name ?? before.name,
        color: changes.color ?? before.color,
        parent_id: changes.parent_id === undefined ? before.parent_id : changes.parent_id,
      };
      refuseNoTree(
        db
          .select(COLUMNS)
          .from(tags)
          .all()
          .map((other) => (other.id === id ? tag : other)),
      );
      db.update(tags).set({ name: tag.name, color: tag.color, parentId: tag.parent_id }).where(eq(tags.id, id)).run();
      return tag;
    });
  }

  async takeOff(id: string, most: number): Promise<string[]> {
    return this.#connection.write((db) => {
      existing(db, id, "tag");
      const marked = db
        .select({ key: markedSessions.key, path: markedSessions.path })
        .from(sessionTags)
        .innerJoin(markedSessions, eq(markedSessions.key, sessionTags.sessionKey))
        .where(eq(sessionTags.tagId, id))
        .limit(most + 1)
        .all();
      if (marked.length <= most) return [];
      const some = marked.slice(0, most);
      removeFrom(
        db,
        some.map(({ key }) => key),
        id,
      );
      return some.map(({ path }) => path);
    });
  }

  async delete(id: string): Promise<string[]> {
    return this.#connection.write((db) => {
      const { parent_id } = existing(db, id, "tag");
      const children = tagsInOrder(db.select(COLUMNS).from(tags).where(eq(tags.parentId, id)).all());
      // Its name is free for a child that moves up.
      db.update(tags).set({ name: randomUUID() }).where(eq(tags.id, id)).run();
      for (const child of children) {
        const name = freeTagName(child.name, (free) => siblingOf(db, free, parent_id) !== undefined);
        db.update(tags).set({ parentId: parent_id, name }).where(eq(tags.id, child.id)).run();
      }
      return removeTags(db, [id]);
    });
  }

  async assign(sessions: readonly SessionIdentity[], tagId: string): Promise<void> {
    this.#connection.write((db) => {
      existing(db, tagId, "tag");
      markSessions(db, sessions);
      const paths = JSON.stringify(sessions.map(({ path }) => path));
      db.run(sql`
        INSERT INTO session_tags (session_key, tag_id) SELECT key, ${tagId} FROM marked_sessions
        WHERE path IN (SELECT value FROM json_each(${paths})) ON CONFLICT DO NOTHING`);
    });
  }

  async remove(sessions: readonly SessionIdentity[], tagId: string): Promise<void> {
    this.#connection.write((db) => {
      existing(db, tagId, "tag");
      const paths = JSON.stringify(sessions.map(({ path }) => path));
      const keys = db
        .select({ key: markedSessions.key })
        .from(markedSessions)
        .where(sql`${markedSessions.path} IN (SELECT value FROM json_each(${paths}))`)
        .all()
        .map(({ key }) => key);
      removeFrom(db, keys, tagId);
    });
  }
}

/** Takes a tag off sessions by the keys of their marks. */
function removeFrom(db: Queries, keys: readonly number[], tagId: string): void {
  const areTheirs = sql`${sessionTags.sessionKey} IN (SELECT value FROM json_each(${JSON.stringify(keys)}))`;
  db.delete(sessionTags)
    .where(and(areTheirs, eq(sessionTags.tagId, tagId)))
    .run();
  forgetUnmarked(db, keys);
}

/**
 * Makes the tree what it was at another time. Tags are known by their ids: one that stays keeps its sessions. Gives the
 * paths of the sessions that have lost one.
 *
 * @throws AppError `NOT_FOUND` and `CONFLICT` where it is no tree.
 */
export function replaceTags(db: Queries, tree: readonly StoredTag[]): string[] {
  refuseNoTree(tree);
  const wanted = new Set(tree.map(({ id }) => id));
  const gone = db
    .select({ id: tags.id })
    .from(tags)
    .all()
    .filter(({ id }) => !wanted.has(id));
  const json = JSON.stringify(tree);
  // Tags are moved to the top under unique names first, so that the rest can be done in any order.
  db.run(sql`UPDATE tags SET name = hex(randomblob(16)), parent_id = NULL`);
  const paths = removeTags(
    db,
    gone.map(({ id }) => id),
  );
  db.run(sql`
    INSERT INTO tags (id, name, color) SELECT value ->> 'id', hex(randomblob(16)), value ->> 'color'
    FROM json_each(${json}) WHERE true ON CONFLICT (id) DO UPDATE SET color = excluded.color`);
  db.run(sql`
    UPDATE tags SET name = value ->> 'name', parent_id = value ->> 'parent_id'
    FROM json_each(${json}) WHERE tags.id = value ->> 'id'`);
  return paths;
}

function existing(db: Queries, id: string, what: "tag" | "parent"): StoredTag {
  const tag = db.select(COLUMNS).from(tags).where(eq(tags.id, id)).get();
  if (tag === undefined) throw unknownTag(id, what);
  return tag;
}

function siblingOf(db: Queries, name: string, parentId: string | null): { id: string } | undefined {
  const beside = parentId === null ? isNull(tags.parentId) : eq(tags.parentId, parentId);
  return db
    .select({ id: tags.id })
    .from(tags)
    .where(and(beside, eq(tags.name, name)))
    .get();
}

/** Gives the paths of the sessions that had one of them. */
function removeTags(db: Queries, ids: string[]): string[] {
  if (ids.length === 0) return [];
  const marked = db
    .selectDistinct({ key: markedSessions.key, path: markedSessions.path })
    .from(sessionTags)
    .innerJoin(markedSessions, eq(markedSessions.key, sessionTags.sessionKey))
    .where(inArray(sessionTags.tagId, ids))
    .all();
  db.delete(tags).where(inArray(tags.id, ids)).run();
  forgetUnmarked(
    db,
    marked.map(({ key }) => key),
  );
  return marked.map(({ path }) => path);
}
