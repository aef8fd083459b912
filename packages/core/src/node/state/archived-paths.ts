import { setImmediate as turn } from "node:timers/promises";
import type { StateConnection } from "./connection.ts";

/** A millisecond or two. */
const PATHS_AT_ONCE = 1_000;
/** After so many that met a change, all are read at once. */
const MOST_ROUNDS = 5;

interface ArchivedPath {
  key: number;
  path: string;
}

/**
 * Paths of the archived sessions, in memory: lists and searches ask for all of them, and to read 50,000 takes longer than
 * the main thread may be busy. Read again only when another process has written; own changes are applied.
 */
export class ArchivedPaths {
  readonly #connection: StateConnection;
  readonly #some;
  #read: { othersVersion: number; paths: ReadonlySet<string> } | null = null;
  /** Grows with each own change. */
  #ownVersion = 0;

  constructor(connection: StateConnection) {
    this.#connection = connection;
    this.#some = connection.client.prepare<[after: number, most: number], ArchivedPath>(
      `SELECT key, path FROM archived_sessions JOIN marked_sessions ON key = session_key
        WHERE session_key > ? ORDER BY session_key LIMIT ?`,
    );
  }

  /** The same set until it has changed. Others have their turn while it is read. */
  async current(): Promise<ReadonlySet<string>> {
    for (let round = 1; ; round++) {
      const { othersVersion } = this.#connection;
      if (this.#read?.othersVersion === othersVersion) return this.#read.paths;
      const ownVersion = this.#ownVersion;
      const most = round < MOST_ROUNDS ? PATHS_AT_ONCE : Number.MAX_SAFE_INTEGER;
      const paths = new Set<string>();
      for (let after = -1; ; ) {
        const rows = this.#connection.read(() => this.#some.all(after, most));
        for (const { path } of rows) paths.add(path);
        const last = rows.at(-1);
        if (last === undefined || rows.length < most) break;
        after = last.key;
        await turn();
      }
      if (othersVersion === this.#connection.othersVersion && ownVersion === this.#ownVersion) {
        return this.#keep(othersVersion, paths);
      }
    }
  }

  #keep(othersVersion: number, paths: ReadonlySet<string>): ReadonlySet<string> {
    const known = this.#read?.paths;
    const isSame = known?.size === paths.size && [...paths].every((path) => known.has(path));
    this.#read = { othersVersion, paths: known !== undefined && isSame ? known : paths };
    return this.#read.paths;
  }

  /** To be called after paths were archived, or no longer are. */
  changed(paths: readonly string[], isArchived: boolean): void {
    if (paths.length === 0) return;
    this.#ownVersion++;
    if (this.#read === null) return;
    const changed = new Set(this.#read.paths);
    for (const path of paths) {
      if (isArchived) changed.add(path);
      else changed.delete(path);
    }
    this.#read = { ...this.#read, paths: changed };
  }

  /** To be called after marks of these paths went elsewhere. */
  left(paths: readonly string[]): void {
    this.#ownVersion++;
    if (paths.some((path) => this.#read?.paths.has(path))) this.#read = null;
  }
}
