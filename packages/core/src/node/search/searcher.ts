import type { NamedFile } from "../../library.ts";
import { parseQuery } from "../../search/query.ts";
import type { SqliteDatabase } from "../storage/sqlite.ts";
import { cacheShare } from "../threads/cache-budget.ts";
import type { CurrentTask } from "../threads/unwanted.ts";
import { answer, type SearchAnswer } from "./answer-query.ts";
import { LiveDocs } from "./living.ts";
import { namedFiles } from "./named-files.ts";
import type { NamedFilesTask, SearchTask } from "./search-tasks.ts";
import { Sessions } from "./session-attributes.ts";
import { SqliteTextCatalog, Texts } from "./texts.ts";

/** Runs searches on the catalog and the text databases, opened read-only. */
export class Searcher {
  readonly #catalog: SqliteDatabase;
  readonly #sessions: Sessions;
  readonly #texts: Texts;
  readonly #shards: { database: SqliteDatabase; documents: LiveDocs }[];

  /** @param cacheBytes room for posting lists of each text database. */
  constructor(
    catalog: SqliteDatabase,
    shards: readonly SqliteDatabase[],
    cacheBytes = cacheShare("quick", shards.length).text,
  ) {
    this.#catalog = catalog;
    this.#sessions = new Sessions(catalog);
    this.#texts = new Texts(new SqliteTextCatalog(catalog));
    this.#shards = shards.map((database) => ({ database, documents: new LiveDocs(database, cacheBytes) }));
  }

  /** @throws AppError INVALID_PAYLOAD for an invalid query or cursor; UnwantedError. */
  search(task: SearchTask, current: CurrentTask): SearchAnswer {
    const query = parseQuery(task.query);
    return this.#reading(() => {
      const living = this.#sessions.living();
      const segments = this.#shards.flatMap(({ documents }) => documents.refresh(living));
      try {
        return answer(task, query, { segments, sessions: this.#sessions, texts: this.#texts }, current);
      } finally {
        this.#texts.close();
      }
    });
  }

  /** Finds names of files in tool calls. @throws UnwantedError */
  namedFiles({ archivedPaths, ...wanted }: NamedFilesTask, current: CurrentTask): NamedFile[] {
    return this.#reading(() => {
      const living = this.#sessions.living();
      const archived = this.#sessions.archived(archivedPaths);
      const segments = this.#shards.flatMap(({ documents }) => documents.refresh(living));
      return namedFiles(wanted, segments, (key) => !archived.has(key), current);
    });
  }

  /** Bytes of the text databases that it keeps in memory. */
  get cachedBytes(): number {
    return this.#shards.reduce((sum, { documents }) => sum + documents.cachedBytes, 0);
  }

  /** Runs `read` on a consistent snapshot of all databases. */
  #reading<T>(read: () => T): T {
    const databases = [this.#catalog, ...this.#shards.map(({ database }) => database)];
    return databases.reduce<() => T>((inner, database) => () => database.transaction(inner).deferred(), read)();
  }
}
