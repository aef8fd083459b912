import { dirname } from "node:path";
import type { EntryTitle } from "../../format/format.ts";
import type { Outline, OutlineEntry } from "../../session/outline.ts";
import type { SqliteDatabase } from "../storage/sqlite.ts";

/** Sessions of one folder, the newest, that are looked at for one that has an entry. */
const MAX_UNTITLED = 1_000;

/** A session in whose folder titles may be told. */
export interface TitledFile {
  key: number;
  path: string;
  outline: Outline;
  /** The first entry that is new. */
  resumedAt: number;
}

/**
 * Titles that files tell of other sessions in their folder, by an entry: the newest entry that has one decides, and of
 * several for one entry that of the file that was created last. A title stays when the file that tells it goes.
 */
export class ToldTitles {
  readonly #entries: (key: number, entryCount: number) => Iterable<OutlineEntry>;
  readonly #statements;
  /** Entries with another title than before this transaction, by folder. */
  readonly #concerned = new Map<string, Set<string>>();

  /** @param entries of the outline of a session. */
  constructor(client: SqliteDatabase, entries: (key: number, entryCount: number) => Iterable<OutlineEntry>) {
    const titles = (condition: string) => `
      SELECT entry, title FROM told_titles JOIN files USING (key)
      WHERE folder = checksum(@folder) ${condition} ORDER BY created_at, path`;
    this.#entries = entries;
    this.#statements = {
      anyIn: client
        .prepare<[folder: string], 1>("SELECT 1 FROM told_titles WHERE folder = checksum(?) LIMIT 1")
        .pluck(),
      inFolder: client.prepare<[{ folder: string }], TitleRow>(titles("")),
      ofEntries: client.prepare<[{ folder: string; entries: string }], TitleRow>(
        titles("AND entry IN (SELECT value FROM json_each(@entries))"),
      ),
      put: client.prepare<[folder: string, entry: string, key: number, title: string]>(
        "INSERT OR REPLACE INTO told_titles (folder, entry, key, title) VALUES (checksum(?), ?, ?, ?)",
      ),
      move: client.prepare<[folder: string, key: number]>(
        "UPDATE OR REPLACE told_titles SET folder = checksum(?) WHERE key = ?",
      ),
      putUntitled: client.prepare<[key: number, folder: string]>(
        "INSERT OR REPLACE INTO untitled (key, folder) VALUES (?, checksum(?))",
      ),
      untitled: client.prepare<[folder: string], { key: number; entryCount: number }>(
        `SELECT key, entry_count AS entryCount FROM untitled JOIN files USING (key)
        WHERE folder = checksum(?) ORDER BY key DESC LIMIT ${MAX_UNTITLED}`,
      ),
    };
  }

  /** Keeps what a file tells of others. */
  put({ key, path }: Pick<TitledFile, "key" | "path">, titles: readonly EntryTitle[]): void {
    const folder = dirname(path);
    for (const { entryId, title } of titles) {
      const entries = JSON.stringify([entryId]);
      const titleNow = () => this.#statements.ofEntries.all({ folder, entries }).at(-1)?.title;
      const before = titleNow();
      this.#statements.put.run(folder, entryId, key, title);
      if (titleNow() === before) continue;
      const concerned = this.#concerned.get(folder) ?? new Set();
      this.#concerned.set(folder, concerned.add(entryId));
    }
  }

  /** Takes note of a session that is new at its place, of which others may tell. */
  placed({ key, path }: Pick<TitledFile, "key" | "path">): void {
    const folder = dirname(path);
    this.#statements.move.run(folder, key);
    this.#statements.putUntitled.run(key, folder);
  }

  /** What is told of the new entries of a session; `undefined`: in its folder nothing is told at all. */
  find({ path, outline, resumedAt }: Omit<TitledFile, "key">): string | null | undefined {
    const folder = dirname(path);
    if (this.#statements.anyIn.get(folder) === undefined) return undefined;
    const ids = Array.from({ length: outline.count - resumedAt }, (_, at) => outline.id(resumedAt + at));
    const rows =
      resumedAt === 0
        ? this.#statements.inFolder.all({ folder })
        : this.#statements.ofEntries.all({ folder, entries: JSON.stringify(ids) });
    let newest = -1;
    let found: string | null = null;
    for (const { entry, title } of rows) {
      const ordinal = outline.ordinalOf(entry);
      if (ordinal < 0 || ordinal < newest) continue;
      newest = ordinal;
      found = title;
    }
    return found;
  }

  /** Forgets a transaction that was not completed. */
  begin(): void {
    this.#concerned.clear();
  }

  /** Gives the sessions that have an entry with another title than before, with the title that counts. */
  *settle(): Generator<{ key: number; title: string }> {
    for (const [folder, concerned] of this.#concerned) {
      const titles = new Map(this.#statements.inFolder.all({ folder }).map(({ entry, title }) => [entry, title]));
      for (const { key, entryCount } of this.#statements.untitled.all(folder)) {
        let isConcerned = false;
        let newest: string | null = null;
        for (const { id } of this.#entries(key, entryCount)) {
          const title = titles.get(id);
          if (title === undefined) continue;
          newest = title;
          isConcerned ||= concerned.has(id);
        }
        if (isConcerned && newest !== null) yield { key, title: newest };
      }
    }
    this.#concerned.clear();
  }
}

interface TitleRow {
  entry: string;
  title: string;
}
