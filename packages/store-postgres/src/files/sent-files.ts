import { AppError } from "@sm/core";
import { CHUNK_WINDOW_BYTES, chunkEnd } from "@sm/core/vault-chunks";
import { and, asc, eq, isNotNull, isNull, sql } from "drizzle-orm";
import type { PostgresDatabase, Queries } from "../database/database.ts";
import { type ChunkObjects, NO_OBJECTS } from "../objects/chunk-objects.ts";
import { ChunkWriting, type WrittenObject, writeObjects } from "./chunk-writing.ts";
import { requestIndexing, requestSessions } from "./index-requests.ts";
import { pack, unpack } from "./packing.ts";
import { type Asking, partsAround } from "./parts.ts";
import { generations, sessionFiles, tails } from "./schema.ts";

/** A file of a machine, and the state of it that only grew. */
export interface SentFile {
  machineId: string;
  path: string;
  /** The session that a companion belongs to; `null` for sessions. */
  ownerPath: string | null;
  format: string | null;
  sessionId: string | null;
  /** Permission bits. */
  mode: number;
  /** A UUID that the machine has given to this state: another one where the file did not only grow. */
  generation: string;
}

export interface SentBytes {
  /** Where they are in the file. */
  offset: number;
  bytes: Uint8Array;
  /** Of the whole file when they were read: from then on the generation can be read. */
  size: number;
  /** When the file was written, in milliseconds since 1970; default: when the bytes come. */
  modifiedAt?: number;
}

/** Bytes before those that were sent are not there. */
export class MissingBytes extends AppError {
  /** How many there are: the next ones begin there. */
  readonly bytes: number;

  constructor(path: string, bytes: number) {
    super("CONFLICT", `Bytes of ${path} before these are missing; send those from ${bytes} on.`);
    this.bytes = bytes;
  }
}

/** More rows of a tail become one: each costs a look when it is read. */
const MOST_TAIL_ROWS = 64;

/** The bytes that the machines of one user have sent. */
export class SentFiles {
  readonly #database: PostgresDatabase;
  readonly userId: string;
  readonly #objects: ChunkObjects | null;

  /** @param objects where chunks are kept from now on; `null`: in the database. */
  constructor(database: PostgresDatabase, userId: string, objects: ChunkObjects | null = null) {
    this.#database = database;
    this.userId = userId;
    this.#objects = objects;
  }

  /** Takes note of a machine, or of its new name, and that it was heard of. */
  async machine(id: string, name: string): Promise<void> {
    await this.#database.write(this.userId, (db) =>
      db.execute(sql`
        INSERT INTO machines (id, name) VALUES (${id}, ${name})
        ON CONFLICT (user_id, id) DO UPDATE SET name = excluded.name, last_seen_at = now()`),
    );
  }

  /** How many bytes there are of each of these generations, 0 for unknown ones. */
  async known(ids: readonly string[]): Promise<Map<string, number>> {
    const found = await this.#database.read(this.userId, (db) =>
      db
        .select({ id: generations.id, bytes: generations.bytes })
        .from(generations)
        .where(sql`${generations.id} = ANY (${sql.param([...ids])}::uuid[])`),
    );
    return new Map(found.map(({ id, bytes }) => [id, bytes]));
  }

  /**
   * Adds bytes to a generation, and gives how many it has then. What it has already is left out, so that whoever did not
   * hear the answer may send the same again.
   *
   * Rejects with MissingBytes where there is a gap, with AppError `CONFLICT` for a generation of another file, and
   * `UNAVAILABLE` where an object store does not answer.
   */
  async append(file: SentFile, sent: SentBytes): Promise<number> {
    const written = new Map<string, WrittenObject>();
    for (;;) {
      const missing = new Map<string, Buffer>();
      try {
        return await this.#append(file, sent, new ChunkWriting(this.#objects === null ? null : { written, missing }));
      } catch (error) {
        // Objects are written while no transaction waits for them: then the same is tried again.
        if (this.#objects === null || missing.size === 0) throw error;
        for (const [hash, object] of await writeObjects(this.#objects, this.userId, missing)) written.set(hash, object);
      }
    }
  }

  #append(file: SentFile, sent: SentBytes, chunkWriting: ChunkWriting): Promise<number> {
    return this.#database.write(
      this.userId,
      async (db) => {
        const fileKey = await keyOfFile(db, file);
        let generation = await lockedGeneration(db, fileKey, file.generation);
        if (generation.emptiedAt !== null) {
          // Nothing is sent again that is kept no longer; who goes on with it sends all of it.
          if (sent.size <= generation.bytes) return generation.bytes;
          if (sent.offset > 0) throw new MissingBytes(file.path, 0);
          generation = await beginAgain(db, fileKey, generation);
        }
        const { key, bytes, chunked } = generation;
        if (sent.offset > bytes) throw new MissingBytes(file.path, bytes);
        const added = Buffer.from(sent.bytes.buffer, sent.bytes.byteOffset, sent.bytes.byteLength).subarray(
          bytes - sent.offset,
        );
        const end = bytes + added.length;
        const cut = added.length === 0 ? chunked : await addBytes(db, { key, bytes, chunked }, added, chunkWriting);
        const isComplete = generation.state === 1 || end >= sent.size;
        if (generation.state === 0 && isComplete) await replaceCurrent(db, fileKey);
        await db
          .update(generations)
          .set({
            bytes: end,
            chunked: cut,
            keptAt: sql`now()`,
            modifiedAt: sent.modifiedAt ?? null,
            state: isComplete ? 1 : 0,
          })
          .where(eq(generations.key, key));
        if (added.length > 0) await keepOn(db, fileKey);
        const isNews = isComplete && (added.length > 0 || generation.state === 0);
        if (isNews && file.ownerPath === null) await requestIndexing(db, fileKey, generation.state === 1);
        return end;
      },
      { byKeys: true },
    );
  }

  /** The newest state of a file that can be read; `null` where there is none. */
  async current(machineId: string, path: string): Promise<{ generation: string; bytes: number } | null> {
    const [found] = await this.#database.read(this.userId, (db) =>
      db
        .select({ generation: generations.id, bytes: generations.bytes })
        .from(generations)
        .innerJoin(sessionFiles, eq(sessionFiles.key, generations.fileKey))
        .where(
          and(
            eq(sessionFiles.machineId, machineId),
            eq(sessionFiles.path, path),
            eq(generations.state, 1),
            isNull(generations.replacedAt),
          ),
        ),
    );
    return found ?? null;
  }

  /** Reads bytes of a generation, fewer at its end. Rejects with AppError `UNAVAILABLE` where they are damaged. */
  async read(id: string, offset: number, length: number): Promise<Buffer> {
    const ask: Asking = (query) => this.#database.read(this.userId, query);
    const [generation] = await ask((db) => db.select().from(generations).where(eq(generations.id, id)));
    if (generation === undefined) throw new AppError("NOT_FOUND", "There is no such state of a file.");
    const end = Math.min(generation.bytes, offset + length);
    const range = { generationKey: generation.key, offset, end };
    const { start, bytes } = await partsAround(ask, this.#objects ?? NO_OBJECTS, range);
    return bytes.subarray(offset - start, Math.max(offset, end) - start);
  }
}

/** Puts bytes behind those that there are; gives how many are in chunks then. */
async function addBytes(
  db: Queries,
  { key, bytes, chunked }: { key: number; bytes: number; chunked: number },
  added: Buffer,
  chunkWriting: ChunkWriting,
): Promise<number> {
  const tail = await db
    .select({ start: tails.start, size: tails.size, quality: tails.quality, packed: tails.packed })
    .from(tails)
    .where(eq(tails.generationKey, key))
    .orderBy(asc(tails.start));
  const isShort = bytes - chunked + added.length < CHUNK_WINDOW_BYTES;
  if (isShort && tail.length < MOST_TAIL_ROWS) {
    await db.insert(tails).values({ generationKey: key, start: bytes, size: added.length, ...(await pack(added)) });
    return chunked;
  }
  const before = await Promise.all(tail.map((row) => unpack(row, row.size)));
  const content = Buffer.concat([...before, added]);
  await db.delete(tails).where(eq(tails.generationKey, key));
  let cut = 0;
  for (;;) {
    const end = chunkEnd(content.subarray(cut, cut + CHUNK_WINDOW_BYTES));
    if (end === null) break;
    await chunkWriting.put(db, key, chunked + cut, content.subarray(cut, cut + end));
    cut += end;
  }
  await chunkWriting.end(db);
  const rest = content.subarray(cut);
  if (rest.length > 0) {
    const values = { generationKey: key, start: chunked + cut, size: rest.length };
    await db.insert(tails).values({ ...values, ...(await pack(rest)) });
  }
  return chunked + cut;
}

async function keyOfFile(db: Queries, file: SentFile): Promise<number> {
  const { machineId, path, ownerPath, format, sessionId, mode } = file;
  const { rows } = await db.execute<{ key: string }>(sql`
    INSERT INTO session_files (machine_id, path, owner_path, format, session_id, mode)
    VALUES (${machineId}, ${path}, ${ownerPath}, ${format}, ${sessionId}, ${mode})
    ON CONFLICT (user_id, machine_id, path) DO UPDATE SET owner_path = excluded.owner_path, format = excluded.format,
      session_id = excluded.session_id, mode = excluded.mode
    RETURNING key`);
  return Number(rows[0]?.key);
}

/** Others that add to the same generation wait until the end of the transaction. */
async function lockedGeneration(db: Queries, fileKey: number, id: string) {
  await db.insert(generations).values({ fileKey, id }).onConflictDoNothing();
  const [row] = await db.select().from(generations).where(eq(generations.id, id)).for("update");
  if (row === undefined || row.fileKey !== fileKey) {
    throw new AppError("CONFLICT", "This state is that of another file; give each state an id of its own.");
  }
  return row;
}

type Generation = Awaited<ReturnType<typeof lockedGeneration>>;

/** A state whose bytes are gone has none, and neither has what went with it: their machines send them again. */
async function beginAgain(db: Queries, fileKey: number, generation: Generation): Promise<Generation> {
  await db.execute(sql`
    DELETE FROM generations g USING session_files f, session_files own
    WHERE own.user_id = own_user_id() AND own.key = ${fileKey} AND f.user_id = own.user_id
      AND f.expired_with = own.expired_with AND f.key <> own.key
      AND g.user_id = f.user_id AND g.file_key = f.key AND g.emptied_at IS NOT NULL`);
  const anew = { bytes: 0, chunked: 0, state: 0, emptiedAt: null };
  await db.update(generations).set(anew).where(eq(generations.key, generation.key));
  return { ...generation, ...anew };
}

/** Somebody goes on with a session whose time was over, before its bytes were gone: it comes back with what went with it. */
async function keepOn(db: Queries, fileKey: number): Promise<void> {
  const { rows } = await db.execute<{ key: string; owner_path: string | null }>(sql`
    UPDATE session_files f SET expired_at = NULL,
      deleted_at = CASE WHEN f.deleted_at = f.expired_at THEN NULL ELSE f.deleted_at END
    FROM session_files own
    WHERE own.user_id = own_user_id() AND own.key = ${fileKey} AND own.expired_at IS NOT NULL
      AND f.user_id = own.user_id AND f.expired_with = own.expired_with AND f.expired_at IS NOT NULL
    RETURNING f.key, f.owner_path`);
  await requestSessions(db, rows);
}

async function replaceCurrent(db: Queries, fileKey: number): Promise<void> {
  // It was deleted, and is there again.
  await db
    .update(sessionFiles)
    .set({ deletedAt: null })
    .where(and(eq(sessionFiles.key, fileKey), isNotNull(sessionFiles.deletedAt)));
  await db
    .update(generations)
    .set({ replacedAt: sql`now()` })
    .where(and(eq(generations.fileKey, fileKey), eq(generations.state, 1), isNull(generations.replacedAt)));
}
