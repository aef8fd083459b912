import { type Correction, countedUsage, decodeSummary, PriceList } from "@sm/core/remote";
import { inArray, sql } from "drizzle-orm";
import type { Queries } from "../database/database.ts";
import { correctionsOf } from "./answers.ts";
import { column } from "./rows.ts";
import { sessions } from "./schema.ts";

const PRICES = new PriceList({});

/** US dollars that a session is counted with, recorded and estimated: what lists are sorted by. */
export function costOf(stored: Parameters<typeof decodeSummary>[0], corrections: readonly Correction[]): number {
  const { cost_usd: recorded, estimated_cost_usd: estimated } = countedUsage(
    decodeSummary(stored).state,
    corrections,
    PRICES,
  );
  return (recorded ?? 0) + (estimated ?? 0);
}

/**
 * Keeps the costs of sessions whose answers others have too.
 *
 * @param written sessions whose rows have the cost without corrections.
 * @param corrected sessions that are counted otherwise than before.
 */
export async function settleCosts(
  db: Queries,
  written: readonly number[],
  corrected: readonly number[],
): Promise<void> {
  const corrections = await correctionsOf(db, [...written, ...corrected]);
  const keys = [...new Set([...corrections.keys(), ...corrected])];
  if (keys.length === 0) return;
  const { key, summary, sessionId, format, project } = sessions;
  const rows = await db.select({ key, summary, sessionId, format, project }).from(sessions).where(inArray(key, keys));
  const costs = rows.map((row) => ({ key: row.key, cost: costOf(row, corrections.get(row.key) ?? []) }));
  await db.execute(sql`
    UPDATE sessions SET cost = c.cost
    FROM unnest(${column(costs, "key")}::bigint[], ${column(costs, "cost")}::double precision[]) AS c (key, cost)
    WHERE sessions.key = c.key AND sessions.cost IS DISTINCT FROM c.cost`);
}
