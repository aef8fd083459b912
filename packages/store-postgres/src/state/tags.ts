import { randomUUID } from "node:crypto";
import type { TagChanges, TagOptions } from "@sm/core";
import {
  freeTagName,
  refuseNoTree,
  refuseTooManyTags,
  type SessionIdentity,
  type StoredTag,
  type TagStore,
  tagsInOrder,
  unknownTag,
} from "@sm/core/state";
import { and, eq, sql } from "drizzle-orm";
import type { Queries } from "../database/database.ts";
import { forgetUnmarked, isPathOf, listOf, markSessions, numbersOf } from "./marked.ts";
import { markedSessions, sessionTags, tags } from "./schema.ts";
import { storable, type UserConnection } from "./user-connection.ts";

const COLUMNS = { id: tags.id, name: tags.name, color: tags.color, parent_id: tags.parentId };

/** The tags of one user. */
export class PostgresTags implements TagStore {
  readonly #connection: UserConnection;

  constructor(connection: UserConnection) {
    this.#connection = connection;
  }

  async list(): Promise<StoredTag[]> {
    return tagsInOrder(await this.#connection.read(allTags));
  }

  assignments(): Promise<{ tagId: string; path: string }[]> {
    return this.#connection.read((db) =>
      db
        .select({ tagId: sessionTags.tagId, path: markedSessions.path })
        .from(sessionTags)
        .innerJoin(markedSessions, eq(markedSessions.key, sessionTags.sessionKey)),
    );
  }

  create({ name, color, parent_id = null }: TagOptions): Promise<StoredTag> {
    const tag = { id: randomUUID(), name: storable(name), color, parent_id };
    return this.#connection.write(async (db) => {
      const all = await allTags(db);
      refuseTooManyTags(all.length);
      refuseNoTree([...all, tag]);
      await db.insert(tags).values({ ...tag, parentId: parent_id });
      return tag;
    });
  }

  update(id: string, changes: TagChanges): Promise<StoredTag> {
    return this.#connection.write(async (db) => {
      const all = await allTags(db);
      const before = tagOf(all, id);
      const tag: StoredTag = {
        id,
        name: changes.name === undefined ? before.name : storable(changes.name),
        color: changes.color ?? before.color,
        parent_id: changes.parent_id === undefined ? before.parent_id : changes.parent_id,
      };
      refuseNoTree(all.map((other) => (other.id === id ? tag : other)));
      await db.update(tags).set({ name: tag.name, color: tag.color, parentId: tag.parent_id }).where(eq(tags.id, id));
      return tag;
    });
  }

  takeOff(id: string, most: number): Promise<string[]> {
    return this.#connection.write(async (db) => {
      tagOf(await allTags(db), id);
      const marked = await db
        .select({ key: markedSessions.key, path: markedSessions.path })
        .from(sessionTags)
        .innerJoin(markedSessions, eq(markedSessions.key, sessionTags.sessionKey))
        .where(eq(sessionTags.tagId, id))
        .limit(most + 1);
      if (marked.length <= most) return [];
      const some = marked.slice(0, most);
      await removeFrom(
        db,
        some.map(({ key }) => key),
        id,
      );
      return some.map(({ path }) => path);
    });
  }

  delete(id: string): Promise<string[]> {
    return this.#connection.write(async (db) => {
      const all = await allTags(db);
      const { parent_id } = tagOf(all, id);
      const taken = new Set(
        all.filter((other) => other.parent_id === parent_id && other.id !== id).map(({ name }) => name),
      );
      const children = tagsInOrder(all.filter((other) => other.parent_id === id));
      // The one that goes has its name until then.
      await db.execute(sql`SET CONSTRAINTS ALL DEFERRED`);
      for (const child of children) {
        const name = freeTagName(child.name, (free) => taken.has(free));
        taken.add(name);
        await db.update(tags).set({ name, parentId: parent_id }).where(eq(tags.id, child.id));
      }
      return removeTags(db, [id]);
    });
  }

  assign(sessions: readonly SessionIdentity[], tagId: string): Promise<void> {
    return this.#connection.write(async (db) => {
      tagOf(await allTags(db), tagId);
      await markSessions(db, sessions);
      await db.execute(sql`
        INSERT INTO session_tags (session_key, tag_id) SELECT key, ${tagId} FROM marked_sessions
        WHERE ${isPathOf(sessions.map(({ path }) => path))} ON CONFLICT DO NOTHING`);
    });
  }

  remove(sessions: readonly SessionIdentity[], tagId: string): Promise<void> {
    return this.#connection.write(async (db) => {
      tagOf(await allTags(db), tagId);
      const marked = await db
        .select({ key: markedSessions.key })
        .from(markedSessions)
        .where(isPathOf(sessions.map(({ path }) => path)));
      await removeFrom(
        db,
        marked.map(({ key }) => key),
        tagId,
      );
    });
  }
}

/**
 * Makes the tree what it was at another time. Tags are known by their ids: one that stays keeps its sessions. Gives the
 * paths of the sessions that have lost one.
 *
 * @throws AppError `NOT_FOUND` and `CONFLICT` where it is no tree.
 */
export async function replaceTags(db: Queries, tree: readonly StoredTag[]): Promise<string[]> {
  const wanted = tree.map((tag) => ({ ...tag, name: storable(tag.name) }));
  refuseNoTree(wanted);
  const stay = new Set(wanted.map(({ id }) => id));
  const gone = (await allTags(db)).map(({ id }) => id).filter((id) => !stay.has(id));
  await db.execute(sql`SET CONSTRAINTS ALL DEFERRED`);
  await db.execute(sql`
    INSERT INTO tags (id, name, color, parent_id)
    SELECT * FROM jsonb_to_recordset(${JSON.stringify(wanted)}::jsonb) AS tag (id text, name text, color text, parent_id text)
    ON CONFLICT (user_id, id) DO UPDATE
    SET name = excluded.name, color = excluded.color, parent_id = excluded.parent_id`);
  return removeTags(db, gone);
}

function allTags(db: Queries): Promise<StoredTag[]> {
  return db.select(COLUMNS).from(tags);
}

function tagOf(all: readonly StoredTag[], id: string): StoredTag {
  const tag = all.find((other) => other.id === id);
  if (tag === undefined) throw unknownTag(id, "tag");
  return tag;
}

/** Takes a tag off sessions by the keys of their marks. */
async function removeFrom(db: Queries, keys: readonly number[], tagId: string): Promise<void> {
  const areTheirs = sql`${sessionTags.sessionKey} = ANY (${numbersOf(keys)})`;
  await db.delete(sessionTags).where(and(areTheirs, eq(sessionTags.tagId, tagId)));
  await forgetUnmarked(db, keys);
}

/** Gives the paths of the sessions that had one of them. */
async function removeTags(db: Queries, ids: readonly string[]): Promise<string[]> {
  if (ids.length === 0) return [];
  const marked = await db
    .selectDistinct({ key: markedSessions.key, path: markedSessions.path })
    .from(sessionTags)
    .innerJoin(markedSessions, eq(markedSessions.key, sessionTags.sessionKey))
    .where(sql`${sessionTags.tagId} = ANY (${listOf(ids)})`);
  await db.delete(tags).where(sql`${tags.id} = ANY (${listOf(ids)})`);
  await forgetUnmarked(
    db,
    marked.map(({ key }) => key),
  );
  return marked.map(({ path }) => path);
}
