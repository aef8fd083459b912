import type { IndexPlace } from "../storage/index-place.ts";
import type { SqliteDatabase } from "../storage/sqlite.ts";
import type { ListChange } from "./found-files.ts";
import { catalogPath } from "./index-databases.ts";

/** What changes in the list of sessions where another catalog takes the place of this one, by path. */
export function successorChanges(client: SqliteDatabase, successor: IndexPlace): Map<string, ListChange> {
  client.prepare("ATTACH ? AS successor").run(catalogPath(successor));
  try {
    // The statement selects these columns, `change` as one of three words.
    const rows = client.prepare(CHANGES_SQL).all() as { path: string; change: ListChange }[];
    return new Map(rows.map(({ path, change }) => [path, change]));
  } finally {
    client.prepare("DETACH successor").run();
  }
}

const IS_SAME_PATH = "checksum(old.path) = checksum(new.path) AND old.path = new.path";

const CHANGES_SQL = `
SELECT new.path, iif(old.key IS NULL, 'added', 'changed') AS change
FROM successor.files AS new
JOIN successor.summaries AS new_summary ON new_summary.key = new.key
LEFT JOIN main.files AS old ON ${IS_SAME_PATH} AND +old.status = 'session'
LEFT JOIN main.summaries AS old_summary ON old_summary.key = old.key
WHERE new.status = 'session' AND (
  old_summary.summary IS NOT new_summary.summary OR old.size IS NOT new.size OR old.session_id IS NOT new.session_id
  OR old.project IS NOT new.project OR old.format IS NOT new.format
  OR old.modified_at IS NOT new.modified_at OR old.created_at IS NOT new.created_at
  OR old.relation IS NOT new.relation OR old.folded IS NOT new.folded
  OR old.parent_reference IS NOT new.parent_reference OR old.origin IS NOT new.origin
  OR new.key IN (SELECT parent FROM successor.files WHERE folded = 1)
  OR new.key IN (SELECT key FROM successor.corrections) OR old.key IN (SELECT key FROM main.corrections)
)
UNION ALL
SELECT old.path, 'removed' AS change
FROM main.files AS old LEFT JOIN successor.files AS new ON ${IS_SAME_PATH} AND +new.status = 'session'
WHERE old.status = 'session' AND new.key IS NULL`;
