import type { IndexPlace } from "../storage/index-place.ts";
import type { SqliteDatabase } from "../storage/sqlite.ts";
import type { Catalog } from "./catalog.ts";
import { shardPath } from "./index-databases.ts";

/** A session of which the catalog and its text database do not say the same. */
interface Differing {
  key: number;
  path: string;
  entryCount: number;
  /** Entries that are searchable, `null` where the text database does not know the session. */
  searchable: number | null;
}

/**
 * Brings the catalog into line with the text databases. After a power cut, or where somebody has restored a copy, each
 * may be of another age. What was written last is then not there, or not known:
 * - text that the catalog takes for searchable is indexed again from where its text database stands;
 * - sessions of which a text database knows more than the catalog, or nothing any more, are forgotten, for the next
 *   comparison to read them as new ones;
 * - keys that a text database knows are never given to another content.
 *
 * @param client the connection of the catalog.
 */
export function reconcile(client: SqliteDatabase, catalog: Catalog, place: IndexPlace): void {
  for (let shard = 0; shard < place.shards; shard++) {
    client.prepare("ATTACH ? AS text").run(shardPath(place, shard));
    try {
      const highest = Number(client.prepare("SELECT max(key) FROM text.progress").pluck().get() ?? 0);
      const last = Number(client.prepare("SELECT seq FROM sqlite_sequence WHERE name = 'files'").pluck().get() ?? 0);
      // The statement selects these columns.
      const differing = client.prepare(DIFFERING_SQL).all(shard) as Differing[];
      if (highest <= last && differing.length === 0) continue;
      catalog.write(() => {
        if (highest > last) keepFrom(client, highest);
        for (const { key, path, entryCount, searchable } of differing) {
          if (searchable !== null && searchable <= entryCount) catalog.markIndexed([{ key, entries: searchable }]);
          else catalog.remove(path);
        }
      });
    } finally {
      client.prepare("DETACH text").run();
    }
  }
}

/** A process that was killed leaves more entries searchable than the catalog says: that is no difference. */
const DIFFERING_SQL = `
SELECT files.key, path, entry_count AS entryCount, progress.entries AS searchable
FROM main.files LEFT JOIN text.progress ON progress.key = files.key
WHERE +status IN ('session', 'away') AND shard = ?
  AND (ifnull(progress.entries, 0) < indexed_count OR progress.entries > entry_count)`;

/** Lets keys begin behind `highest`. */
function keepFrom(client: SqliteDatabase, highest: number): void {
  client.prepare("DELETE FROM sqlite_sequence WHERE name = 'files'").run();
  client.prepare("INSERT INTO sqlite_sequence (name, seq) VALUES ('files', ?)").run(highest);
}
