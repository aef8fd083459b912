import { setImmediate as turn } from "node:timers/promises";
import { and, desc, eq, lt } from "drizzle-orm";
import type { Note } from "../../notes.ts";
import type { StateConnection } from "./connection.ts";
import type { NoteStore, SessionIdentity } from "./ports.ts";
import { markedSessions, notes } from "./schema.ts";
import { forgetUnmarked, markSession } from "./store.ts";

/** Notes that are read at once: of the longest, half a megabyte. */
const NOTES_AT_ONCE = 25;

const COLUMNS = {
  key: notes.key,
  path: markedSessions.path,
  entryId: notes.entryId,
  text: notes.text,
  updatedAt: notes.updatedAt,
};

/** The notes in `state.db`. */
export class SqliteNoteStore implements NoteStore {
  readonly #connection: StateConnection;

  constructor(connection: StateConnection) {
    this.#connection = connection;
  }

  async set(session: SessionIdentity, entryId: string | null, text: string, at: string): Promise<void> {
    this.#connection.write((db) => {
      const sessionKey = markSession(db, session);
      const isSame = and(eq(notes.sessionKey, sessionKey), eq(notes.entryId, entryId ?? ""));
      db.delete(notes).where(isSame).run();
      if (text === "") forgetUnmarked(db, [sessionKey]);
      else
        db.insert(notes)
          .values({ sessionKey, entryId: entryId ?? "", text, updatedAt: at })
          .run();
    });
  }

  async *pages(path: string | null): AsyncGenerator<Note[], void> {
    for (let before = Number.MAX_SAFE_INTEGER; ; ) {
      const rows = this.#connection.read((db) =>
        db
          .select(COLUMNS)
          .from(notes)
          .innerJoin(markedSessions, eq(markedSessions.key, notes.sessionKey))
          .where(and(lt(notes.key, before), path === null ? undefined : eq(markedSessions.path, path)))
          .orderBy(desc(notes.key))
          .limit(NOTES_AT_ONCE)
          .all(),
      );
      if (rows.length > 0) yield rows.map(noteOf);
      const last = rows.at(-1);
      if (last === undefined || rows.length < NOTES_AT_ONCE) return;
      before = last.key;
      await turn();
    }
  }

  async paths(): Promise<string[]> {
    const rows = this.#connection.read((db) =>
      db
        .selectDistinct({ path: markedSessions.path })
        .from(notes)
        .innerJoin(markedSessions, eq(markedSessions.key, notes.sessionKey))
        .all(),
    );
    return rows.map(({ path }) => path);
  }
}

interface NoteRow {
  path: string;
  entryId: string;
  text: string;
  updatedAt: string;
}

function noteOf({ path, entryId, text, updatedAt }: NoteRow): Note {
  return { path, entry_id: entryId === "" ? null : entryId, text, updated_at: updatedAt };
}
