import type { LibraryLog } from "@sm/core/state";
import { sql } from "drizzle-orm";
import { PostgresDatabase } from "../database/database.ts";
import { defaultRetention } from "./retention-rules.ts";

/**
 * For how many days a hub keeps sessions of users who have no rule for all their sessions; `null`: for ever.
 *
 * @param days what to set; left out, nothing is changed. Rejects as `PostgresDatabase.open` does.
 */
export async function hubRetention(
  { url, log }: { url: string; log: LibraryLog },
  days?: number | null,
): Promise<number | null> {
  const database = await PostgresDatabase.open({ url, log });
  try {
    return await database.asService(async (db) => {
      if (days !== undefined) await db.execute(sql`UPDATE hub SET retention_days = ${days}`);
      return defaultRetention(db);
    });
  } finally {
    await database.close();
  }
}
