import type { NamedFile, NamedFilesOptions, Requester, SearchOptions, SearchPage } from "@sm/core";
import { type Marking, type Notes, searchTask } from "@sm/core/library-parts";
import { titleOfName } from "@sm/core/remote";
import type { UserState } from "@sm/core/state";
import type { CatalogSessions } from "../catalog/catalog-sessions.ts";
import type { SessionCounts } from "../catalog/session-counts.ts";
import type { TextSearch } from "../search/text-search.ts";
import type { ReadTrail } from "../sharing/read-trail.ts";
import type { KnownSessions } from "./known-sessions.ts";

export interface HubSearchOptions {
  userId: string;
  search: TextSearch;
  files: CatalogSessions;
  counts: SessionCounts;
  known: Pick<KnownSessions, "ended" | "pathsOf">;
  state: Pick<UserState, "marks" | "bookmarks">;
  marking: Pick<Marking, "paths" | "names" | "sharedArchived">;
  notes: Notes;
  /** Of what is found of others. */
  trail: Pick<ReadTrail, "note">;
}

/** Searches the sessions that one user may see on a hub. */
export class HubSearch {
  readonly #options: HubSearchOptions;

  constructor(options: HubSearchOptions) {
    this.#options = options;
  }

  async search(options: SearchOptions, requester?: Requester): Promise<SearchPage> {
    const started = performance.now();
    const { state, search, userId, files, counts, known, trail, marking, notes } = this.#options;
    const paths = await this.#searchedPaths(options);
    // At once: they share a question.
    const [names, archived] = await Promise.all([marking.names(), marking.sharedArchived()]);
    const task = await searchTask(options, paths, {
      marks: state.marks,
      names,
      live: NONE,
      archived,
      expiring: async () => [],
      ended: (outcome) => known.ended(outcome),
      notes,
      bookmarks: state.bookmarks,
    });
    const searcher = { userId, counts };
    const { page, indexing, others } = await search.search(searcher, files, task, requester);
    await trail.note(others, "search");
    return {
      ...page,
      hits: page.hits.map((hit) => ({
        ...hit,
        session_title: titleOfName(names.get(hit.session_path) ?? "") || hit.session_title,
      })),
      total_is_exact: page.total_is_exact && indexing.pending === 0,
      took_ms: Math.round((performance.now() - started) * 100) / 100,
      indexing,
    };
  }

  /** `null` for all. */
  async #searchedPaths(options: SearchOptions): Promise<readonly string[] | null> {
    const { path, owner } = options;
    const { marking, known } = this.#options;
    const chosen = [
      await marking.paths(options),
      path === undefined ? null : [path],
      owner === undefined ? null : await known.pathsOf(owner),
    ];
    return chosen.reduce((paths, more) => {
      if (paths === null || more === null) return paths ?? more;
      const both = new Set(more);
      return paths.filter((one) => both.has(one));
    }, null);
  }

  async namedFiles({ prefix, limit }: NamedFilesOptions, requester?: Requester): Promise<NamedFile[]> {
    const { search, userId, files, counts, marking } = this.#options;
    const archivedPaths = await marking.sharedArchived();
    const searcher = { userId, counts };
    return search.namedFiles(searcher, files, { prefix, limit, archivedPaths }, requester);
  }
}

/** Agents run on machines. */
const NONE: ReadonlySet<string> = new Set();
