import { AppError } from "@sm/core";
import { eq } from "drizzle-orm";
import type { Queries } from "../database/database.ts";
import { type ChunkObjects, nameObjects } from "../objects/chunk-objects.ts";
import { hashOf, pack } from "./packing.ts";
import { chunks, pieces } from "./schema.ts";

/** A packed chunk in an object that nobody names yet. */
export interface WrittenObject {
  object: string;
  quality: number;
  packedBytes: number;
}

/** Objects of one append, by the hash of the chunk as hexadecimal digits. */
export interface ObjectsOfAppend {
  written: ReadonlyMap<string, WrittenObject>;
  /** Contents that have to be written before the transaction can end. */
  missing: Map<string, Buffer>;
}

/** Writes the chunks of one transaction: into the database, or as the names of objects that were written before. */
export class ChunkWriting {
  readonly #objects: ObjectsOfAppend | null;
  readonly #named: string[] = [];

  /** @param objects `null`: chunks go into the database. */
  constructor(objects: ObjectsOfAppend | null) {
    this.#objects = objects;
  }

  /** Adds a chunk to a generation. One that there is already is not written again. */
  async put(db: Queries, generationKey: number, start: number, content: Buffer): Promise<void> {
    const hash = hashOf(content);
    const size = content.length;
    if (!(await isKept(db, hash))) {
      const row = await this.#rowOf(hash, content);
      if (row === null) return;
      const added = await db
        .insert(chunks)
        .values({ hash, size, ...row })
        .onConflictDoNothing()
        .returning({ object: chunks.object });
      // Where another transaction was quicker, its bytes count.
      for (const { object } of added) if (object !== null) this.#named.push(object);
    }
    await db.insert(pieces).values({ generationKey, start, size, hash });
  }

  /** @throws AppError `UNAVAILABLE` where objects are missing, which ends the transaction. */
  async end(db: Queries): Promise<void> {
    if ((this.#objects?.missing.size ?? 0) > 0) throw new AppError("UNAVAILABLE", "Objects are to be written first.");
    await nameObjects(db, this.#named);
  }

  async #rowOf(hash: Buffer, content: Buffer) {
    if (this.#objects === null) return pack(content);
    const name = hash.toString("hex");
    const written = this.#objects.written.get(name);
    if (written !== undefined) return { ...written, packed: null };
    this.#objects.missing.set(name, content);
    return null;
  }
}

/** Packs chunks and writes them into objects; gives these by the hash of the chunk. */
export async function writeObjects(
  objects: ChunkObjects,
  userId: string,
  contents: ReadonlyMap<string, Buffer>,
): Promise<[string, WrittenObject][]> {
  const packed = await Promise.all([...contents].map(async ([hash, content]) => ({ hash, ...(await pack(content)) })));
  const names = await objects.put(
    userId,
    packed.map(({ hash, packed: bytes }) => ({ hash, bytes })),
  );
  return packed.map(({ hash, quality, packed: bytes }, place) => [
    hash,
    { object: names[place] ?? "", quality, packedBytes: bytes.length },
  ]);
}

/** One that is there is not removed before the end of the transaction. */
async function isKept(db: Queries, hash: Buffer): Promise<boolean> {
  const found = await db.select({ size: chunks.size }).from(chunks).where(eq(chunks.hash, hash)).for("key share");
  return found.length > 0;
}
