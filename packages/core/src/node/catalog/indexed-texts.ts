import { and, eq, lt, sql } from "drizzle-orm";
import { work } from "../session-file/work.ts";
import type { QueryBuilder } from "../storage/queries.ts";
import type { SqliteDatabase } from "../storage/sqlite.ts";
import type { CatalogWrites } from "./catalog-writes.ts";
import type { SessionKey } from "./found-files.ts";
import { contents, dropped, files } from "./index-schema.ts";
import type { KnownFile } from "./known-file.ts";

/** A session with text that is not searchable yet. */
export interface UnindexedSession extends SessionKey {
  shard: number;
  /** Estimated, of the text. */
  bytes: number;
}

/** What the catalog knows of the text databases: the text they have, are to get, and have of contents that are gone. */
export class IndexedTexts {
  readonly #client: SqliteDatabase;
  readonly #db: QueryBuilder;
  readonly #writes: () => Pick<CatalogWrites, "markIndexed">;

  /** @param writes asked for when something is written. */
  constructor(client: SqliteDatabase, db: QueryBuilder, writes: () => Pick<CatalogWrites, "markIndexed">) {
    this.#client = client;
    this.#db = db;
    this.#writes = writes;
  }

  /** Keys of contents that are gone, and whose text is still in a text database. */
  droppedKeys(shard: number): number[] {
    return this.#db
      .select({ key: dropped.key })
      .from(dropped)
      .where(eq(dropped.shard, shard))
      .all()
      .map((row) => row.key);
  }

  /** Text databases with such keys. */
  droppedShards(): number[] {
    return this.#db
      .selectDistinct({ shard: dropped.shard })
      .from(dropped)
      .all()
      .map((row) => row.shard);
  }

  /** Forgets such keys: their text has left. */
  swept(keys: number[]): void {
    for (const key of keys) this.#db.delete(dropped).where(eq(dropped.key, key)).run();
  }

  /** Takes note of how many entries of contents are searchable; those that are gone meanwhile are left out. */
  markIndexed(texts: readonly { key: number; entries: number }[]): void {
    if (texts.length === 0) return;
    const { changes } = this.#writes().markIndexed.run(JSON.stringify(texts.map(({ key, entries }) => [key, entries])));
    work.rowsWritten += changes;
  }

  /** Sessions with text that is not searchable yet, newest first. */
  unindexed(): UnindexedSession[] {
    const { key, path, shard, size, entryCount, indexedCount } = files;
    const rows = this.#db
      .select({ key, path, shard, size, entryCount, indexedCount })
      .from(files)
      .where(and(eq(files.status, "session"), lt(files.indexedCount, files.entryCount)))
      .orderBy(sql`${files.modifiedAt} DESC`)
      .all();
    return rows.map((row) => ({
      key: row.key,
      path: row.path,
      shard: row.shard,
      bytes: unindexedBytes(row, row.size),
    }));
  }

  /** Of which of these contents there is still a session, perhaps away: one query, which a merge asks for each segment. */
  sessionKeys(keys: Iterable<number>): ReadonlySet<number> {
    const statement = this.#client.prepare<[string], number>(SESSION_KEYS_SQL).pluck();
    return new Set(statement.all(JSON.stringify([...new Set(keys)])));
  }

  /** Bytes of sessions by text database, so that new ones go where there are fewer. */
  shardBytes(shards: number): number[] {
    const bytes = new Array<number>(shards).fill(0);
    for (const row of this.#db.select().from(contents).all()) bytes[row.shard] = row.bytes;
    return bytes;
  }
}

/** Estimates the bytes of a session that are not searchable yet; 0 where all are. */
export function unindexedBytes(
  { entryCount, indexedCount }: Pick<KnownFile, "entryCount" | "indexedCount">,
  size: number,
): number {
  return entryCount === 0 ? 0 : Math.ceil((size * Math.max(0, entryCount - indexedCount)) / entryCount);
}

const SESSION_KEYS_SQL = `
SELECT key FROM files WHERE key IN (SELECT value FROM json_each(?)) AND +status IN ('session', 'away')`;
