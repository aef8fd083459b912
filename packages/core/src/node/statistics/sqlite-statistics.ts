import { verify } from "@sm/text-index/storage";
import { USAGE_COLUMNS } from "../catalog/index-schema.ts";
import type { SqliteDatabase } from "../storage/sqlite.ts";
import type {
  CountedChunk,
  CountedCorrection,
  CountedSession,
  RollupRow,
  StatisticsSource,
} from "./statistics-source.ts";

interface StoredRollup extends CountedChunk {
  rollup: Buffer;
  rollup_checksum: number;
}

/** The catalog of a library at home. */
export class SqliteStatistics implements StatisticsSource {
  readonly #catalog: SqliteDatabase;
  readonly #statements;

  constructor(catalog: SqliteDatabase) {
    this.#catalog = catalog;
    this.#statements = {
      version: catalog.prepare("PRAGMA data_version").pluck(),
      generation: catalog.prepare("SELECT total(generation) FROM contents").pluck(),
      // The plus keeps SQLite from using an index for each session.
      sessions: catalog.prepare<[], CountedSession>(
        "SELECT key, project, format, created_at AS createdAt, path FROM files WHERE +status = 'session' ORDER BY key",
      ),
      subagents: catalog.prepare<[], number>("SELECT key FROM files WHERE folded = 1").pluck(),
      rollups: catalog.prepare<[], StoredRollup>(
        "SELECT id, entries, rollup, rollup_checksum FROM activity ORDER BY id",
      ),
      chunks: catalog.prepare<[], CountedChunk>("SELECT id, entries FROM activity ORDER BY id"),
      rollup: catalog.prepare<[number], StoredRollup>(
        "SELECT id, entries, rollup, rollup_checksum FROM activity WHERE id = ?",
      ),
      details: catalog
        .prepare<[number], Buffer>("SELECT details FROM activity WHERE id = ? AND verified(checksum, id, details)")
        .pluck(),
      outline: catalog
        .prepare<[number], Buffer>("SELECT entries FROM outlines WHERE id = ? AND verified(checksum, id, entries)")
        .pluck(),
      corrections: catalog.prepare<[], CountedCorrection>(
        `SELECT key, ordinal, ${USAGE_COLUMNS.join(", ")} FROM corrections`,
      ),
      answered: catalog
        .prepare<[key: number, first: number, end: number], number>(
          "SELECT ordinal FROM answers WHERE key = ? AND ordinal >= ? AND ordinal < ?",
        )
        .pluck(),
      longestFirst: catalog.prepare<[], Pick<CountedSession, "key" | "path">>(
        "SELECT key, path FROM files WHERE status = 'session' ORDER BY message_count DESC, key DESC",
      ),
      skipped: catalog.prepare<[], number>("SELECT count(*) FROM files WHERE status = 'skipped'").pluck(),
    };
  }

  reading<T>(read: () => T): T {
    return this.#catalog.transaction(read).deferred();
  }

  version(): unknown {
    return this.#statements.version.get();
  }

  generation(): unknown {
    return this.#statements.generation.get();
  }

  sessions(): CountedSession[] {
    return this.#statements.sessions.all();
  }

  subagents(): number[] {
    return this.#statements.subagents.all();
  }

  *rollups(): Generator<RollupRow> {
    for (const row of this.#statements.rollups.iterate()) yield verified(row);
  }

  chunks(): Iterable<CountedChunk> {
    return this.#statements.chunks.iterate();
  }

  rollup(id: number): RollupRow | undefined {
    const row = this.#statements.rollup.get(id);
    return row === undefined ? undefined : verified(row);
  }

  details(id: number): Uint8Array | undefined {
    return this.#statements.details.get(id);
  }

  outline(id: number): Uint8Array | undefined {
    return this.#statements.outline.get(id);
  }

  corrections(): Iterable<CountedCorrection> {
    return this.#statements.corrections.iterate();
  }

  answered(key: number, first: number, end: number): number[] {
    return this.#statements.answered.all(key, first, end);
  }

  longestFirst(): Iterable<Pick<CountedSession, "key" | "path">> {
    return this.#statements.longestFirst.iterate();
  }

  skipped(): number {
    return this.#statements.skipped.get() ?? 0;
  }
}

/** @throws IndexError where the row is damaged. */
function verified({ id, entries, rollup, rollup_checksum }: StoredRollup): RollupRow {
  verify(rollup_checksum, id, entries, rollup);
  return { id, entries, rollup };
}
