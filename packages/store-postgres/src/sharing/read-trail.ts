import { AppError } from "@sm/core";
import { sql } from "drizzle-orm";
import type { OthersSession } from "../catalog/others-session.ts";
import type { PostgresDatabase, Queries } from "../database/database.ts";

/** Within this time, a row is enough for who has read what of a session. */
const SLOT_MS = 10 * 60_000;
/** That are remembered, so that nothing is written for them again. */
const MOST_NOTED = 10_000;

/** Writes down what a user is given of others' sessions. */
export class ReadTrail {
  readonly #database: PostgresDatabase;
  readonly #userId: string;
  /** What was noted, and in which ten minutes. */
  readonly #noted = new Map<string, number>();

  constructor(database: PostgresDatabase, userId: string) {
    this.#database = database;
    this.#userId = userId;
  }

  /** Resolves when it is written. @param action the name of a command. */
  async note(sessions: readonly OthersSession[], action: string): Promise<void> {
    const slot = Math.floor(Date.now() / SLOT_MS);
    const nameOf = ({ ownerId, path }: OthersSession) => `${action} ${ownerId} ${path}`;
    const news = sessions.filter((session) => this.#noted.get(nameOf(session)) !== slot);
    if (news.length === 0) return;
    await this.#database.write(this.#userId, (db) =>
      db.execute(sql`
        INSERT INTO reads (owner_id, session_path, session_id, action)
        SELECT owner, path, id, ${action} FROM unnest(${sql.param(news.map(({ ownerId }) => ownerId))}::uuid[],
          ${sql.param(news.map(({ path }) => path))}::text[], ${sql.param(news.map(({ id }) => id))}::text[])
          AS read (owner, path, id)
        ON CONFLICT DO NOTHING`),
    );
    if (this.#noted.size > MOST_NOTED) this.#noted.clear();
    for (const session of news) this.#noted.set(nameOf(session), slot);
  }
}

export interface FoundReads {
  reads: {
    at: string;
    reader: string;
    owner: string;
    session_path: string;
    session_title: string | null;
    action: string;
  }[];
  next_cursor: string | null;
}

/** Newest first. @throws AppError INVALID_PAYLOAD for a cursor of another list. */
export async function readsPage(
  db: Queries,
  { limit, cursor, path }: { limit: number; cursor?: string | undefined; path?: string | undefined },
): Promise<FoundReads> {
  if (cursor !== undefined && !/^\d{1,18}$/.test(cursor)) {
    throw new AppError("INVALID_PAYLOAD", "This cursor is not one of list_reads.", {
      details: [{ path: "cursor", message: "Must be the next_cursor of the previous page." }],
    });
  }
  const { rows } = await db.execute<FoundReads["reads"][number] & { id: string }>(sql`
    SELECT r.id, r.at, coalesce(reader.name, '') AS reader, coalesce(owner.name, '') AS owner, r.session_path,
      s.title AS session_title, r.action
    FROM reads r LEFT JOIN users reader ON reader.id = r.user_id LEFT JOIN users owner ON owner.id = r.owner_id
    LEFT JOIN sessions s ON s.user_id = r.owner_id AND s.path = r.session_path AND s.removed_at IS NULL
    WHERE ${cursor === undefined ? sql`true` : sql`r.id < ${cursor}::bigint`}
      AND ${path === undefined ? sql`true` : sql`r.session_path = ${path}`}
    ORDER BY r.id DESC LIMIT ${limit + 1}`);
  const page = rows.slice(0, limit);
  return {
    reads: page.map(({ id: _, at, ...read }) => ({ ...read, at: new Date(at).toISOString() })),
    next_cursor: rows.length > limit ? (page.at(-1)?.id ?? null) : null,
  };
}
