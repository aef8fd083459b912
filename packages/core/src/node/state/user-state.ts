import type { TokenStore } from "../../tokens.ts";
import { type ConfigVersionStore, SqliteConfigVersionStore } from "./config-versions.ts";
import { type ConfigurationState, SqliteConfigurationState } from "./configuration.ts";
import { StateConnection } from "./connection.ts";
import { DailyBackup } from "./daily-backup.ts";
import { openStateDatabase, type StateOptions } from "./database.ts";
import { isDiskFull, missingUserState } from "./missing-store.ts";
import { SqliteStateStore, type StateStore } from "./store.ts";
import { SqliteTagStore, type TagStore } from "./tags.ts";
import { SqliteTokenStore } from "./tokens.ts";

/** What only the user knows and no file can tell again, in `state.db`. */
export interface UserState {
  /** Which sessions have tags and are favorites. */
  readonly marks: StateStore;
  readonly tags: TagStore;
  readonly tokens: TokenStore;
  readonly versions: ConfigVersionStore;
  readonly configuration: ConfigurationState;
  /** What is or was wrong with the stored state, for people; `null` where nothing is. */
  readonly problem: string | null;
  /** Makes the backup of the day where one is due. To be called now and then; a warning in the log where it fails. */
  backUpIfDue(): void;
  close(): Promise<void>;
}

/**
 * Opens the user state in `state.db` of the data directory, with the repairs and backups that it needs. On a full disk
 * there is none: sessions can be read all the same, see `problem`.
 *
 * @throws AppError `READ_ONLY` when the directory cannot be written, `UNAVAILABLE` when a newer program wrote the file.
 */
export function openUserState(options: StateOptions): UserState {
  try {
    return new SqliteUserState(new StateConnection(openStateDatabase(options), options.log), options);
  } catch (error) {
    if (!isDiskFull(error)) throw error;
    options.log.error({ err: error }, "Tags, favorites and API tokens are not available, because the disk is full");
    return missingUserState(error);
  }
}

class SqliteUserState implements UserState {
  readonly marks: StateStore;
  readonly tags: TagStore;
  readonly tokens: SqliteTokenStore;
  readonly versions: ConfigVersionStore;
  readonly configuration: ConfigurationState;
  readonly #connection: StateConnection;
  readonly #dailyBackup: DailyBackup;

  constructor(connection: StateConnection, { log }: StateOptions) {
    this.#connection = connection;
    this.marks = new SqliteStateStore(connection, log);
    this.tags = new SqliteTagStore(connection);
    this.tokens = new SqliteTokenStore(connection, log);
    this.versions = new SqliteConfigVersionStore(connection);
    this.#dailyBackup = new DailyBackup(connection, log);
    this.configuration = new SqliteConfigurationState(connection);
  }

  get problem(): string | null {
    return this.#connection.problem;
  }

  backUpIfDue(): void {
    this.#dailyBackup.makeIfDue();
  }

  async close(): Promise<void> {
    this.tokens.close();
    this.#connection.close();
  }
}
