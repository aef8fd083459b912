import { hubPath, type SessionRecord, type Usage } from "@sm/core";
import { addUsage, countedUsage, decodeSummary, noUsage, type PriceList, recordOf, titleOfName } from "@sm/core/remote";
import { and, inArray, isNull, sql } from "drizzle-orm";
import type { Queries } from "../database/database.ts";
import { correctionsOf } from "./answers.ts";
import { machineFile } from "./hub-path.ts";
import { sessions } from "./schema.ts";

// As text: in a query of one table, Drizzle leaves out its name.
const PARENT_PATH = sql<
  string | null
>`(SELECT parents.path FROM sessions AS parents WHERE parents.key = sessions.parent_key)`;

const MACHINE_NAME = sql<
  string | null
>`(SELECT name FROM machines WHERE machines.user_id = sessions.user_id AND machines.id = sessions.machine_id)`;

const IS_OWN = sql<boolean>`sessions.user_id = own_user_id()`;
/** Of somebody else. */
const OWNER = sql<
  string | null
>`CASE WHEN sessions.user_id <> own_user_id() THEN (SELECT name FROM users WHERE users.id = sessions.user_id) END`;
/** The name that somebody else has given their session apart from its file. */
const GIVEN_NAME = sql<string | null>`CASE WHEN sessions.user_id <> own_user_id() THEN (
  SELECT n.name FROM marked_sessions m JOIN session_names n ON n.user_id = m.user_id AND n.session_key = m.key
  WHERE m.user_id = sessions.user_id AND m.path = sessions.path) END`;

/** What a record is made from. */
const STORED = {
  key: sessions.key,
  path: sessions.path,
  machineId: sessions.machineId,
  size: sessions.size,
  modifiedAt: sessions.fileModifiedAt,
  sessionId: sessions.sessionId,
  format: sessions.format,
  project: sessions.project,
  summary: sessions.summary,
};

interface SubagentSum {
  count: number;
  usage: Usage;
}

/**
 * Makes the records of sessions, by their keys, as far as the catalog knows them: without marks. Those that are gone are
 * left out.
 */
export async function sessionRecords(
  db: Queries,
  keys: readonly number[],
  prices: PriceList,
): Promise<Map<number, SessionRecord>> {
  const { relation, entryCount, indexedCount } = sessions;
  const rows = await db
    .select({
      ...STORED,
      relation,
      entryCount,
      indexedCount,
      ...{ parentPath: PARENT_PATH, machine: MACHINE_NAME, isOwn: IS_OWN, owner: OWNER, givenName: GIVEN_NAME },
    })
    .from(sessions)
    .where(and(inArray(sessions.key, [...keys]), isNull(sessions.removedAt)));
  const corrections = await correctionsOf(db, keys);
  const sums = await subagentSums(db, keys, prices);
  return new Map(
    rows.map((row) => {
      const { key, machineId, relation, parentPath, entryCount, indexedCount } = row;
      const summary = decodeSummary(row);
      // Whoever continues it does so on its machine.
      const record = recordOf(summary, { ...row, path: machineFile(row.path)?.path ?? row.path });
      record.path = row.path;
      record.machine = row.machine;
      record.owner = row.owner;
      if (row.givenName !== null) {
        record.name = row.givenName;
        record.title = titleOfName(row.givenName) || record.title;
      }
      const told = record.parent_session_path;
      record.usage = countedUsage(summary.state, corrections.get(key) ?? [], prices);
      // Of others, a parent that is not shared is not told of.
      const toldPath = told === null || !row.isOwn ? null : hubPath(machineId, told);
      record.parent_session_path = parentPath ?? toldPath;
      record.relation = relation ?? (parentPath === null ? record.relation : "fork");
      record.subagent_count = sums.get(key)?.count ?? 0;
      record.subagent_usage = sums.get(key)?.usage ?? null;
      record.indexed = indexedCount >= entryCount;
      return [key, record];
    }),
  );
}

/** All subagents below sessions, by key. */
async function subagentSums(
  db: Queries,
  keys: readonly number[],
  prices: PriceList,
): Promise<ReadonlyMap<number, SubagentSum>> {
  const { rows } = await db.execute<{ root: string; key: string }>(sql`
    WITH RECURSIVE below (root, key) AS (
      SELECT parent_key, key FROM sessions WHERE parent_key = ANY (${sql.param([...keys])}::bigint[]) AND folded
        AND removed_at IS NULL
      UNION SELECT root, s.key FROM below JOIN sessions s ON s.parent_key = below.key WHERE s.folded
        AND s.removed_at IS NULL
    ) SELECT root, key FROM below`);
  const sums = new Map<number, SubagentSum>();
  if (rows.length === 0) return sums;
  const stored = await db
    .select(STORED)
    .from(sessions)
    .where(inArray(sessions.key, [...new Set(rows.map(({ key }) => Number(key)))]));
  const below = stored.map(({ key }) => key);
  const corrections = await correctionsOf(db, below);
  const usages = new Map(
    stored.map((row) => [row.key, countedUsage(decodeSummary(row).state, corrections.get(row.key) ?? [], prices)]),
  );
  for (const row of rows) {
    const root = Number(row.root);
    const usage = usages.get(Number(row.key));
    if (usage === undefined) continue;
    const sum = sums.get(root) ?? { count: 0, usage: noUsage() };
    sum.count++;
    addUsage(sum.usage, usage);
    sums.set(root, sum);
  }
  return sums;
}
