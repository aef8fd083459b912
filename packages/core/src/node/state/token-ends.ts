import { inArray } from "drizzle-orm";
import type { LibraryLog } from "../../library-log.ts";
import type { Queries, StateConnection } from "./connection.ts";
import { tokens } from "./schema.ts";

/** Twice within the second that another process's revocation may take to be noticed. */
const LOOK_INTERVAL_MS = 500;

interface Watched {
  listeners: Set<() => void>;
  /** Unix time in ms; 0 for a token that does not exist (any more). */
  endsAt: number;
}

/** Tells those who use a token when it ends. Looks for that only while there is somebody to tell. */
export class TokenEnds {
  readonly #connection: StateConnection;
  readonly #log: LibraryLog;
  readonly #watched = new Map<string, Watched>();
  #timer: NodeJS.Timeout | null = null;
  /** What was read is of this version; `null` where something is still to be read. */
  #dataVersion: unknown = null;

  constructor(connection: StateConnection, log: LibraryLog) {
    this.#connection = connection;
    this.#log = log;
  }

  /** Calls back once when the token ends, or soon if it has ended already. */
  watch(id: string, listener: () => void): () => void {
    const watched = this.#watched.get(id) ?? this.#add(id);
    // One function may be given twice.
    const tell = () => listener();
    watched.listeners.add(tell);
    return () => {
      watched.listeners.delete(tell);
      if (watched.listeners.size === 0 && this.#watched.get(id) === watched) this.#forget(id);
    };
  }

  /** Tells everybody who uses this token that it has ended. */
  end(id: string): void {
    const watched = this.#watched.get(id);
    if (watched === undefined) return;
    this.#forget(id);
    for (const listener of watched.listeners) listener();
  }

  close(): void {
    for (const id of [...this.#watched.keys()]) this.#forget(id);
  }

  #add(id: string): Watched {
    const watched = { listeners: new Set<() => void>(), endsAt: Infinity };
    this.#watched.set(id, watched);
    this.#dataVersion = null;
    this.#timer ??= setInterval(() => this.#checkTokens(), LOOK_INTERVAL_MS).unref();
    return watched;
  }

  #forget(id: string): void {
    this.#watched.delete(id);
    if (this.#watched.size > 0 || this.#timer === null) return;
    clearInterval(this.#timer);
    this.#timer = null;
  }

  #checkTokens(): void {
    try {
      this.#connection.checkInPlace();
      this.#connection.read((db) => this.#readEnds(db));
    } catch (error) {
      // What cannot be checked any more must not stay open for ever.
      this.#log.error({ err: error }, "Could not check the API tokens in use; closing their connections.");
      for (const watched of this.#watched.values()) watched.endsAt = 0;
    }
    const now = Date.now();
    for (const [id, { endsAt }] of [...this.#watched]) {
      if (endsAt <= now) this.end(id);
    }
  }

  #readEnds(db: Queries): void {
    // Changes when another connection has written; what this process revokes is told at once.
    const dataVersion = this.#connection.client.pragma("data_version", { simple: true });
    if (dataVersion === this.#dataVersion) return;
    const rows = db
      .select({ id: tokens.id, expiresAt: tokens.expiresAt })
      .from(tokens)
      .where(inArray(tokens.id, [...this.#watched.keys()]))
      .all();
    const ends = new Map(rows.map(({ id, expiresAt }) => [id, expiresAt === null ? Infinity : Date.parse(expiresAt)]));
    for (const [id, watched] of this.#watched) watched.endsAt = ends.get(id) ?? 0;
    this.#dataVersion = dataVersion;
  }
}
