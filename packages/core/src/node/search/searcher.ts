import { parseQuery } from "../../search/query.ts";
import type { SqliteDatabase } from "../storage/sqlite.ts";
import type { CurrentTask } from "../threads/unwanted.ts";
import { answer, type SearchAnswer } from "./answer.ts";
import type { HelpingThread } from "./helping-thread.ts";
import { LivingDocuments } from "./living.ts";
import { NO_HELP } from "./phrase-help.ts";
import type { SearchTask } from "./search-tasks.ts";
import { Sessions } from "./sessions.ts";
import { Texts } from "./texts.ts";

/** Answers searches from the catalog and the text databases, all opened for reading. */
export class Searcher {
  readonly #catalog: SqliteDatabase;
  readonly #sessions: Sessions;
  readonly #texts: Texts;
  readonly #shards: { database: SqliteDatabase; documents: LivingDocuments }[];
  readonly #helper: HelpingThread | null;

  /** @param helper looks for phrases in some of the text databases. */
  constructor(catalog: SqliteDatabase, shards: readonly SqliteDatabase[], helper: HelpingThread | null = null) {
    this.#catalog = catalog;
    this.#sessions = new Sessions(catalog);
    this.#texts = new Texts(catalog);
    this.#shards = shards.map((database) => ({ database, documents: new LivingDocuments(database) }));
    this.#helper = helper;
  }

  /** @throws AppError INVALID_PAYLOAD for a query or cursor that cannot be read; UnwantedError. */
  search(task: SearchTask, current: CurrentTask): SearchAnswer {
    const query = parseQuery(task.query);
    return this.#reading(() => {
      const living = this.#sessions.living();
      const shards = this.#shards.map(({ documents }) => documents.refresh(living));
      const help = this.#helper?.over(shards) ?? NO_HELP;
      try {
        const segments = shards.flat();
        return answer(task, query, { segments, sessions: this.#sessions, texts: this.#texts, help }, current);
      } finally {
        this.#texts.close();
      }
    });
  }

  /** Whether another thread would help from now on, if one was started. */
  get wantsHelp(): boolean {
    return this.#helper?.isWanted ?? false;
  }

  /** Has another thread help from now on. Searches may come in between. */
  async enlist(): Promise<void> {
    await this.#helper?.start();
  }

  /** Runs `read` on what all databases hold now, while others write. */
  #reading<T>(read: () => T): T {
    const databases = [this.#catalog, ...this.#shards.map(({ database }) => database)];
    return databases.reduce<() => T>((inner, database) => () => database.transaction(inner).deferred(), read)();
  }
}
