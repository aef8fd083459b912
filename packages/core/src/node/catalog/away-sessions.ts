import { isDeepStrictEqual } from "node:util";
import { work } from "../session-file/work.ts";
import type { QueryBuilder } from "../storage/queries.ts";
import type { CatalogStatements } from "./catalog-rows.ts";
import type { DerivedRows } from "./derived-rows.ts";
import { missingDirectories } from "./index-schema.ts";
import type { KnownFile } from "./known-file.ts";
import type { StoredFolds } from "./stored-folds.ts";

/** What a comparison has found of missing directories. */
export interface MissingSessions {
  /** By path, since when in milliseconds since 1970. */
  directories: ReadonlyMap<string, number>;
  /** Sessions to take out of every list; all that is known of them stays. */
  left: string[];
  /** Sessions to put back. */
  returned: string[];
}

export interface AwaySessionsOptions {
  db: QueryBuilder;
  statements: Pick<CatalogStatements, "setStatus">;
  folds: Pick<StoredFolds, "stored">;
  derived: Pick<DerivedRows, "relations" | "answers" | "count">;
  find(path: string): KnownFile | null;
  /** Runs a change as one transaction. */
  write(change: () => void): void;
}

/** Sessions that are in no list while their directories are missing. */
export class AwaySessions {
  readonly #options: AwaySessionsOptions;

  constructor(options: AwaySessionsOptions) {
    this.#options = options;
  }

  /** Directories with sessions that are away, and since when, in milliseconds since 1970. */
  directories(): Map<string, number> {
    const rows = this.#options.db.select().from(missingDirectories).all();
    return new Map(rows.map(({ path, since }) => [path, since]));
  }

  /** Takes note of what a comparison has found to be missing. */
  set({ directories, left, returned }: MissingSessions): void {
    const { db, write } = this.#options;
    if (left.length + returned.length === 0 && isDeepStrictEqual(directories, this.directories())) return;
    write(() => {
      db.delete(missingDirectories).run();
      for (const [path, since] of directories) db.insert(missingDirectories).values({ path, since }).run();
      this.#setAway(left, true);
      this.#setAway(returned, false);
    });
  }

  #setAway(paths: readonly string[], isAway: boolean): void {
    const { statements, folds, derived, find } = this.#options;
    for (const path of paths) {
      const known = find(path);
      if (known?.status !== "session" || known.isAway === isAway) continue;
      if (isAway) derived.relations.leaving(known.key);
      derived.answers.changing(known.key);
      statements.setStatus.run({ key: known.key, status: isAway ? "away" : "session" });
      if (!isAway) derived.relations.put({ key: known.key, path, id: folds.stored(known.key)?.sessionId ?? "" });
      derived.count(known.shard, { sessions: isAway ? -1 : 1, bytes: 0 });
      work.rowsWritten++;
    }
  }
}
