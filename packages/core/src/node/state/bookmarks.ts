import { and, desc, eq } from "drizzle-orm";
import type { StateConnection } from "./connection.ts";
import { type BookmarkStore, MOST_BOOKMARKS, type SessionIdentity, type StoredBookmark } from "./ports.ts";
import { bookmarks, markedSessions } from "./schema.ts";
import { forgetUnmarked, markSession } from "./store.ts";

/** The bookmarks in `state.db`. */
export class SqliteBookmarkStore implements BookmarkStore {
  readonly #connection: StateConnection;

  constructor(connection: StateConnection) {
    this.#connection = connection;
  }

  async set(session: SessionIdentity, entryId: string, at: string | null): Promise<boolean> {
    return this.#connection.write((db) => {
      const sessionKey = markSession(db, session);
      if (at !== null) {
        const values = { sessionKey, entryId, createdAt: at };
        return db.insert(bookmarks).values(values).onConflictDoNothing().run().changes > 0;
      }
      const isIt = and(eq(bookmarks.sessionKey, sessionKey), eq(bookmarks.entryId, entryId));
      const { changes } = db.delete(bookmarks).where(isIt).run();
      forgetUnmarked(db, [sessionKey]);
      return changes > 0;
    });
  }

  async list(path: string | null): Promise<StoredBookmark[]> {
    return this.#connection.read((db) =>
      db
        .select({ path: markedSessions.path, entryId: bookmarks.entryId, createdAt: bookmarks.createdAt })
        .from(bookmarks)
        .innerJoin(markedSessions, eq(markedSessions.key, bookmarks.sessionKey))
        .where(path === null ? undefined : eq(markedSessions.path, path))
        // Those of a backup are added later than they were made.
        .orderBy(desc(bookmarks.createdAt), desc(bookmarks.key))
        .limit(MOST_BOOKMARKS)
        .all(),
    );
  }

  async paths(): Promise<string[]> {
    const rows = this.#connection.read((db) =>
      db
        .selectDistinct({ path: markedSessions.path })
        .from(bookmarks)
        .innerJoin(markedSessions, eq(markedSessions.key, bookmarks.sessionKey))
        .all(),
    );
    return rows.map(({ path }) => path);
  }
}
