import { type BookmarkStore, MOST_BOOKMARKS, type SessionIdentity, type StoredBookmark } from "@sm/core/state";
import { and, desc, eq, sql } from "drizzle-orm";
import { forgetUnmarked, isPathOf, markSession } from "./marked.ts";
import { bookmarks, markedSessions } from "./schema.ts";
import { storable, type UserConnection } from "./user-connection.ts";

/** The bookmarks of one user. */
export class PostgresBookmarks implements BookmarkStore {
  readonly #connection: UserConnection;

  constructor(connection: UserConnection) {
    this.#connection = connection;
  }

  set(session: SessionIdentity, given: string, at: string | null): Promise<boolean> {
    const entryId = storable(given);
    return this.#connection.write(async (db) => {
      const sessionKey = await markSession(db, session);
      if (at !== null) {
        const values = { sessionKey, entryId, createdAt: at };
        const added = await db.insert(bookmarks).values(values).onConflictDoNothing().returning();
        return added.length > 0;
      }
      const isIt = and(eq(bookmarks.sessionKey, sessionKey), eq(bookmarks.entryId, entryId));
      const removed = await db.delete(bookmarks).where(isIt).returning();
      await forgetUnmarked(db, [sessionKey]);
      return removed.length > 0;
    });
  }

  list(path: string | null): Promise<StoredBookmark[]> {
    return this.#connection.read((db) =>
      db
        .select({ path: markedSessions.path, entryId: bookmarks.entryId, createdAt: bookmarks.createdAt })
        .from(bookmarks)
        .innerJoin(markedSessions, eq(markedSessions.key, bookmarks.sessionKey))
        .where(path === null ? undefined : isPathOf([path]))
        // Those of a backup are added later than they were made.
        .orderBy(sql`${bookmarks.createdAt} COLLATE "C" DESC`, desc(bookmarks.sequence))
        .limit(MOST_BOOKMARKS),
    );
  }

  async paths(): Promise<string[]> {
    const rows = await this.#connection.read((db) =>
      db
        .selectDistinct({ path: markedSessions.path })
        .from(bookmarks)
        .innerJoin(markedSessions, eq(markedSessions.key, bookmarks.sessionKey)),
    );
    return rows.map(({ path }) => path);
  }
}
