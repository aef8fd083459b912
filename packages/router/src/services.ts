import type { SessionLibrary, TokenStore } from "@sm/core";

/** The directories of sessions that the user has chosen, kept in session-manager.json. */
export interface ConfigurationService {
  sessionPaths(): Promise<string[]>;
  /**
   * Replaces them; the library follows at once.
   *
   * Rejects with AppError `INVALID_PAYLOAD` for a path that is no absolute, existing directory.
   */
  saveSessionPaths(paths: string[]): Promise<string[]>;
}

/** Everything that commands may use. Interfaces only, so that every command runs on fakes in a test. */
export interface Services {
  sessions: SessionLibrary;
  tokens: TokenStore;
  configuration: ConfigurationService;
}
