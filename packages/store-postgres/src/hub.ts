import { AppError, type LibraryStatus } from "@sm/core";
import { RemoteReaders } from "@sm/core/remote";
import type { LibraryLog, UserState } from "@sm/core/state";
import { CHANGES_CHANNEL, PROJECT_CHANGED, SHARING_CHANGED } from "./catalog/changes.ts";
import { HubIndexer } from "./catalog/hub-indexer.ts";
import { PostgresDatabase, type Queries } from "./database/database.ts";
import { Listener } from "./database/listener.ts";
import { SCHEMA_CHANNEL } from "./database/migrate.ts";
import { LineReader } from "./files/line-reader.ts";
import { KeepingJob } from "./keeping/keeping-job.ts";
import { Retention } from "./keeping/retention.ts";
import { UserRetention } from "./keeping/user-retention.ts";
import { HUB_STATUS, HubLibrary } from "./library/hub-library.ts";
import { PostgresPreparedExports } from "./library/prepared-exports.ts";
import { machineLags, waitingFiles } from "./machine-lag.ts";
import { ChunkObjects, NO_OBJECTS } from "./objects/chunk-objects.ts";
import { CountedStore, type ObjectRequest } from "./objects/counted-store.ts";
import { type ChunkStoreSettings, openObjectStore } from "./objects/open-store.ts";
import { ReceivedBatches } from "./receiving/received-batches.ts";
import { indexTexts } from "./search/text-indexing.ts";
import { TextMerging } from "./search/text-merging.ts";
import { TextSearch } from "./search/text-search.ts";
import { PostgresSharedProjects } from "./sharing/shared-projects.ts";
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

/** What one user has on a hub. */
export interface HubSpace {
  library: HubLibrary;
  state: UserState;
  preparedExports: PostgresPreparedExports;
  retention: UserRetention;
  sharedProjects: PostgresSharedProjects;
}

/** By the name of its metric; those of machines by the id of the machine. */
export type HubFigures = Partial<Record<keyof typeof HUB_FIGURES, number | ReadonlyMap<string, number>>>;

/** What the figures of a hub mean. Ids of machines name nobody, and are in the paths of sessions. */
export const HUB_FIGURES = {
  hub_machines: "Machines that have ever sent.",
  hub_machine_heard_seconds: "How long ago a machine has sent; those of the last 30 days, at most 200.",
  hub_machine_waiting_files: "Files of the machine that are not in the catalog yet.",
  hub_machine_waiting_seconds: "For how long the oldest of them has waited.",
  hub_waiting_files: "Files of all users that are not in the catalog yet.",
  hub_waiting_seconds: "For how long the oldest of them has waited.",
  hub_postponed_files: "Files that could not be indexed and are tried again every hour.",
  hub_database_up: "Whether PostgreSQL answers: 1 or 0.",
  hub_database_connections: "Connections of this server to PostgreSQL.",
  hub_database_idle_connections: "Those of them that nobody uses.",
  hub_database_waiting: "Requests that wait for a connection.",
  hub_deaf_seconds: "For how long this server has heard of no changes; 0 while it listens.",
} as const;

/** What is counted of the requests to an object store, by their kind. */
export const OBJECT_FIGURES = {
  hub_object_requests_total: "Requests of this server to the object store.",
  hub_object_failures_total: "Those of them that it has not answered, or with an error.",
  hub_object_seconds_total: "For how long they have waited for it together.",
  hub_object_bytes_total: "Bytes of objects that were written to it or read.",
} as const;

export type ObjectFigures = Record<keyof typeof OBJECT_FIGURES, ReadonlyMap<ObjectRequest, number>>;

/** How long it may hear of no changes before it says so: a connection that was lost is made anew within 5 seconds. */
const DEAF_MS = 15_000;

/** Everything that one server of a hub needs of its database. */
export class Hub {
  readonly tokens: TokenDirectory;
  /** Takes what machines send. */
  readonly receiver: ReceivedBatches;
  /** What signing in with a provider needs. */
  readonly signIns: SignIns;
  readonly #database: PostgresDatabase;
  readonly #store: CountedStore | null;
  readonly #objects: ChunkObjects | null;
  readonly #log: LibraryLog;
  readonly #readers: RemoteReaders;
  readonly #search: TextSearch;
  readonly #indexer: HubIndexer;
  readonly #merging: TextMerging;
  readonly #keeping: KeepingJob;
  readonly #url: string;
  #listener: Listener | null = null;
  /** The program is too old for the database. */
  #isOutdated = false;

  private constructor(database: PostgresDatabase, { url, log, mostWaiting, chunkStore = null }: HubStoreOptions) {
    this.#database = database;
    this.#store = chunkStore === null ? null : new CountedStore(openObjectStore(chunkStore));
    this.#objects = this.#store === null ? null : new ChunkObjects(database, this.#store);
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
      ...{ database, objects, url, log, indexTexts },
      onIndexed: ({ userId, isWorn }) => this.#merging.due(userId, { worn: isWorn }),
    });
    const { removed_days: removedDays = 0 } = chunkStore ?? {};
    const retention = new Retention(database);
    this.#keeping = new KeepingJob(
      [
        async (signal) => {
          await retention.run(signal);
          return false;
        },
        async () => ((await this.#objects?.collect(removedDays)) ?? 0) > 0,
      ],
      { log },
    );
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

  /**
   * @param onChange called when sessions of a user have changed, on whichever server; `null`: perhaps those of all.
   * @param onShared called when sessions of a shared project have changed; `null`: what is shared with whom, perhaps.
   */
  listen(onChange: (userId: string | null) => void, onShared: (projectId: string | null) => void): void {
    this.#listener = new Listener([CHANGES_CHANNEL, SCHEMA_CHANNEL], {
      url: this.#url,
      log: this.#log,
      onNotice: (channel, payload) => {
        if (channel === SCHEMA_CHANNEL) return void this.#checkSchema();
        const [what, project = null] = payload?.split(" ") ?? [null];
        if (what === null || what === SHARING_CHANGED || what === PROJECT_CHANGED) onShared(project);
        if (what !== SHARING_CHANGED && what !== PROJECT_CHANGED) onChange(what ?? null);
      },
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
  spaceOf(userId: string): HubSpace {
    const state = this.#stateOf(userId);
    const database = this.#database;
    const options = { userId, state, database, readers: this.#readers, search: this.#search, log: this.#log };
    const objects = this.#objects ?? NO_OBJECTS;
    return {
      state,
      library: new HubLibrary({ ...options, objects }),
      preparedExports: new PostgresPreparedExports(database, userId),
      retention: new UserRetention(database, userId),
      sharedProjects: new PostgresSharedProjects(database, userId),
    };
  }

  /** Whether this server can serve, and if not, why: how far the sessions of a user are is told with their lists. */
  status(): LibraryStatus {
    const deafMs = this.#listener?.deafMs ?? 0;
    const reason = this.#isOutdated
      ? "The database belongs to a newer version of the program; update this server."
      : deafMs > DEAF_MS
        ? `The database has not answered for ${Math.round(deafMs / 1_000)} seconds; see the log of this server.`
        : null;
    return reason === null ? HUB_STATUS : { ...HUB_STATUS, state: "degraded", reason };
  }

  /** What shows whether it keeps up; without what the database would say where it does not answer. */
  async figures(): Promise<HubFigures> {
    const { open, idle, waiting } = this.#database.connections;
    const told = await this.#database.asService(toldFigures).catch(() => ({ hub_database_up: 0 }));
    return {
      ...told,
      hub_database_connections: open,
      hub_database_idle_connections: idle,
      hub_database_waiting: waiting,
      hub_deaf_seconds: (this.#listener?.deafMs ?? 0) / 1_000,
    };
  }

  /** What was asked of the object store; `null` where there is none. */
  objectFigures(): ObjectFigures | null {
    const sums = this.#store?.sums;
    if (sums === undefined) return null;
    const of = (figure: "requests" | "failures" | "seconds" | "bytes") =>
      new Map([...sums].map(([kind, { [figure]: sum }]) => [kind, sum]));
    return {
      hub_object_requests_total: of("requests"),
      hub_object_failures_total: of("failures"),
      hub_object_seconds_total: of("seconds"),
      hub_object_bytes_total: of("bytes"),
    };
  }

  async close(): Promise<void> {
    await Promise.all([this.#indexer.close(), this.#merging.close(), this.#keeping.close()]);
    await Promise.all([this.#listener?.close(), this.#readers.stop(), this.tokens.close()]);
    await this.#database.close();
  }

  /** Where a newer server has changed the database too much for this one, this one works no more. */
  async #checkSchema(): Promise<void> {
    try {
      const refusal = await this.#database.checkSchema();
      if (refusal === null || this.#isOutdated) return;
      this.#isOutdated = true;
      this.#log.error({ err: refusal }, "This server is too old for the database, and refuses everything.");
      await Promise.all([this.#indexer.close(), this.#merging.close(), this.#keeping.close()]);
    } catch (error) {
      // Asked again when the connection is there again.
      this.#log.warn({ err: error }, "Could not read which steps of the schema were taken.");
    }
  }

  #stateOf(userId: string): UserState {
    return userStateOf(userId, { database: this.#database, tokens: this.tokens, log: this.#log });
  }
}

async function toldFigures(db: Queries): Promise<HubFigures> {
  const { files, seconds, postponed } = await waitingFiles(db);
  const { machines, lags } = await machineLags(db);
  const byMachine = (figure: "heardSeconds" | "waitingFiles" | "waitingSeconds") =>
    new Map(lags.map((lag) => [lag.machineId, lag[figure]]));
  return {
    hub_machines: machines,
    hub_machine_heard_seconds: byMachine("heardSeconds"),
    hub_machine_waiting_files: byMachine("waitingFiles"),
    hub_machine_waiting_seconds: byMachine("waitingSeconds"),
    hub_waiting_files: files,
    hub_waiting_seconds: seconds,
    hub_postponed_files: postponed,
    hub_database_up: 1,
  };
}
