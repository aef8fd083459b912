import type { PriceList } from "../../prices/price-list.ts";
import { Expiry } from "../../session/expiry.ts";
import type { SessionRecord, SessionRelation, Usage } from "../../session/record.ts";
import { addUsage, noUsage } from "../../session/usage.ts";
import type { SqliteDatabase } from "../storage/sqlite.ts";
import { CountedUsage } from "./counted-usage.ts";
import { STORED_COLUMNS_SQL, type StoredSession, storedRecord, summaryOf } from "./stored-session.ts";

/** A stored session with what is found out from other files. */
export interface RelatedSession extends StoredSession {
  relation: SessionRelation | null;
  parentPath: string | null;
}

export const PARENT_PATH_SQL = "(SELECT parents.path FROM files AS parents WHERE parents.key = files.parent)";

/** Columns of related sessions, and where they are. */
export const RELATED_COLUMNS_SQL = `relation, ${PARENT_PATH_SQL} AS parentPath, ${STORED_COLUMNS_SQL}`;

/** All subagents below a session. */
interface SubagentSum {
  count: number;
  usage: Usage;
}

/** Makes records with what they say of other sessions. */
export class RelatedRecords {
  readonly #any;
  readonly #below;
  readonly #usage: CountedUsage;
  /** When agents delete files. */
  expiry = new Expiry();

  constructor(client: SqliteDatabase) {
    this.#usage = new CountedUsage(client);
    this.#any = client.prepare<[], 1>("SELECT 1 FROM files WHERE folded = 1 LIMIT 1").pluck();
    this.#below = client.prepare<[keys: string], StoredSession & { root: number }>(
      `WITH RECURSIVE below (root, key) AS (
        SELECT parent, key FROM files WHERE parent IN (SELECT value FROM json_each(?)) AND +folded = 1
        UNION SELECT root, files.key FROM below JOIN files ON files.parent = below.key WHERE +folded = 1
      )
      SELECT root, ${STORED_COLUMNS_SQL} JOIN below USING (key)`,
    );
  }

  /** What costs are estimated by. */
  set prices(prices: PriceList) {
    this.#usage.prices = prices;
  }

  /** @throws IndexError where a row is damaged. */
  of(rows: readonly RelatedSession[]): SessionRecord[] {
    const keys = rows.map(({ key }) => key);
    const sums = this.#sums(keys);
    const now = Date.now();
    const usageOf = this.#usage.of(keys);
    return rows.map((row) => {
      const summary = summaryOf(row);
      const record = storedRecord(row, summary);
      record.usage = usageOf(row.key, summary.state);
      const sum = sums.get(row.key);
      record.expires_at = this.expiry.warning(row, now);
      record.parent_session_path = row.parentPath ?? record.parent_session_path;
      record.relation = row.relation ?? (row.parentPath === null ? record.relation : "fork");
      record.subagent_count = sum?.count ?? 0;
      record.subagent_usage = sum?.usage ?? null;
      return record;
    });
  }

  #sums(keys: readonly number[]): Map<number, SubagentSum> {
    const sums = new Map<number, SubagentSum>();
    if (this.#any.get() === undefined) return sums;
    const subagents = this.#below.all(JSON.stringify(keys));
    const usageOf = this.#usage.of(subagents.map(({ key }) => key));
    for (const { root, ...subagent } of subagents) {
      const sum = sums.get(root) ?? { count: 0, usage: noUsage() };
      sum.count++;
      addUsage(sum.usage, usageOf(subagent.key, summaryOf(subagent).state));
      sums.set(root, sum);
    }
    return sums;
  }
}
