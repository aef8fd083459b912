import type {
  AgentResources,
  ArchiveOptions,
  Asker,
  ExportStream,
  JsonObject,
  JsonValue,
  LiveSessionService,
  ModelConfigStore,
  SessionLibrary,
  TagService,
  TerminalService,
  TokenStore,
} from "@sm/core";

/** A configuration as it was, without its content. */
export interface ConfigVersionSummary {
  id: string;
  created_at: string;
  /** What made it: the name of a command, or `external` for somebody who has edited a file. */
  origin: string;
  size_bytes: number;
  sha256: string;
}

/** One place in which two configurations differ. */
export interface ConfigDifference {
  /** A JSON pointer, into the first one for what was removed, else into the second. */
  path: string;
  kind: "added" | "removed" | "changed";
  /** `null` for what was added. */
  from: JsonValue;
  /** `null` for what was removed. */
  to: JsonValue;
}

/**
 * The configuration of the service and of the agent, and its history.
 *
 * Changes reject with AppError `READ_ONLY` where the file system refuses them, and `CONFLICT` for a file that somebody
 * is editing: one with a mistake, or one that another program has locked.
 */
export interface ConfigurationService {
  /** The directories of sessions that the user has chosen. */
  sessionPaths(): Promise<string[]>;
  /**
   * Replaces them; the library follows at once.
   *
   * Rejects with AppError `INVALID_PAYLOAD` for a path that is no absolute, existing directory.
   */
  saveSessionPaths(paths: string[]): Promise<string[]>;
  /** The whole configuration as it stands. Secrets of the agent and API tokens are no part of it. */
  bundle(): Promise<JsonObject>;
  /** Puts a whole configuration in force: all of it or nothing. Rejects with AppError `INVALID_PAYLOAD`. */
  saveBundle(bundle: JsonObject): Promise<{ version_id: string }>;
  /** The newest first. */
  versions(): Promise<ConfigVersionSummary[]>;
  /** Rejects with AppError `NOT_FOUND`. */
  version(id: string): Promise<{ id: string; created_at: string; origin: string; bundle: JsonObject }>;
  /** Puts an earlier configuration in force again. Rejects with AppError `NOT_FOUND`. */
  restoreVersion(id: string): Promise<{ version_id: string }>;
  /** Rejects with AppError `NOT_FOUND`. */
  compareVersions(from: string, to: string): Promise<{ from: string; to: string; changes: ConfigDifference[] }>;
}

/** Exports of many sessions, prepared by a command and fetched with GET /api/export by whoever has the ticket. */
export interface ExportTickets {
  /** Checks the sessions and keeps their export for a minute. Rejects as `SessionLibrary.exportArchive` does. */
  issue(options: ArchiveOptions, asker?: Asker): Promise<{ url: string; expires_at: string }>;
  /**
   * Finds an export, whose pieces are not to be taken: the ticket stays good.
   *
   * @throws AppError `NOT_FOUND` for a ticket that was used, has expired or never was.
   */
  look(ticket: string): ExportStream;
  /** Finds an export as `look` does, and uses the ticket up. */
  redeem(ticket: string): ExportStream;
}

/** Everything that commands may use. Interfaces only, so that every command runs on fakes in a test. */
export interface Services {
  sessions: SessionLibrary;
  tokens: TokenStore;
  tags: TagService;
  configuration: ConfigurationService;
  modelConfig: ModelConfigStore;
  resources: AgentResources;
  exportTickets: ExportTickets;
  terminals: TerminalService;
  liveSessions: LiveSessionService;
}
