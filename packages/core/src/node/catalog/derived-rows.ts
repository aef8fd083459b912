import type { SqliteDatabase } from "../storage/sqlite.ts";
import { Answers } from "./answers.ts";
import type { CatalogStatements } from "./catalog-rows.ts";
import { Relations } from "./relations.ts";
import type { StoredFolds } from "./stored-folds.ts";
import { ToldTitles } from "./told-titles.ts";

/** What a change means for what a text database holds. */
export interface ShardChange {
  sessions: number;
  bytes: number;
  /** Whether a session is at another path. */
  isMoved?: boolean;
}

/**
 * What follows from several sessions: parents, answers that count once, titles that files tell of each other, and sums
 * by text database. All is brought up to date at the end of each transaction that changes sessions.
 */
export class DerivedRows {
  readonly #client: SqliteDatabase;
  readonly #statements: Pick<CatalogStatements, "count">;
  readonly #folds: Pick<StoredFolds, "entriesFrom" | "retitle">;
  #relations: Relations | null = null;
  #answers: Answers | null = null;
  #titles: ToldTitles | null = null;
  readonly #retitled = new Set<string>();
  /** By text database: what the transaction under way adds to `contents`. */
  readonly #counts = new Map<number, { sessions: number; bytes: number; generation: number }>();

  readonly #entries = (key: number, entryCount: number) => this.#folds.entriesFrom({ key, entryCount }, 0);

  constructor(
    client: SqliteDatabase,
    statements: Pick<CatalogStatements, "count">,
    folds: Pick<StoredFolds, "entriesFrom" | "retitle">,
  ) {
    this.#client = client;
    this.#statements = statements;
    this.#folds = folds;
  }

  // Each is prepared when it is first changed: most starts write nothing.

  get relations(): Relations {
    this.#relations ??= new Relations(this.#client, this.#entries);
    return this.#relations;
  }

  get answers(): Answers {
    this.#answers ??= new Answers(this.#client);
    return this.#answers;
  }

  get titles(): ToldTitles {
    this.#titles ??= new ToldTitles(this.#client, this.#entries);
    return this.#titles;
  }

  /** Takes note of a session before it goes, or before it is at another place. */
  leaving(key: number): void {
    this.relations.leaving(key);
    this.answers.changing(key);
  }

  /** Within a transaction, at whose end it is written. */
  count(shard: number, { sessions, bytes, isMoved = false }: ShardChange): void {
    const before = this.#counts.get(shard) ?? { sessions: 0, bytes: 0, generation: 0 };
    this.#counts.set(shard, {
      sessions: before.sessions + sessions,
      bytes: before.bytes + bytes,
      generation: before.generation + (sessions !== 0 || isMoved ? 1 : 0),
    });
  }

  /** Forgets a transaction that was not completed. */
  begin(): void {
    this.#counts.clear();
    this.#relations?.begin();
    this.#answers?.begin();
    this.#titles?.begin();
  }

  /** Writes everything that follows from what has changed in this transaction. */
  settle(): void {
    this.#relations?.settle();
    // Origins come before their forks.
    for (const key of this.#relations?.moved ?? []) this.answers.changing(key);
    this.#answers?.settle();
    for (const { key, title } of this.#titles?.settle() ?? []) {
      const path = this.#folds.retitle(key, title);
      if (path !== null) this.#retitled.add(path);
    }
    for (const [shard, counts] of this.#counts) this.#statements.count.run({ shard, ...counts });
  }

  /** Paths of sessions whose records have changed with other files since this was called last. */
  take(): string[] {
    const related = [...(this.#relations?.take() ?? []), ...(this.#answers?.take() ?? [])];
    const paths = new Set([...related, ...this.#retitled]);
    this.#retitled.clear();
    return [...paths];
  }
}
