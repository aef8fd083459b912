import { type AnswerRow, attributed, type Correction, type StoredAnswer } from "@sm/core/remote";
import { type SQL, sql } from "drizzle-orm";
import type { Queries } from "../database/database.ts";
import { column } from "./rows.ts";

/** Agents fork forks; a cycle is not gone round for ever. */
const MAX_DEPTH = 64;

/** The numbers of a usage. */
const USAGE = ["input", "output", "cache_read", "cache_write", "cache_write_1h", "cost"] as const;
const CORRECTION = ["key", "ordinal", "answer", "model", "tier", ...USAGE] as const;
/** With it, the indexes of own rows are used. */
const IS_OWN = sql`user_id = own_user_id()`;
const USAGE_COLUMNS = sql.raw(USAGE.join(", "));

/**
 * Finds the answers that several sessions have, at the end of a transaction that has written sessions, and keeps for
 * their entries by how much they count more or less than their files say: each answer counts once for a user, whatever
 * the order in which sessions come or go.
 */
export class Answers {
  readonly #db: Queries;
  /** Hashes of answers with copies that have come, changed, or gone. */
  readonly #concerned = new Set<number>();

  constructor(db: Queries) {
    this.#db = db;
  }

  /** Keeps what sessions have more of. */
  async put(sessions: readonly { key: number; answers: readonly StoredAnswer[] }[]): Promise<void> {
    const rows = sessions.flatMap(({ key, answers }) => answers.map((answer) => ({ key, ...answer })));
    if (rows.length === 0) return;
    for (const { answer } of rows) this.#concerned.add(answer);
    await this.#db.execute(sql`
      INSERT INTO answers (session_key, ordinal, answer, request, is_aside, model, tier, ${USAGE_COLUMNS})
      SELECT * FROM unnest(${column(rows, "key")}::bigint[], ${column(rows, "ordinal")}::integer[],
        ${column(rows, "answer")}::bigint[], ${column(rows, "request")}::bigint[],
        ${column(rows, "is_aside")}::smallint[], ${column(rows, "model")}::integer[],
        ${column(rows, "tier")}::integer[], ${usageOf(rows)})`);
  }

  /** Takes note of sessions before they go, or whose place among others may be another one. */
  async changing(keys: readonly number[]): Promise<void> {
    if (keys.length === 0) return;
    const { rows } = await this.#db.execute<{ answer: string }>(sql`
      SELECT DISTINCT answer FROM answers WHERE ${IS_OWN} AND session_key = ANY (${sql.param([...keys])}::bigint[])`);
    for (const { answer } of rows) this.#concerned.add(Number(answer));
  }

  /**
   * Corrects everything that has to do with what has changed in this transaction.
   *
   * @returns keys of the sessions whose usage has changed.
   */
  async settle(): Promise<Set<number>> {
    const shared = await this.#shared();
    if (shared.length === 0) return new Set();
    const rows = await this.#rows(shared);
    const before = await this.#corrections(shared);
    const ancestors = await this.#ancestors(rows);
    const after = [...groupedBy(rows, ({ answer }) => answer).values()].flatMap((group) =>
      attributed(group, ancestors),
    );
    const kept = new Map(before.map((correction) => [placeOf(correction), correction]));
    const added = after.filter((correction) => !isSame(correction, kept.get(placeOf(correction))));
    const places = new Set(after.map(placeOf));
    const removed = [...before.filter((correction) => !places.has(placeOf(correction))), ...added];
    await this.#db.execute(sql`
      DELETE FROM corrections USING unnest(${column(removed, "key")}::bigint[],
        ${column(removed, "ordinal")}::integer[]) AS gone (key, ordinal)
      WHERE session_key = gone.key AND corrections.ordinal = gone.ordinal`);
    if (added.length > 0) {
      await this.#db.execute(sql`
        INSERT INTO corrections (session_key, ordinal, answer, model, tier, ${USAGE_COLUMNS})
        SELECT * FROM unnest(${column(added, "key")}::bigint[], ${column(added, "ordinal")}::integer[],
          ${column(added, "answer")}::bigint[], ${column(added, "model")}::integer[],
          ${column(added, "tier")}::integer[], ${usageOf(added)})`);
    }
    return new Set(removed.map(({ key }) => key));
  }

  /** Those of several sessions or requests, or with corrections. */
  async #shared(): Promise<number[]> {
    if (this.#concerned.size === 0) return [];
    const concerned = sql`${IS_OWN} AND answer = ANY (${sql.param([...this.#concerned])}::bigint[])`;
    const { rows } = await this.#db.execute<{ answer: string }>(sql`
      SELECT answer FROM answers WHERE ${concerned} GROUP BY answer
      HAVING min(session_key) <> max(session_key) OR count(DISTINCT coalesce(request, -1)) > 1
      UNION SELECT answer FROM corrections WHERE ${concerned}`);
    return rows.map(({ answer }) => Number(answer));
  }

  async #rows(answers: readonly number[]): Promise<AnswerRow[]> {
    const { rows } = await this.#db.execute<{ [Name in keyof AnswerRow]: unknown }>(sql`
      SELECT key, ordinal, answer, request, is_aside, model, tier, ${USAGE_COLUMNS}, path, created
      FROM answers
      JOIN (SELECT key, path, created_at AS created FROM sessions WHERE removed_at IS NULL) AS s ON key = session_key
      WHERE ${IS_OWN} AND answer = ANY (${sql.param([...answers])}::bigint[])
      ORDER BY key, ordinal`);
    // The driver gives large integers as text.
    return rows.map((row) => {
      const { key, answer, request, created } = row;
      const numbers = { key: Number(key), answer: Number(answer), created: Number(created) };
      return { ...row, ...numbers, request: request === null ? null : Number(request) } as AnswerRow;
    });
  }

  async #corrections(answers: readonly number[]): Promise<Correction[]> {
    return correctionsWhere(this.#db, sql`${IS_OWN} AND answer = ANY (${sql.param([...answers])}::bigint[])`);
  }

  /** Gives the sessions from which one came, its parent first. */
  async #ancestors(rows: readonly AnswerRow[]): Promise<(key: number) => Generator<number>> {
    const keys = [...new Set(rows.map(({ key }) => key))];
    const found = await this.#db.execute<{ key: string; parent: string }>(sql`
      WITH RECURSIVE up (key, parent) AS (
        SELECT key, parent_key FROM sessions WHERE key = ANY (${sql.param(keys)}::bigint[])
        UNION SELECT s.key, s.parent_key FROM up JOIN sessions s ON s.key = up.parent
      ) SELECT key, parent FROM up WHERE parent IS NOT NULL`);
    const parents = new Map(found.rows.map(({ key, parent }) => [Number(key), Number(parent)]));
    return function* (key) {
      let at = parents.get(key);
      for (let depth = 0; at !== undefined && depth < MAX_DEPTH; depth++) {
        yield at;
        at = parents.get(at);
      }
    };
  }
}

/** The corrections of sessions, by key. */
export async function correctionsOf(db: Queries, keys: readonly number[]): Promise<ReadonlyMap<number, Correction[]>> {
  const found = await correctionsWhere(db, sql`session_key = ANY (${sql.param([...keys])}::bigint[])`);
  return groupedBy(found, ({ key }) => key);
}

async function correctionsWhere(db: Queries, condition: SQL): Promise<Correction[]> {
  const { rows } = await db.execute<{ [Name in keyof Correction]: unknown }>(sql`
    SELECT session_key AS key, ordinal, answer, model, tier, ${USAGE_COLUMNS} FROM corrections WHERE ${condition}
    ORDER BY session_key, ordinal`);
  return rows.map((row) => ({ ...row, key: Number(row.key), answer: Number(row.answer) }) as Correction);
}

function usageOf(rows: readonly Pick<Correction, (typeof USAGE)[number]>[]): SQL {
  return sql.join(
    USAGE.map((name) => sql`${column(rows, name)}::double precision[]`),
    sql`, `,
  );
}

function placeOf({ key, ordinal }: Pick<Correction, "key" | "ordinal">): string {
  return `${key} ${ordinal}`;
}

function isSame(a: Correction, b: Correction | undefined): boolean {
  return b !== undefined && CORRECTION.every((name) => a[name] === b[name]);
}

function groupedBy<Item, Name>(items: readonly Item[], nameOf: (item: Item) => Name): Map<Name, Item[]> {
  const groups = new Map<Name, Item[]>();
  for (const item of items) {
    const group = groups.get(nameOf(item));
    if (group === undefined) groups.set(nameOf(item), [item]);
    else group.push(item);
  }
  return groups;
}
