import { setTimeout as delay } from "node:timers/promises";
import { COMPONENTS, type NewSegment, type RemoteTasks, remoteSegmentsToMerge, type Thread } from "@sm/core/remote";
import type { LibraryLog } from "@sm/core/state";
import { sql } from "drizzle-orm";
import { newIndexingThread } from "../catalog/indexing-thread.ts";
import type { PostgresDatabase } from "../database/database.ts";
import { LOCKS } from "../database/locks.ts";
import { threadSource } from "../database/thread-source.ts";
import { whileUserLocked } from "../database/user-lock.ts";
import { StoredTexts } from "./stored-texts.ts";
import { SegmentWriting } from "./text-store.ts";

/** The room of fewer bytes is left to PostgreSQL's own vacuum. */
const BYTES_TO_VACUUM = 4 * 1024 * 1024;
/** The next merge waits so long, in steps, for transactions that still see what the one before has replaced. */
const MOST_WAITING_MS = 10_000;
const WAITING_MS = 100;

export interface TextMergingOptions {
  database: PostgresDatabase;
  log: LibraryLog;
  /** Default: one of its own. */
  thread?: Pick<Thread<RemoteTasks>, "run" | "stop">;
}

/** Keeps the segments of users few and free of dead documents, beside other servers that do so. */
export class TextMerging {
  readonly #database: PostgresDatabase;
  readonly #log: LibraryLog;
  readonly #thread: Pick<Thread<RemoteTasks>, "run" | "stop">;
  readonly #closing = new AbortController();
  /** Users whose segments are to be looked at, and whether there may be dead documents. */
  readonly #due = new Map<string, { worn: boolean }>();
  #running: Promise<void> | null = null;
  /** What merges have replaced since the last vacuum: about as many bytes as they have written, and the last one of them. */
  #left = { bytes: 0, transaction: "" };

  // Nobody waits for it, and searches do for the processor.
  constructor({ database, log, thread = newIndexingThread({ isBackground: true }) }: TextMergingOptions) {
    this.#database = database;
    this.#log = log;
    this.#thread = thread;
  }

  /** Looks at the segments of a user when there is time. @param worn whether sessions were removed. */
  due(userId: string, { worn = false } = {}): void {
    if (this.#closing.signal.aborted) return;
    this.#due.set(userId, { worn: worn || this.#due.get(userId)?.worn === true });
    this.#running ??= this.#run().finally(() => {
      this.#running = null;
    });
  }

  /** Gives up the merge that is under way: nothing has happened then. */
  async close(): Promise<void> {
    this.#closing.abort();
    this.#due.clear();
    await this.#thread.stop();
    await this.#running;
  }

  async #run(): Promise<void> {
    for (const [userId, options] of this.#due) {
      this.#due.delete(userId);
      try {
        // Others that are due come first.
        if (await this.merge(userId, options)) this.due(userId, options);
      } catch (error) {
        if (!this.#closing.signal.aborted) this.#log.warn({ err: error }, "Could not merge a text index");
      }
    }
  }

  /**
   * Merges some segments of a user, if that is due, and makes the room of those before usable again. No other server merges
   * any of this user meanwhile: its merge would find that room still taken. Others search and write.
   *
   * @param worn whether sessions were removed: then there may be segments with many dead documents.
   * @returns whether there may be more to merge.
   */
  async merge(userId: string, { worn = false } = {}): Promise<boolean> {
    const projects = await this.#dueProjects(userId, worn);
    if (projects.length === 0) return false;
    const isMerged = await whileUserLocked(this.#database, userId, LOCKS.merging, async () => {
      let isAny = false;
      for (const project of projects) {
        if (await this.#mergeProject(userId, project, worn)) isAny = true;
        await this.#reuseRoom();
      }
      return isAny;
    });
    return isMerged === true;
  }

  /** @param project whose texts are merged with no others; `null`: those of private sessions. */
  async #mergeProject(userId: string, project: string | null, worn: boolean): Promise<boolean> {
    const merged = await this.#database.write(
      userId,
      async (db) => {
        const texts = new StoredTexts(async () => db, { project });
        const writing = new SegmentWriting(db, project);
        const source = threadSource({
          textState: texts.textState.bind(texts),
          textBytes: texts.textBytes.bind(texts),
          storeChunks: writing.storeChunks.bind(writing),
        });
        const { signal } = this.#closing;
        const { replaced, segment, superseded } = await this.#thread.run("mergeTexts", { worn }, { source, signal });
        if (replaced.length === 0) return null;
        if (segment !== null) await writing.complete(segment, superseded);
        const { rowCount } = await db.execute(
          sql`DELETE FROM text_segments WHERE id = ANY (${sql.param(replaced)}::bigint[])`,
        );
        // The connection with the lock was lost, and another server was quicker: its segment has these texts.
        if (rowCount !== replaced.length) throw new Error("Segments of a text index were merged by somebody else.");
        const { rows } = await db.execute<{ id: string }>(sql`SELECT pg_current_xact_id()::xid AS id`);
        return { bytes: bytesOf(segment), transaction: rows[0]?.id ?? "" };
      },
      { byKeys: true },
    );
    if (merged === null) return false;
    this.#left = { ...merged, bytes: this.#left.bytes + merged.bytes };
    return true;
  }

  /**
   * The next merge needs as much room as those before it have left behind. As long as transactions that had begun before
   * may still see what is gone, a vacuum frees nothing: with 1 GB that was sent at once, the table became 1.6 times as large
   * as what is in it.
   */
  async #reuseRoom(): Promise<void> {
    const { bytes, transaction } = this.#left;
    if (bytes < BYTES_TO_VACUUM) return;
    const { signal } = this.#closing;
    for (let waited = 0; waited < MOST_WAITING_MS; waited += WAITING_MS) {
      if (await this.#database.isSeenByAll(transaction)) break;
      await delay(WAITING_MS, undefined, { signal, ref: false });
    }
    this.#left = { bytes: 0, transaction: "" };
    await this.#database.vacuum("text_chunks");
  }

  /** The shared projects, `null` for private sessions, with something to merge: a look at sizes and no more. */
  async #dueProjects(userId: string, worn: boolean): Promise<(string | null)[]> {
    const { rows } = await this.#database.read(userId, (db) =>
      db.execute<{ project: string | null; bytes: string }>(sql`
        SELECT shared_project_id AS project, (SELECT sum(size) FROM unnest(sizes) AS size) AS bytes FROM text_segments`),
    );
    const projects = [...new Set(rows.map(({ project }) => project))];
    if (worn) return projects;
    return projects.filter((project) => {
      const segments = rows.filter((row) => row.project === project).map(({ bytes }) => ({ bytes: Number(bytes) }));
      return remoteSegmentsToMerge(segments).length > 0;
    });
  }
}

function bytesOf(segment: NewSegment | null): number {
  return segment === null ? 0 : COMPONENTS.reduce((sum, component) => sum + segment.sizes[component], 0);
}
