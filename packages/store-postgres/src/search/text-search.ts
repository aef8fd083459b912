import type { NamedFile, Requester, SearchPage } from "@sm/core";
import type { NamedFilesTask, RemoteFiles, RemoteReaders, SearchTask } from "@sm/core/remote";
import type { OthersSession } from "../catalog/others-session.ts";
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

/** What was found, and what the same moment knows beside it. */
export interface FoundTexts {
  page: Omit<SearchPage, "indexing" | "took_ms">;
  indexing: SearchPage["indexing"];
  /** Whom sessions on the page belong to, where that is somebody else. */
  others: OthersSession[];
}

/** Searches the texts of sessions in PostgreSQL, as a library at home searches its index. */
export class TextSearch {
  readonly #options: TextSearchOptions;

  constructor(options: TextSearchOptions) {
    this.#options = options;
  }

  /** @param files of the user's sessions. Rejects with AppError INVALID_PAYLOAD for an invalid query or cursor. */
  async search(searcher: Searcher, files: RemoteFiles, task: SearchTask, requester?: Requester): Promise<FoundTexts> {
    const { answer: page, texts } = await this.#asking(searcher, files, (reader) =>
      reader.quickly("searchRemote", { index: searcher.userId, task }, requester),
    );
    const paths = new Set(page.hits.map((hit) => hit.session_path));
    return { page, indexing: texts.indexing, others: [...paths].flatMap((path) => texts.others.get(path) ?? []) };
  }

  /** Finds names of files in tool calls. */
  async namedFiles(
    searcher: Searcher,
    files: RemoteFiles,
    task: NamedFilesTask,
    requester?: Requester,
  ): Promise<NamedFile[]> {
    const { answer } = await this.#asking(searcher, files, (reader) =>
      reader.quickly("namedFilesRemote", { index: searcher.userId, task }, requester),
    );
    return answer;
  }

  async #asking<T>(
    { userId, counts }: Searcher,
    files: RemoteFiles,
    ask: (reader: ReturnType<RemoteReaders["of"]>) => Promise<T>,
  ): Promise<{ answer: T; texts: StoredTexts }> {
    const { database, readers, lines } = this.#options;
    const snapshot = new Snapshot(database, userId);
    const texts = new StoredTexts(() => snapshot.queries(), { userId, lines, counts });
    try {
      return { answer: await ask(readers.of(searchSource(texts, files))), texts };
    } finally {
      // Nobody waits for the end of a transaction that has only read.
      void snapshot.end();
    }
  }
}
