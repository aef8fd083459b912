import type pg from "pg";

/** Asked so often, a statement is worth its plan being kept by each connection. */
const OFTEN = 20;
/** Each takes some 50 KB of a connection's process. */
const MOST_NAMED = 128;
/** Of those that are counted; texts of many lengths are among them. */
const MOST_COUNTED = 1_000;

/** A query as drizzle hands it over. */
interface Query {
  name?: string | undefined;
  text: string;
}

/**
 * Names the statements of a process that are asked again and again: PostgreSQL plans a named one once for each connection
 * instead of each time, which takes longer than answering it from an index does.
 */
export class NamedStatements {
  readonly #counts = new Map<string, number>();
  readonly #names = new Map<string, string>();

  /** The connection, for queries of which the frequent ones get names. */
  over(client: pg.PoolClient): pg.PoolClient {
    const query = (config: Query | string, values?: unknown[]) =>
      typeof config === "string"
        ? client.query(config, values)
        : client.query({ ...config, name: config.name ?? this.nameOf(config.text) }, values);
    // Drizzle asks nothing else of a connection.
    return { query } as unknown as pg.PoolClient;
  }

  /** `undefined` for one that is not asked often, or one too many. */
  nameOf(text: string): string | undefined {
    const name = this.#names.get(text);
    if (name !== undefined || this.#names.size === MOST_NAMED) return name;
    const count = (this.#counts.get(text) ?? 0) + 1;
    if (count < OFTEN) {
      if (this.#counts.size === MOST_COUNTED) this.#counts.clear();
      this.#counts.set(text, count);
      return undefined;
    }
    this.#counts.delete(text);
    const given = `often_${this.#names.size}`;
    this.#names.set(text, given);
    return given;
  }
}
