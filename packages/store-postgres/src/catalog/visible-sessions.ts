import { type SQL, sql } from "drizzle-orm";

/**
 * All sessions that the user may see, for the `FROM` of a query that reads most of them. In two parts: by one condition
 * for own and shared ones, PostgreSQL reads the rows of everybody where users are few.
 *
 * @param columns their names.
 */
export function visibleSessions(columns: string): SQL {
  const some = sql.raw(columns);
  return sql`(
    SELECT ${some} FROM sessions WHERE removed_at IS NULL AND user_id = (SELECT own_user_id())
    UNION ALL
    SELECT ${some} FROM sessions WHERE removed_at IS NULL AND user_id <> (SELECT own_user_id())
      AND shared_project_id = ANY ((SELECT visible_shared_projects())::uuid[]))`;
}
