import type { PlacedAnswer } from "../../session/placed-answer.ts";
import { wideHashOf } from "../../stats/identity.ts";
import { work } from "../session-file/work.ts";
import type { SqliteDatabase } from "../storage/sqlite.ts";
import { type AnswerRow, attributed, type Correction, type StoredAnswer } from "./attribution.ts";
import { CORRECTION_COLUMNS, USAGE_COLUMNS } from "./index-schema.ts";

/** Agents fork forks; a cycle is not gone round for ever. */
const MAX_DEPTH = 64;
/** Of one answer: what copies beyond that say is not compared. */
const MAX_ROWS = 10_000;
/** Of one answer in one session. */
const MAX_REQUESTS = 100;

const columns = USAGE_COLUMNS.join(", ");
const parameters = (names: readonly string[]) => names.map((name) => `@${name}`).join(", ");

/**
 * Finds the answers that several files have, at the end of each transaction that changes sessions, and keeps for their
 * entries by how much they count more or less than their files say: each answer counts once in the whole library,
 * whatever the order in which files appear or go.
 */
export class Answers {
  readonly #statements;
  /** Hashes of answers with copies that have come, changed, or gone. */
  readonly #concerned = new Set<number>();
  readonly #related = new Set<string>();

  constructor(client: SqliteDatabase) {
    this.#statements = {
      insert: client.prepare<[Omit<AnswerRow, "path" | "created">]>(
        `INSERT INTO answers (key, ordinal, answer, request, is_aside, model, tier, ${columns})
        VALUES (@key, @ordinal, @answer, @request, @is_aside, @model, @tier, ${parameters(USAGE_COLUMNS)})`,
      ),
      ofSession: client.prepare<[key: number], number>("SELECT DISTINCT answer FROM answers WHERE key = ?").pluck(),
      isEarlier: client
        .prepare<[key: number, created: number], 1>(
          "SELECT 1 FROM files WHERE key = ? AND created_at <> ? AND EXISTS (SELECT 1 FROM answers WHERE key = files.key)",
        )
        .pluck(),
      shared: client
        .prepare<[answers: string], number>(
          `SELECT value FROM json_each(?) WHERE
            (SELECT min(key) FROM answers WHERE answer = value) <> (SELECT max(key) FROM answers WHERE answer = value)
            OR EXISTS (SELECT 1 FROM corrections WHERE answer = value)
            OR 1 < (SELECT count(DISTINCT ifnull(request, -1))
              FROM (SELECT request FROM answers WHERE answer = value LIMIT ${MAX_REQUESTS}))`,
        )
        .pluck(),
      rows: client.prepare<[answer: number], AnswerRow>(
        `SELECT key, ordinal, answer, request, is_aside, model, tier, ${columns}, path, created_at AS created
        FROM answers JOIN files USING (key)
        WHERE answer = ? AND +status = 'session' ORDER BY key, ordinal LIMIT ${MAX_ROWS}`,
      ),
      corrections: client.prepare<[answer: number], Correction>(
        `SELECT ${CORRECTION_COLUMNS.join(", ")} FROM corrections WHERE answer = ?`,
      ),
      uncorrect: client.prepare<[key: number, ordinal: number]>(
        "DELETE FROM corrections WHERE key = ? AND ordinal = ?",
      ),
      correct: client.prepare<[Correction]>(
        `INSERT INTO corrections (${CORRECTION_COLUMNS.join(", ")}) VALUES (${parameters(CORRECTION_COLUMNS)})`,
      ),
      parent: client.prepare<[key: number], number | null>("SELECT parent FROM files WHERE key = ?").pluck(),
      told: client.prepare<[key: number], { path: string; above: number | null }>(
        "SELECT path, iif(folded = 1, parent, NULL) AS above FROM files WHERE key = ?",
      ),
    };
  }

  /** Keeps what a session has more of. */
  put(key: number, answers: readonly PlacedAnswer[]): void {
    for (const placed of answers) {
      const row = answerRow(placed);
      this.#statements.insert.run({ key, ...row });
      this.#concerned.add(row.answer);
      work.rowsWritten++;
    }
  }

  /** Takes note of a session before it goes, or whose place among others may be another one. */
  changing(key: number): void {
    for (const answer of this.#statements.ofSession.all(key)) this.#concerned.add(answer);
  }

  /** Takes note of a session that may begin at another time than before. */
  timed(key: number, created: number): void {
    if (this.#statements.isEarlier.get(key, created) !== undefined) this.changing(key);
  }

  /** Forgets a transaction that was not completed. */
  begin(): void {
    this.#concerned.clear();
  }

  /** Corrects everything that has to do with what has changed in this transaction. */
  settle(): void {
    if (this.#concerned.size === 0) return;
    const parents = new Map<number, number | null>();
    const parentOf = (key: number) => {
      let parent = parents.get(key);
      if (parent === undefined) {
        parent = this.#statements.parent.get(key) ?? null;
        parents.set(key, parent);
      }
      return parent;
    };
    for (const answer of this.#statements.shared.all(JSON.stringify([...this.#concerned]))) {
      this.#correct(answer, (key) => ancestorsOf(key, parentOf));
    }
    this.begin();
  }

  /** Paths of sessions whose usage has changed with other files since this was called last. */
  take(): string[] {
    const related = [...this.#related];
    this.#related.clear();
    return related;
  }

  #correct(answer: number, ancestors: (key: number) => Iterable<number>): void {
    const before = new Map(this.#statements.corrections.all(answer).map((one) => [placeOf(one), one]));
    for (const correction of attributed(this.#statements.rows.all(answer), ancestors)) {
      const place = placeOf(correction);
      const kept = before.get(place);
      before.delete(place);
      if (kept !== undefined && CORRECTION_COLUMNS.every((column) => kept[column] === correction[column])) continue;
      if (kept !== undefined) this.#statements.uncorrect.run(kept.key, kept.ordinal);
      this.#statements.correct.run(correction);
      this.#touch(correction.key);
    }
    for (const { key, ordinal } of before.values()) {
      this.#statements.uncorrect.run(key, ordinal);
      this.#touch(key);
    }
  }

  /** The records of a session and of those that have started it tell of its usage. */
  #touch(key: number): void {
    work.rowsWritten++;
    let at: number | null = key;
    for (let depth = 0; at !== null && depth < MAX_DEPTH; depth++) {
      const told: { path: string; above: number | null } | undefined = this.#statements.told.get(at);
      if (told === undefined) return;
      this.#related.add(told.path);
      at = told.above;
    }
  }
}

/** What is kept of an answer, besides the session that has it. */
export function answerRow({ ordinal, identity, model, tier, usage }: PlacedAnswer): StoredAnswer {
  return {
    ordinal,
    answer: wideHashOf(identity.id),
    request: identity.request === null ? null : wideHashOf(identity.request),
    is_aside: identity.isReported === true ? 2 : identity.isAside ? 1 : 0,
    model,
    tier,
    input: usage.input_tokens,
    output: usage.output_tokens,
    cache_read: usage.cache_read_tokens,
    cache_write: usage.cache_write_tokens,
    cache_write_1h: usage.cache_write_1h_tokens,
    cost: usage.cost_usd,
  };
}

function placeOf({ key, ordinal }: Pick<Correction, "key" | "ordinal">): string {
  return `${key} ${ordinal}`;
}

function* ancestorsOf(key: number, parentOf: (key: number) => number | null): Generator<number> {
  let at = parentOf(key);
  for (let depth = 0; at !== null && depth < MAX_DEPTH; depth++) {
    yield at;
    at = parentOf(at);
  }
}
