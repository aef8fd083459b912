import type { LibraryLog } from "@sm/core/state";
import { PostgresDatabase } from "../database/database.ts";
import { ChunkCheck } from "../objects/chunk-check.ts";
import { ChunkObjects } from "../objects/chunk-objects.ts";
import { type ChunkStoreSettings, openObjectStore } from "../objects/open-store.ts";
import { Users } from "../state/users.ts";
import { type MovedChunks, moveChunks } from "./chunk-moving.ts";

/** Keys of objects whose bytes are lost, and how many the database does not know. */
interface CheckedChunks {
  lost: string[];
  damaged: string[];
  loose: number;
}

/** What whoever runs a hub does with the bytes that it keeps. */
export interface HubKeeping {
  /** Moves all bytes into the object store, or back. */
  move(to: "objects" | "database", onMoved: (moved: MovedChunks) => void): Promise<MovedChunks>;
  /** Compares the object store with the database; what is in no row is collected later where it is asked for. */
  check(options: { adopts: boolean }): Promise<CheckedChunks>;
}

/** Opens the bytes of a hub for `use`, whether or not one of its servers runs. Rejects as `PostgresDatabase.open` does. */
export async function withHubKeeping<Result>(
  { url, log, chunkStore }: { url: string; log: LibraryLog; chunkStore: ChunkStoreSettings },
  use: (keeping: HubKeeping) => Promise<Result>,
): Promise<Result> {
  const database = await PostgresDatabase.open({ url, log });
  const objects = new ChunkObjects(database, openObjectStore(chunkStore));
  try {
    await objects.check();
    return await use({
      move: (to, onMoved) => moveChunks(to, { database, objects, onMoved }),
      async check({ adopts }) {
        const check = new ChunkCheck(database, objects);
        const found: CheckedChunks = { lost: [], damaged: [], loose: 0 };
        for (const { id } of await new Users(database).list()) {
          const { lost, damaged, loose } = await check.ofUser(id);
          found.lost.push(...lost);
          found.damaged.push(...damaged);
          found.loose += loose.length;
          if (adopts) await check.adopt(id, loose);
        }
        return found;
      },
    });
  } finally {
    await database.close();
  }
}
