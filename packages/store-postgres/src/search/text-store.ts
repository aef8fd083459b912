import { COMPONENTS, type NewChunk, type NewSegment, type RemoteTextStore } from "@sm/core/remote";
import { sql } from "drizzle-orm";
import type { Queries } from "../database/database.ts";

/** In one statement: half of what a packet of the network may have. */
const STATEMENT_BYTES = 2 * 1024 * 1024;

/** Writes one segment in the transaction of somebody. */
export class SegmentWriting implements RemoteTextStore {
  readonly #db: Queries;
  readonly #sharedProjectId: string | null;
  #id: number | null = null;

  /** @param sharedProjectId of the sessions whose texts are in it; `null`: they are private. */
  constructor(db: Queries, sharedProjectId: string | null) {
    this.#db = db;
    this.#sharedProjectId = sharedProjectId;
  }

  async storeChunks(chunks: readonly NewChunk[]): Promise<void> {
    const id = await this.#begun();
    for (const group of groupsOf(chunks)) {
      await this.#db.execute(sql`
        INSERT INTO text_chunks (segment_id, component, chunk, bytes)
        SELECT ${id}, component, chunk, bytes
        FROM unnest(${sql.param(group.map(({ component }) => COMPONENTS.indexOf(component)))}::smallint[],
          ${sql.param(group.map(({ chunk }) => chunk))}::integer[],
          ${sql.param(group.map(({ bytes }) => Buffer.from(bytes)))}::bytea[]) AS given (component, chunk, bytes)`);
    }
  }

  /** Stores the rest. @param superseded see `RemoteSegment`. */
  async complete({ documentCount, sizes, content, chunks }: NewSegment, superseded: readonly number[]): Promise<void> {
    if (chunks.length > 0) await this.storeChunks(chunks);
    const id = await this.#begun();
    const bytes = content === null ? null : Buffer.from(content);
    await this.#db.execute(sql`
      UPDATE text_segments SET documents = ${documentCount}, content = ${bytes},
        sizes = ${sql.param(COMPONENTS.map((component) => sizes[component]))}::bigint[],
        superseded = ${sql.param([...superseded])}::bigint[]
      WHERE id = ${id}`);
  }

  async #begun(): Promise<number> {
    if (this.#id === null) {
      const { rows } = await this.#db.execute<{ id: string }>(sql`
        INSERT INTO text_segments (documents, sizes, superseded, shared_project_id)
        VALUES (0, '{}', '{}', ${this.#sharedProjectId}) RETURNING id`);
      this.#id = Number(rows[0]?.id);
    }
    return this.#id;
  }
}

function* groupsOf(chunks: readonly NewChunk[]): Generator<NewChunk[]> {
  let group: NewChunk[] = [];
  let bytes = 0;
  for (const chunk of chunks) {
    group.push(chunk);
    bytes += chunk.bytes.length;
    if (bytes < STATEMENT_BYTES) continue;
    yield group;
    group = [];
    bytes = 0;
  }
  if (group.length > 0) yield group;
}
