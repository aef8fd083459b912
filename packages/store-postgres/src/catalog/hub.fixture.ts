import { randomUUID } from "node:crypto";
import { statSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { setTimeout as delay } from "node:timers/promises";
import { hubPath, type SessionRecord } from "@sm/core";
import { PriceList, type RemoteReader, RemoteReaders } from "@sm/core/remote";
import { eq, sql } from "drizzle-orm";
import { PostgresDatabase } from "../database/database.ts";
import { SentFiles } from "../files/sent-files.ts";
import { Users } from "../state/users.ts";
import { CatalogSessions } from "./catalog-sessions.ts";
import { HubIndexer, type HubIndexerOptions } from "./hub-indexer.ts";
import { changes, sessions } from "./schema.ts";
import { sessionRecords } from "./session-records.ts";

export const log = { info: () => {}, warn: () => {}, error: () => {} };

/** One user's machine at a hub, with as many servers as are opened. */
export class TestHub {
  readonly url: string;
  readonly machineId = randomUUID();
  readonly database: PostgresDatabase;
  readonly userId: string;
  readonly files: SentFiles;
  /** Bytes that were read for threads. */
  readonly reads: number[] = [];
  readonly reader: RemoteReader;
  readonly #readers = new RemoteReaders(100);
  readonly #indexers: HubIndexer[] = [];
  readonly #generations = new Map<string, { id: string; bytes: Buffer }>();

  private constructor(url: string, database: PostgresDatabase, userId: string) {
    this.url = url;
    this.database = database;
    this.userId = userId;
    this.files = new SentFiles(database, userId);
    const source = new CatalogSessions((query) => database.read(userId, query));
    const { reads } = this;
    this.reader = this.#readers.of({
      file: (path) => source.file(path),
      session: (path) => source.session(path),
      outline: (key) => source.outline(key),
      activity: (key, place) => source.activity(key, place),
      read: async (content, offset, length) => {
        const read = await source.read(content, offset, length);
        reads.push(read.bytes.length);
        return read;
      },
    });
  }

  static async open(url: string): Promise<TestHub> {
    const database = await PostgresDatabase.open({ url, log });
    const { id } = await new Users(database).create(randomUUID(), "member");
    const hub = new TestHub(url, database, id);
    await hub.files.machine(hub.machineId, "laptop");
    return hub;
  }

  index(more: Partial<HubIndexerOptions> = {}): HubIndexer {
    const { database, url } = this;
    const indexer = new HubIndexer({ database, url, log, ...more });
    this.#indexers.push(indexer);
    return indexer;
  }

  /** Sends what a file has now: as what was appended, or as another state. */
  async send(path: string, content: Buffer, { ownerPath = null as string | null, modifiedAt = 0 } = {}): Promise<void> {
    const before = this.#generations.get(path);
    const isGrown = before !== undefined && content.subarray(0, before.bytes.length).equals(before.bytes);
    const generation = isGrown ? before.id : randomUUID();
    const { machineId } = this;
    const file = { machineId, path, ownerPath, format: null, sessionId: null, mode: 0o600, generation };
    const size = content.length;
    let offset = isGrown ? before.bytes.length : 0;
    do {
      const bytes = content.subarray(offset, offset + 1024 * 1024);
      await this.files.append(file, { offset, bytes, size, modifiedAt });
      offset += bytes.length;
    } while (offset < size);
    this.#generations.set(path, { id: generation, bytes: content });
  }

  async sendFile(path: string, ownerPath: string | null = null): Promise<void> {
    await this.send(path, await readFile(path), { ownerPath, modifiedAt: statSync(path).mtimeMs });
  }

  pathOf(path: string): string {
    return hubPath(this.machineId, path);
  }

  /** Resolves when everything that was sent is in the catalog, as far as it can be. */
  async indexed(): Promise<void> {
    for (;;) {
      const { rows } = await this.database.read(this.userId, (db) =>
        db.execute<{ left: string }>(sql`SELECT count(*) AS left FROM index_requests WHERE retry_at IS NULL`),
      );
      if (rows[0]?.left === "0") return;
      await delay(20);
    }
  }

  /** By path. */
  records(): Promise<SessionRecord[]> {
    return this.database.read(this.userId, async (db) => {
      const rows = await db.select({ key: sessions.key }).from(sessions).orderBy(sessions.path);
      const keys = rows.map(({ key }) => key);
      const records = await sessionRecords(db, keys, new PriceList());
      return keys.flatMap((key) => records.get(key) ?? []);
    });
  }

  row(path: string) {
    return this.database.read(this.userId, async (db) => {
      const [row] = await db
        .select()
        .from(sessions)
        .where(eq(sessions.path, this.pathOf(path)));
      return row;
    });
  }

  changes() {
    const { sequence, kind, path } = changes;
    return this.database.read(this.userId, (db) => db.select({ sequence, kind, path }).from(changes).orderBy(sequence));
  }

  async close(): Promise<void> {
    await Promise.all(this.#indexers.map((indexer) => indexer.close()));
    await this.#readers.stop();
    await this.database.close();
  }
}
