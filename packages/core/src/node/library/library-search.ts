import type * as v from "valibot";
import { namedFilesInput, searchInput } from "../../input/library.ts";
import { validate } from "../../input/validate.ts";
import type { NamedFile, SearchPage } from "../../library.ts";
import type { Requester } from "../../requester.ts";
import { titleOfName } from "../../session/session-title.ts";
import type { OpenIndex } from "../indexing/open-index.ts";
import type { UserState } from "../state/ports.ts";
import type { AgentCleanups } from "./agent-cleanups.ts";
import type { SessionDirectories } from "./directories.ts";
import type { LiveFiles } from "./live-files.ts";
import type { Marking } from "./marking.ts";
import type { Notes } from "./notes.ts";
import { searchTask } from "./search-task.ts";

export interface LibrarySearchOptions {
  index: Pick<OpenIndex, "quickly" | "list" | "sessionCounts" | "pendingRecords">;
  state: Pick<UserState, "marks" | "bookmarks">;
  directories: Pick<SessionDirectories, "sessionPath">;
  cleanups: Pick<AgentCleanups, "current">;
  live: Pick<LiveFiles, "paths">;
  marking: Pick<Marking, "paths" | "names" | "sharedArchived">;
  notes: Notes;
}

/** Searches all sessions. Each method validates what it is given. */
export class LibrarySearch {
  readonly #options: LibrarySearchOptions;

  constructor(options: LibrarySearchOptions) {
    this.#options = options;
  }

  async search(given: v.InferInput<typeof searchInput>, requester?: Requester): Promise<SearchPage> {
    const started = performance.now();
    const options = validate(searchInput, given);
    const { index, state, directories, cleanups, live, marking, notes } = this.#options;
    await cleanups.current();
    const own = options.path === undefined ? null : await directories.sessionPath(options.path);
    // Owners have names on hubs only.
    const marked = options.owner === undefined ? await marking.paths(options) : [];
    const paths = own === null ? marked : [own].filter((path) => marked?.includes(path) ?? true);
    const names = await marking.names();
    const task = await searchTask(options, paths, {
      marks: state.marks,
      names,
      live: live.paths,
      archived: await marking.sharedArchived(),
      expiring: () => index.list((listing) => listing.expiring()),
      ended: (outcome) => index.list((listing) => listing.ended(outcome)),
      notes,
      bookmarks: state.bookmarks,
    });
    // Counted before: what was indexed in the meantime may be missing in the hits.
    const { indexed, unindexed } = index.sessionCounts();
    const isWhole = unindexed === 0 && index.pendingRecords === 0;
    const found = await index.quickly("search", task, requester);
    return {
      ...found,
      hits: found.hits.map((hit) => ({
        ...hit,
        session_title: titleOfName(names.get(hit.session_path) ?? "") || hit.session_title,
      })),
      total_is_exact: found.total_is_exact && isWhole,
      took_ms: Math.round((performance.now() - started) * 100) / 100,
      indexing: { done: indexed, pending: unindexed },
    };
  }

  async namedFiles(given: v.InferInput<typeof namedFilesInput>, requester?: Requester): Promise<NamedFile[]> {
    const { prefix, limit } = validate(namedFilesInput, given);
    const archivedPaths = await this.#options.marking.sharedArchived();
    return this.#options.index.quickly("namedFiles", { prefix, limit, archivedPaths }, requester);
  }
}
