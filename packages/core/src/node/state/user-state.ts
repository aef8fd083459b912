import { SqliteBookmarkStore } from "./bookmarks.ts";
import { SqliteConfigVersionStore } from "./config-versions.ts";
import { SqliteConfigurationState } from "./configuration.ts";
import { StateConnection } from "./connection.ts";
import { DailyBackup } from "./daily-backup.ts";
import { openStateDatabase } from "./database.ts";
import { isDiskFull, missingUserState } from "./missing-store.ts";
import { SqliteNoteStore } from "./notes.ts";
import type {
  BookmarkStore,
  ConfigurationState,
  ConfigVersionStore,
  NoteStore,
  StateOptions,
  StateStore,
  TagStore,
  UserState,
} from "./ports.ts";
import { SqliteStateStore } from "./store.ts";
import { SqliteTagStore } from "./tags.ts";
import { SqliteTokenStore } from "./tokens.ts";

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
  readonly notes: NoteStore;
  readonly bookmarks: BookmarkStore;
  readonly tokens: SqliteTokenStore;
  readonly versions: ConfigVersionStore;
  readonly configuration: ConfigurationState;
  readonly #connection: StateConnection;
  readonly #dailyBackup: DailyBackup;

  constructor(connection: StateConnection, { log }: StateOptions) {
    this.#connection = connection;
    const marks = new SqliteStateStore(connection, log);
    this.marks = marks;
    this.tags = new SqliteTagStore(connection);
    this.notes = new SqliteNoteStore(connection);
    this.bookmarks = new SqliteBookmarkStore(connection);
    this.tokens = new SqliteTokenStore(connection, log);
    this.versions = new SqliteConfigVersionStore(connection);
    this.#dailyBackup = new DailyBackup(connection, log);
    this.configuration = new SqliteConfigurationState(connection, (paths) => marks.wereArchived(paths));
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
