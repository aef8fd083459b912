import { setTimeout as delay } from "node:timers/promises";
import type { LibraryLog } from "@sm/core/state";
import pg from "pg";

const FIRST_WAIT_MS = 100;
const LONGEST_WAIT_MS = 5_000;
/** A connection over which nothing comes any more looks like one on which nothing happens. */
const HEARTBEAT_MS = 5_000;

export interface ListenerOptions {
  url: string;
  log: LibraryLog;
  /**
   * Called for each notification, and with `null` when the connection is there: what was told before is unknown then, and
   * is to be read.
   */
  onNotice: (channel: string, payload: string | null) => void;
}

/** A connection of its own that hears what other servers tell (`LISTEN`), made anew whenever it is lost. */
export class Listener {
  readonly #options: ListenerOptions;
  readonly #channels: readonly string[];
  readonly #closing = new AbortController();
  #client: pg.Client | null = null;
  #lostAt: number | null = performance.now();
  readonly #running: Promise<void>;

  /** @param channels names without quotes. */
  constructor(channels: readonly string[], options: ListenerOptions) {
    this.#channels = channels;
    this.#options = options;
    this.#running = this.#run();
  }

  /** Milliseconds for which nothing has been heard; 0 while there is a connection. */
  get deafMs(): number {
    return this.#lostAt === null ? 0 : performance.now() - this.#lostAt;
  }

  async close(): Promise<void> {
    this.#closing.abort();
    await this.#client?.end().catch(() => undefined);
    await this.#running;
  }

  async #run(): Promise<void> {
    const { signal } = this.#closing;
    for (let wait = FIRST_WAIT_MS; !signal.aborted; wait = Math.min(2 * wait, LONGEST_WAIT_MS)) {
      try {
        await this.#listen(() => {
          wait = FIRST_WAIT_MS / 2;
        });
      } catch (error) {
        if (!signal.aborted) this.#options.log.warn({ err: error }, "The connection that hears of changes was lost.");
      }
      this.#lostAt ??= performance.now();
      // Rejects when it is closed.
      await delay(wait, undefined, { signal, ref: false }).catch(() => undefined);
    }
  }

  /** Resolves or rejects when the connection has ended. */
  async #listen(onConnected: () => void): Promise<void> {
    const client = new pg.Client({
      connectionString: this.#options.url,
      application_name: "session-manager listener",
      connectionTimeoutMillis: LONGEST_WAIT_MS,
      query_timeout: LONGEST_WAIT_MS,
      keepAlive: true,
    });
    const ended = new Promise<void>((resolve, reject) => {
      client.on("error", reject);
      client.on("end", resolve);
    });
    // Awaited below; until then somebody has to.
    ended.catch(() => undefined);
    this.#client = client;
    let heartbeat: NodeJS.Timeout | undefined;
    try {
      await client.connect();
      client.on("notification", ({ channel, payload = "" }) => this.#options.onNotice(channel, payload));
      for (const channel of this.#channels) await client.query(`LISTEN ${channel}`);
      this.#lostAt = null;
      onConnected();
      for (const channel of this.#channels) this.#options.onNotice(channel, null);
      heartbeat = setInterval(() => void client.query("SELECT 1").catch(() => client.end()), HEARTBEAT_MS).unref();
      await ended;
    } finally {
      clearInterval(heartbeat);
      await client.end().catch(() => undefined);
    }
  }
}
