import type { SqliteDatabase } from "../storage/sqlite.ts";
import { jsonOf, type SharedPaths } from "./shared-paths.ts";

/** Properties of a session that queries use. Constant for a content key. */
export interface SessionFacts {
  project: string | null;
  format: string;
}

/** The sessions that are searched, by content key. */
export interface SearchedSessions {
  ofPaths(paths: readonly string[]): ReadonlySet<number>;
  /** Archived sessions and all subagents below them. */
  archived(paths: SharedPaths): ReadonlySet<number>;
  where(isWanted: (facts: SessionFacts) => boolean): ReadonlySet<number>;
}

/** The sessions of the catalog by content key. */
export class Sessions implements SearchedSessions {
  readonly #keys;
  readonly #factsOf;
  readonly #ofPaths;
  readonly #withSubagents;
  readonly #version;
  readonly #facts = new Map<number, SessionFacts>();
  #seen: unknown = null;
  #living: ReadonlySet<number> = new Set();
  #archived: { paths: number; sessions: unknown; keys: ReadonlySet<number> } | null = null;

  constructor(catalog: SqliteDatabase) {
    this.#keys = catalog.prepare<[], number>("SELECT key FROM files WHERE status = 'session'").pluck();
    this.#factsOf = catalog.prepare<[string], SessionFacts & { key: number }>(
      "SELECT key, project, format FROM files WHERE key IN (SELECT value FROM json_each(?))",
    );
    this.#ofPaths = catalog
      .prepare<[string], number>(
        `SELECT files.key FROM json_each(?) JOIN files ON checksum(files.path) = checksum(value) AND files.path = value
          WHERE +status = 'session'`,
      )
      .pluck();
    this.#withSubagents = catalog
      .prepare<[string], number>(
        `WITH RECURSIVE found (key) AS (
          SELECT files.key FROM json_each(?) JOIN files ON checksum(files.path) = checksum(value) AND files.path = value
            WHERE +status = 'session'
          UNION SELECT files.key FROM found JOIN files ON files.parent = found.key WHERE +folded = 1
        )
        SELECT key FROM found`,
      )
      .pluck();
    this.#version = catalog.prepare("SELECT total(generation) FROM contents").pluck();
  }

  /** All sessions of the catalog; the same object while none was added or removed. */
  living(): ReadonlySet<number> {
    const version = this.#version.get();
    if (version === this.#seen) return this.#living;
    const keys = this.#keys.all();
    const isSame = keys.length === this.#living.size && keys.every((key) => this.#living.has(key));
    if (!isSame) this.#living = new Set(keys);
    this.#seen = version;
    return this.#living;
  }

  ofPaths(paths: readonly string[]): ReadonlySet<number> {
    return new Set(this.#ofPaths.all(JSON.stringify(paths)));
  }

  archived(paths: SharedPaths): ReadonlySet<number> {
    const sessions = this.#version.get();
    if (this.#archived?.paths === paths.version && this.#archived.sessions === sessions) return this.#archived.keys;
    const keys = new Set(this.#withSubagents.all(jsonOf(paths)));
    this.#archived = { paths: paths.version, sessions, keys };
    return keys;
  }

  where(isWanted: (facts: SessionFacts) => boolean): ReadonlySet<number> {
    const living = this.living();
    for (const key of this.#facts.keys()) if (!living.has(key)) this.#facts.delete(key);
    const unknown = [...living].filter((key) => !this.#facts.has(key));
    if (unknown.length > 0) {
      for (const { key, ...facts } of this.#factsOf.all(JSON.stringify(unknown))) this.#facts.set(key, facts);
    }
    const found = new Set<number>();
    for (const [key, facts] of this.#facts) if (isWanted(facts)) found.add(key);
    return found;
  }
}
