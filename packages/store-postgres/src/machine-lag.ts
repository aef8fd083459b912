import { sql } from "drizzle-orm";
import type { Queries } from "./database/database.ts";

/** Most machines that have figures of their own: whoever collects them keeps a series for each. */
const MOST_MACHINES = 200;
/** Those that have been silent for longer have no figures any more. */
const FORGOTTEN_AFTER = "30 days";

export interface MachineLag {
  machineId: string;
  heardSeconds: number;
  waitingFiles: number;
  /** Of what has waited longest; 0 where nothing waits. */
  waitingSeconds: number;
}

const IS_POSTPONED = sql`coalesce(retry_at > now(), false)`;

/** What all machines have sent and is not in the catalog yet. Asked as the service. */
export async function waitingFiles(db: Queries): Promise<{ files: number; seconds: number; postponed: number }> {
  const { rows } = await db.execute<{ files: number; seconds: number; postponed: number }>(sql`
    SELECT count(DISTINCT (user_id, file_key)) FILTER (WHERE NOT ${IS_POSTPONED})::int AS files,
      coalesce(extract(epoch FROM now() - min(requested_at) FILTER (WHERE NOT ${IS_POSTPONED})), 0)::float8 AS seconds,
      count(DISTINCT (user_id, file_key)) FILTER (WHERE ${IS_POSTPONED})::int AS postponed
    FROM index_requests`);
  return rows[0] ?? { files: 0, seconds: 0, postponed: 0 };
}

/** How far each machine is, those that have sent last, and how many there are in all. Asked as the service. */
export async function machineLags(db: Queries): Promise<{ machines: number; lags: MachineLag[] }> {
  const counted = await db.execute<{ machines: number }>(sql`SELECT count(DISTINCT id)::int AS machines FROM machines`);
  const { rows } = await db.execute<{ id: string; heard: number; files: number; seconds: number }>(sql`
    SELECT id, extract(epoch FROM now() - seen_at)::float8 AS heard, coalesce(files, 0)::int AS files,
      coalesce(extract(epoch FROM now() - since), 0)::float8 AS seconds
    FROM (
      SELECT id, max(last_seen_at) AS seen_at FROM machines
      WHERE last_seen_at > now() - ${FORGOTTEN_AFTER}::interval GROUP BY id ORDER BY seen_at DESC LIMIT ${MOST_MACHINES}
    ) AS heard
    LEFT JOIN (
      SELECT machine_id, count(DISTINCT (user_id, file_key)) AS files, min(requested_at) AS since
      FROM index_requests WHERE NOT ${IS_POSTPONED} GROUP BY machine_id
    ) AS waiting ON machine_id = id`);
  const lags = rows.map(({ id, heard, files, seconds }) => {
    // Clocks are set now and then.
    return {
      machineId: id,
      heardSeconds: Math.max(0, heard),
      waitingFiles: files,
      waitingSeconds: Math.max(0, seconds),
    };
  });
  return { machines: counted.rows[0]?.machines ?? 0, lags };
}
