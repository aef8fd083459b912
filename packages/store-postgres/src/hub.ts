import { AppError } from "@sm/core";
import { RemoteReaders } from "@sm/core/remote";
import type { LibraryLog, UserState } from "@sm/core/state";
import { sql } from "drizzle-orm";
import { CHANGES_CHANNEL } from "./catalog/changes.ts";
import { HubIndexer } from "./catalog/hub-indexer.ts";
import { PostgresDatabase } from "./database/database.ts";
import { Listener } from "./database/listener.ts";
import { LineReader } from "./files/line-reader.ts";
import { KeepingJob } from "./keeping/keeping-job.ts";
import { HubLibrary } from "./library/hub-library.ts";
import { PostgresPreparedExports } from "./library/prepared-exports.ts";
import { ChunkObjects, NO_OBJECTS } from "./objects/chunk-objects.ts";
import { type ChunkStoreSettings, openObjectStore } from "./objects/open-store.ts";
import { ReceivedBatches } from "./receiving/received-batches.ts";
import { indexTexts } from "./search/text-indexing.ts";
import { TextMerging } from "./search/text-merging.ts";
import { TextSearch } from "./search/text-search.ts";
import { SignIns } from "./state/sign-ins.ts";
import { TokenDirectory } from "./state/token-directory.ts";
import { userStateOf } from "./state/user-state.ts";
import { type UserRole, Users } from "./state/users.ts";

export interface HubStoreOptions {
  /** Of the database. */
  url: string;
  log: LibraryLog;
  /** Commands of one client that may wait. */
  mostWaiting: number;
  /** Where the bytes of chunks are kept that come from now on; default: in the database. */
  chunkStore?: ChunkStoreSettings | null;
}

/** By the name of its metric. */
export type HubFigures = Record<keyof typeof HUB_FIGURES, number>;

/** What the figures of a hub mean. */
export const HUB_FIGURES = {
  hub_waiting_files: "Files of all users that are not in the catalog yet.",
  hub_database_connections: "Connections of this server to PostgreSQL.",
  hub_database_idle_connections: "Those of them that nobody uses.",
  hub_database_waiting: "Requests that wait for a connection.",
  hub_deaf_seconds: "For how long this server has heard of no changes; 0 while it listens.",
} as const;

/** While one waits for the database, the other reads. */
const INDEXING_LANES = 2;

/** Everything that one server of a hub needs of its database. */
export class Hub {
  readonly tokens: TokenDirectory;
  /** Takes what machines send. */
  readonly receiver: ReceivedBatches;
  /** What signing in with a provider needs. */
  readonly signIns: SignIns;
  readonly #database: PostgresDatabase;
  readonly #objects: ChunkObjects | null;
  readonly #log: LibraryLog;
  readonly #readers: RemoteReaders;
  readonly #search: TextSearch;
  readonly #indexer: HubIndexer;
  readonly #merging: TextMerging;
  readonly #keeping: KeepingJob;
  readonly #url: string;
  #listener: Listener | null = null;

  private constructor(database: PostgresDatabase, { url, log, mostWaiting, chunkStore = null }: HubStoreOptions) {
    this.#database = database;
    this.#objects = chunkStore === null ? null : new ChunkObjects(database, openObjectStore(chunkStore));
    this.#log = log;
    this.tokens = new TokenDirectory(database, { url, log });
    this.signIns = new SignIns(database, this.tokens);
    this.receiver = new ReceivedBatches({
      database,
      objects: this.#objects,
      userOf: (tokenId) => {
        const owner = this.ownerOf(tokenId);
        return owner === null || owner.role === "reader" ? null : owner.userId;
      },
    });
    const objects = this.#objects ?? NO_OBJECTS;
    this.#readers = new RemoteReaders(mostWaiting);
    this.#search = new TextSearch({ database, readers: this.#readers, lines: new LineReader(objects) });
    this.#merging = new TextMerging({ database, log });
    this.#indexer = new HubIndexer({
      ...{ database, objects, url, log, indexTexts, lanes: INDEXING_LANES },
      onIndexed: ({ userId, isWorn }) => this.#merging.due(userId, { worn: isWorn }),
    });
    const { removed_days: removedDays = 0 } = chunkStore ?? {};
    this.#keeping = new KeepingJob([async () => ((await this.#objects?.collect(removedDays)) ?? 0) > 0], { log });
    this.#url = url;
  }

  /** @throws AppError `UNAVAILABLE` as `PostgresDatabase.open` does. */
  static async open(options: HubStoreOptions): Promise<Hub> {
    const hub = new Hub(await PostgresDatabase.open(options), options);
    await hub.tokens.refresh();
    // Without it, what is in the database can be read all the same.
    hub.#objects?.check().catch((error: unknown) => {
      options.log.warn({ err: error }, "The object store cannot be used yet");
    });
    return hub;
  }

  /** @param onChange called when sessions of a user have changed, on whichever server; `null`: perhaps those of all. */
  listen(onChange: (userId: string | null) => void): void {
    this.#listener = new Listener([CHANGES_CHANNEL], {
      url: this.#url,
      log: this.#log,
      onNotice: (_channel, payload) => onChange(payload === null ? null : (payload.split(" ")[0] ?? null)),
    });
  }

  /** Whose token it is, and what they may do; `null` for one that is known no more. */
  ownerOf(tokenId: string): { userId: string; role: UserRole } | null {
    return this.tokens.ownerOf(tokenId);
  }

  /** Makes the first user, the owner, and a token for them; `null` where there are users. */
  async firstToken(name: string): Promise<string | null> {
    const users = new Users(this.#database);
    if ((await users.list()).length > 0) return null;
    const owner = await users.create("owner", "owner").catch((error: unknown) => {
      // Another server was quicker.
      if (error instanceof AppError && error.code === "CONFLICT") return null;
      throw error;
    });
    if (owner === null) return null;
    const { token } = await this.#stateOf(owner.id).tokens.create({ name, scope: "full", expires_at: null });
    return token;
  }

  /** The sessions of a user, what they have said about them, and their downloads. */
  spaceOf(userId: string): { library: HubLibrary; state: UserState; preparedExports: PostgresPreparedExports } {
    const state = this.#stateOf(userId);
    const options = { userId, state, database: this.#database, readers: this.#readers, search: this.#search };
    const preparedExports = new PostgresPreparedExports(this.#database, userId);
    const objects = this.#objects ?? NO_OBJECTS;
    return { state, library: new HubLibrary({ ...options, objects, log: this.#log }), preparedExports };
  }

  /** What shows whether it keeps up. Rejects where the database does not answer. */
  async figures(): Promise<HubFigures> {
    const { rows } = await this.#database.asService((db) =>
      db.execute<{ files: number }>(sql`SELECT count(DISTINCT (user_id, file_key))::int AS files FROM index_requests`),
    );
    const { open, idle, waiting } = this.#database.connections;
    return {
      hub_waiting_files: rows[0]?.files ?? 0,
      hub_database_connections: open,
      hub_database_idle_connections: idle,
      hub_database_waiting: waiting,
      hub_deaf_seconds: (this.#listener?.deafMs ?? 0) / 1_000,
    };
  }

  async close(): Promise<void> {
    await Promise.all([this.#indexer.close(), this.#merging.close(), this.#keeping.close()]);
    await Promise.all([this.#listener?.close(), this.#readers.stop(), this.tokens.close()]);
    await this.#database.close();
  }

  #stateOf(userId: string): UserState {
    return userStateOf(userId, { database: this.#database, tokens: this.tokens, log: this.#log });
  }
}
