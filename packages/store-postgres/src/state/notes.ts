import type { Note } from "@sm/core";
import type { NoteStore, SessionIdentity } from "@sm/core/state";
import { and, desc, eq, lt, sql } from "drizzle-orm";
import { forgetUnmarked, isPathOf, markSession } from "./marked.ts";
import { markedSessions, notes } from "./schema.ts";
import { storable, type UserConnection } from "./user-connection.ts";

/** Notes that are read at once: of the longest, half a megabyte. */
const NOTES_AT_ONCE = 25;

/** The notes of one user. */
export class PostgresNotes implements NoteStore {
  readonly #connection: UserConnection;

  constructor(connection: UserConnection) {
    this.#connection = connection;
  }

  set(session: SessionIdentity, entryId: string | null, text: string, at: string): Promise<void> {
    return this.#connection.write(async (db) => {
      const sessionKey = await markSession(db, session);
      const isSame = sql`${notes.entryId} IS NOT DISTINCT FROM ${entryId}`;
      await db.delete(notes).where(and(eq(notes.sessionKey, sessionKey), isSame));
      if (text === "") await forgetUnmarked(db, [sessionKey]);
      else await db.insert(notes).values({ sessionKey, entryId, text: storable(text), updatedAt: at });
    });
  }

  async *pages(path: string | null): AsyncGenerator<Note[], void> {
    for (let before = Number.MAX_SAFE_INTEGER; ; ) {
      const rows = await this.#connection.read((db) =>
        db
          .select({
            sequence: notes.sequence,
            path: markedSessions.path,
            entry_id: notes.entryId,
            text: notes.text,
            updated_at: notes.updatedAt,
          })
          .from(notes)
          .innerJoin(markedSessions, eq(markedSessions.key, notes.sessionKey))
          .where(and(lt(notes.sequence, before), path === null ? undefined : isPathOf([path])))
          .orderBy(desc(notes.sequence))
          .limit(NOTES_AT_ONCE),
      );
      const last = rows.at(-1);
      if (last === undefined) return;
      yield rows.map(({ sequence, ...note }) => note);
      if (rows.length < NOTES_AT_ONCE) return;
      before = last.sequence;
    }
  }

  async paths(): Promise<string[]> {
    const rows = await this.#connection.read((db) =>
      db
        .selectDistinct({ path: markedSessions.path })
        .from(notes)
        .innerJoin(markedSessions, eq(markedSessions.key, notes.sessionKey)),
    );
    return rows.map(({ path }) => path);
  }
}
