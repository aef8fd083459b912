import type { PostgresDatabase, Queries } from "./database.ts";

/**
 * What one user may see at one moment, for whoever asks several questions. The moment is that of the first question: who
 * waits for its turn needs no connection.
 */
export class Snapshot {
  readonly #database: PostgresDatabase;
  readonly #userId: string;
  #queries: Promise<Queries> | null = null;
  #end = (): void => undefined;
  #ended: Promise<void> | null = null;

  constructor(database: PostgresDatabase, userId: string) {
    this.#database = database;
    this.#userId = userId;
  }

  /** Rejects with AppError `UNAVAILABLE` where the database does not answer. */
  queries(): Promise<Queries> {
    this.#queries ??= this.#begin();
    return this.#queries;
  }

  /** Gives the connection back. What still runs may fail. */
  async end(): Promise<void> {
    this.#end();
    // Told to whoever has asked.
    await this.#ended?.catch(() => undefined);
  }

  #begin(): Promise<Queries> {
    return new Promise((resolve, reject) => {
      const end = new Promise<void>((resolveEnd) => {
        this.#end = resolveEnd;
      });
      const given = (db: Queries) => {
        resolve(db);
        return end;
      };
      this.#ended = this.#database.readVisible(this.#userId, given, { byKeys: true });
      this.#ended.catch(reject);
    });
  }
}
