import type { ArchivedFilter, NamedFile, SearchOptions, SearchPage } from "../../index.ts";
import type { SharedPaths } from "./shared-paths.ts";

/** A search with data of the main thread. Sessions are named by their paths. */
export interface SearchTask extends SearchOptions {
  /** Milliseconds since 1970. */
  now: number;
  /** Sessions selected by the payload's tags, `null` if it has none. */
  paths: readonly string[] | null;
  /** Sessions for each `tag:` of the query. */
  tagged: { value: string; prefix: boolean; paths: string[] }[];
  /** Sessions for each `note:` of the query. */
  noted: { value: string; prefix: boolean; paths: string[] }[];
  withNotes: string[];
  /** For each `name:` of the query, the sessions whose names apart from their files match. */
  named: { value: string; prefix: boolean; paths: string[] }[];
  /** Sessions with a name apart from their files: names in these files do not count. */
  renamed: string[];
  favorite: string[];
  bookmarked: string[];
  live: string[];
  expiring: string[];
  failed: string[];
  aborted: string[];
  archived: ArchivedFilter;
  /** All archived sessions. */
  archivedPaths: SharedPaths;
}

/** Names of files that are wanted, with data of the main thread. */
export interface NamedFilesTask {
  prefix: string;
  limit: number;
  archivedPaths: SharedPaths;
}

/** Thread tasks for search. */
export type SearchTasks = {
  /** `index`: names the one that is kept elsewhere, see `RemoteTexts`. */
  searchRemote: { input: { index: string; task: SearchTask }; output: SearchTasks["search"]["output"] };
  namedFilesRemote: { input: { index: string; task: NamedFilesTask }; output: NamedFile[] };
  search: { input: SearchTask; output: Omit<SearchPage, "indexing" | "took_ms"> };
  namedFiles: { input: NamedFilesTask; output: NamedFile[] };
};
