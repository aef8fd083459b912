import { AppError } from "@sm/core";
import { sql } from "drizzle-orm";
import type { PostgresDatabase } from "../database/database.ts";
import {
  defaultRetention,
  dropRetentionRule,
  dueSessions,
  putRetentionRule,
  type RetentionRule,
  RULES_IN_FORCE,
  retentionRules,
} from "./retention-rules.ts";

/** More rules than projects are a mistake; each is compared with each session. */
const MOST_RULES = 1_000;
/** What a preview counts. */
const MOST_COUNTED = 100_000;

interface Retentions {
  rules: RetentionRule[];
  default_days: number | null;
}

/** For how long one user has sessions kept. */
export class UserRetention {
  readonly #database: PostgresDatabase;
  readonly #userId: string;

  constructor(database: PostgresDatabase, userId: string) {
    this.#database = database;
    this.#userId = userId;
  }

  list(): Promise<Retentions> {
    return this.#database.read(this.#userId, async (db) => ({
      rules: await retentionRules(db),
      default_days: await defaultRetention(db),
    }));
  }

  /** Rejects with AppError `CONFLICT` where there are too many. */
  async set(rule: RetentionRule): Promise<Retentions> {
    await this.#database.write(this.#userId, async (db) => {
      await putRetentionRule(db, rule);
      if ((await retentionRules(db)).length > MOST_RULES) {
        throw new AppError("CONFLICT", `There may be ${MOST_RULES} rules; remove some with remove_retention.`);
      }
    });
    return this.list();
  }

  /** Rejects with AppError `NOT_FOUND`. */
  async remove(project: string | null): Promise<Retentions> {
    const wasThere = await this.#database.write(this.#userId, (db) => dropRetentionRule(db, project));
    if (!wasThere) throw new AppError("NOT_FOUND", "There is no such rule; list_retention has all of them.");
    return this.list();
  }

  /** What goes with the next removal, as if a rule were set too. Nothing is changed. */
  async preview(rule: RetentionRule | null, limit: number) {
    const { days = null, project = null, include_marked: marked = false } = rule ?? {};
    const rules =
      rule === null
        ? RULES_IN_FORCE
        : sql`SELECT ${project}::text AS project, ${days}::integer AS days, ${marked}::boolean AS includes_marked
            UNION ALL SELECT * FROM (${RULES_IN_FORCE}) AS others
            WHERE project IS DISTINCT FROM ${project}::text`;
    const due = await this.#database.read(this.#userId, (db) => dueSessions(db, rules, MOST_COUNTED));
    return {
      sessions: due.reduce((sum, { fileKeys }) => sum + fileKeys.length, 0),
      bytes: due.reduce((sum, { bytes }) => sum + bytes, 0),
      first: due.slice(0, limit).map(({ path, title, project: folder, modifiedAt, bytes }) => ({
        ...{ path, title, project: folder, bytes },
        modified_at: new Date(modifiedAt).toISOString(),
      })),
    };
  }
}
