import type { NamedFile, Requester, SearchPage } from "@sm/core";
import type { NamedFilesTask, RemoteFiles, RemoteReaders, SearchTask } from "@sm/core/remote";
import type { SessionCounts } from "../catalog/session-counts.ts";
import type { PostgresDatabase } from "../database/database.ts";
import { Snapshot } from "../database/snapshot.ts";
import type { LineReader } from "../files/line-reader.ts";
import { searchSource } from "./search-source.ts";
import { StoredTexts } from "./stored-texts.ts";

export interface TextSearchOptions {
  database: PostgresDatabase;
  readers: RemoteReaders;
  lines: LineReader;
}

/** Who searches. */
export interface Searcher {
  userId: string;
  /** Of the user's sessions. */
  counts: SessionCounts;
}

/** Searches the texts of sessions in PostgreSQL, as a library at home searches its index. */
export class TextSearch {
  readonly #options: TextSearchOptions;

  constructor(options: TextSearchOptions) {
    this.#options = options;
  }

  /** @param files of the user's sessions. Rejects with AppError INVALID_PAYLOAD for an invalid query or cursor. */
  search(
    searcher: Searcher,
    files: RemoteFiles,
    task: SearchTask,
    requester?: Requester,
  ): Promise<Omit<SearchPage, "indexing" | "took_ms">> {
    return this.#asking(searcher, files, (reader) =>
      reader.quickly("searchRemote", { index: searcher.userId, task }, requester),
    );
  }

  /** Finds names of files in tool calls. */
  namedFiles(
    searcher: Searcher,
    files: RemoteFiles,
    task: NamedFilesTask,
    requester?: Requester,
  ): Promise<NamedFile[]> {
    return this.#asking(searcher, files, (reader) =>
      reader.quickly("namedFilesRemote", { index: searcher.userId, task }, requester),
    );
  }

  async #asking<T>(
    { userId, counts }: Searcher,
    files: RemoteFiles,
    ask: (reader: ReturnType<RemoteReaders["of"]>) => Promise<T>,
  ): Promise<T> {
    const { database, readers, lines } = this.#options;
    const snapshot = new Snapshot(database, userId);
    const texts = new StoredTexts(() => snapshot.queries(), { lines, counts });
    try {
      return await ask(readers.of(searchSource(texts, files)));
    } finally {
      await snapshot.end();
    }
  }
}
