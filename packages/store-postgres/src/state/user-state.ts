import type { LibraryLog, UserState } from "@sm/core/state";
import type { PostgresDatabase } from "../database/database.ts";
import { PostgresBookmarks } from "./bookmarks.ts";
import { PostgresConfigVersions } from "./config-versions.ts";
import { PostgresConfiguration } from "./configuration.ts";
import { PostgresMarks } from "./marks.ts";
import { PostgresNotes } from "./notes.ts";
import { PostgresTags } from "./tags.ts";
import type { TokenDirectory } from "./token-directory.ts";
import { PostgresTokens } from "./tokens.ts";
import { UserConnection } from "./user-connection.ts";

/** What one user of a hub has said about sessions. Closing it closes nothing: the database is that of all users. */
export function userStateOf(
  userId: string,
  { database, tokens, log }: { database: PostgresDatabase; tokens: TokenDirectory; log: LibraryLog },
): UserState {
  const connection = new UserConnection(database, userId);
  return {
    marks: new PostgresMarks(connection, log),
    tags: new PostgresTags(connection),
    notes: new PostgresNotes(connection),
    bookmarks: new PostgresBookmarks(connection),
    tokens: new PostgresTokens(connection, tokens),
    versions: new PostgresConfigVersions(connection),
    configuration: new PostgresConfiguration(connection),
    problem: null,
    // Backups of the database are made with its own tools.
    backUpIfDue: () => undefined,
    close: async () => undefined,
  };
}
