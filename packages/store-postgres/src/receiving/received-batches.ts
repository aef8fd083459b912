import {
  AppError,
  type BatchAnswer,
  type BytesFrame,
  CHANGE_KINDS,
  type FrameResult,
  type FrameWithBytes,
  type HubService,
} from "@sm/core";
import { sql } from "drizzle-orm";
import type { PostgresDatabase } from "../database/database.ts";
import { MissingBytes, type SentBytes, SentFiles } from "../files/sent-files.ts";
import type { ChunkObjects } from "../objects/chunk-objects.ts";
import { UserConnection } from "../state/user-connection.ts";
import { applyChanges } from "./changes.ts";

export interface ReceivedBatchesOptions {
  database: PostgresDatabase;
  /** Whose token it is; `null` for somebody who may not send. */
  userOf(tokenId: string): string | null;
  /** Where chunks are kept; default: in the database. */
  objects?: ChunkObjects | null;
}

/** Few of the connections of the process: others read meanwhile. */
const FILES_AT_ONCE = 3;
/** When a machine was heard of need not be known by the second. */
const HEARD_MS = 60_000;
/** Errors that the same frame would meet again. */
const REFUSALS: ReadonlySet<string> = new Set(["CONFLICT", "INVALID_PAYLOAD", "INVALID_REQUEST"]);

/** Takes what machines send, for all users. */
export class ReceivedBatches implements HubService {
  readonly #database: PostgresDatabase;
  readonly #userOf: ReceivedBatchesOptions["userOf"];
  readonly #objects: ChunkObjects | null;
  #hubId: string | null = null;
  /** Machines that were heard of, and when. */
  readonly #heard = new Map<string, number>();

  constructor({ database, userOf, objects = null }: ReceivedBatchesOptions) {
    this.#database = database;
    this.#objects = objects;
    this.#userOf = userOf;
  }

  async receive(
    tokenId: string | null,
    { machine, frames }: Parameters<HubService["receive"]>[1],
  ): Promise<BatchAnswer> {
    const userId = tokenId === null ? null : this.#userOf(tokenId);
    if (userId === null)
      throw new AppError("FORBIDDEN", "Send sessions with an API token of a user who may send them.");
    const files = new SentFiles(this.#database, userId, this.#objects);
    await this.#hear(files, machine);
    const results = new Array<FrameResult>(frames.length);
    // In order for each file, and changes before the files that follow them.
    const waiting = frames.map((frame, place) => ({ ...frame, place }));
    while (waiting.length > 0) {
      const together = nextTogether(waiting);
      await inParallel(together, async ({ frame, bytes, place }) => {
        results[place] = await this.#take(files, machine.id, { frame, bytes });
      });
    }
    return { hub_id: await this.#id(userId), results, change_kinds: CHANGE_KINDS };
  }

  async #take(files: SentFiles, machineId: string, { frame, bytes }: FrameWithBytes): Promise<FrameResult> {
    try {
      switch (frame.kind) {
        case "bytes":
          return { bytes: await files.append(sentFile(machineId, frame), sentBytes(frame, bytes)) };
        case "known": {
          const known = await files.known(frame.generations);
          return { known: frame.generations.map((generation) => known.get(generation) ?? 0) };
        }
        case "changes": {
          const connection = new UserConnection(this.#database, files.userId);
          return { changed: await connection.write((db) => applyChanges(db, machineId, frame.changes)) };
        }
      }
    } catch (error) {
      if (error instanceof MissingBytes) return { refused: error.message, bytes: error.bytes };
      if (error instanceof AppError && REFUSALS.has(error.code)) return { refused: error.message, bytes: null };
      // Of a database that was replaced, machines have to be made known again.
      this.#heard.clear();
      throw error;
    }
  }

  async #hear(files: SentFiles, { id, name }: { id: string; name: string }): Promise<void> {
    const key = `${files.userId} ${id} ${name}`;
    const now = performance.now();
    if (now - (this.#heard.get(key) ?? Number.NEGATIVE_INFINITY) < HEARD_MS) return;
    await files.machine(id, name);
    this.#heard.set(key, now);
  }

  async #id(userId: string): Promise<string> {
    if (this.#hubId !== null) return this.#hubId;
    const { rows } = await this.#database.read(userId, (db) => db.execute<{ id: string }>(sql`SELECT id FROM hub`));
    this.#hubId = rows[0]?.id ?? "";
    return this.#hubId;
  }
}

/** PostgreSQL indexes them. */
const MOST_PATH_BYTES = 2_000;

/** @throws AppError `INVALID_PAYLOAD` for what cannot be kept. */
function sentFile(machineId: string, { path, owner_path, format, session_id, mode, generation }: BytesFrame) {
  if (Buffer.byteLength(path) > MOST_PATH_BYTES) {
    throw new AppError("INVALID_PAYLOAD", `A hub keeps paths of up to ${MOST_PATH_BYTES} bytes.`);
  }
  return { machineId, path, ownerPath: owner_path, format, sessionId: session_id, mode, generation };
}

function sentBytes({ offset, size, modified_at: modifiedAt }: BytesFrame, bytes: Uint8Array): SentBytes {
  return { offset, bytes, size, modifiedAt };
}

type Placed = FrameWithBytes & { place: number };

/** Takes frames out that depend on none of each other: bytes of different files, or one of another kind. */
function nextTogether(waiting: Placed[]): Placed[] {
  const paths = new Set<string>();
  let count = 0;
  for (const { frame } of waiting) {
    if (frame.kind !== "bytes" || paths.has(frame.path)) break;
    paths.add(frame.path);
    count++;
  }
  return waiting.splice(0, Math.max(1, count));
}

/** All have ended when it does, also where one has failed. */
async function inParallel<Item>(items: readonly Item[], action: (item: Item) => Promise<void>): Promise<void> {
  const left = [...items];
  const work = async () => {
    for (let item = left.shift(); item !== undefined; item = left.shift()) await action(item);
  };
  const outcomes = await Promise.allSettled(Array.from({ length: Math.min(FILES_AT_ONCE, items.length) }, work));
  for (const outcome of outcomes) if (outcome.status === "rejected") throw outcome.reason;
}
