import { and, eq, inArray, ne, or, sql } from "drizzle-orm";
import type { Queries } from "../database/database.ts";
import { folderOf } from "./hub-path.ts";
import { sessions } from "./schema.ts";
import type { SessionPlace, WrittenSession } from "./session-rows.ts";

/** Agents start agents that start agents; a cycle is not gone round for ever. */
const MAX_DEPTH = 64;

/** Entries behind which nothing is compared with other sessions: copies are made at once. */
const SETTLED_ENTRIES = 1_024;

const ROW = {
  key: sessions.key,
  path: sessions.path,
  id: sessions.sessionId,
  format: sessions.format,
  relation: sessions.relation,
  reference: sessions.parentReference,
  origin: sessions.origin,
  parent: sessions.parentKey,
  folded: sessions.folded,
  created: sessions.createdAt,
};

type Row = Awaited<ReturnType<typeof rowsWhere>>[number];

/** Finds from which session each one of a family was copied, see `RemoteTasks` in core. */
export type FindForks = (
  members: { key: number; path: string }[],
) => Promise<readonly { key: number; parent: number | null }[]>;

/**
 * Finds the parents of sessions that are named by ID or place or found by a copy, at the end of a transaction that has
 * written sessions: whatever the order in which they come or go, the columns `parent_key` and `folded` are right.
 */
export class Relations {
  readonly #db: Queries;
  readonly #findForks: FindForks;
  /** As they are now; `null`: there is none. */
  readonly #rows = new Map<number, Row | null>();
  readonly #related = new Map<number, SessionPlace>();
  /** Keys of sessions with another parent than before. */
  readonly moved = new Set<number>();

  constructor(db: Queries, findForks: FindForks) {
    this.#db = db;
    this.#findForks = findForks;
  }

  /** Resolves everything that has to do with what has changed in this transaction. */
  async settle(written: readonly WrittenSession[]): Promise<void> {
    const gone = written.flatMap((session) => session.gone ?? []);
    const concerned = await this.#concerned(written, gone);
    const forks = await this.#forksOf(concerned);
    const named = await this.#named(concerned);
    for (const { above } of gone) await this.#touchFrom(above);
    for (const row of concerned) await this.#resolve(row, named, forks);
  }

  /** The sessions whose records have changed with others. */
  get related(): SessionPlace[] {
    return [...this.#related.values()];
  }

  /** Takes note of a session whose usage has changed: those that have started it tell of it too. */
  touch(key: number): Promise<void> {
    return this.#touchFrom(key);
  }

  /** Those whose parents may be others than before. */
  async #concerned(written: readonly WrittenSession[], gone: readonly SessionPlace[]): Promise<Row[]> {
    const present = new Map(written.flatMap((one) => (one.kind === "removed" ? [] : [[one.key, one]])));
    const changed = await this.#load(inArray(sessions.key, [...present.keys()]), present.size > 0);
    const isCompared = (key: number) => {
      const { isElsewhere = true, entryCount = 0 } = present.get(key) ?? {};
      return isElsewhere || entryCount < SETTLED_ENTRIES;
    };
    const traced = changed.filter(
      ({ key, reference, origin }) => reference !== null || (origin !== null && isCompared(key)),
    );
    const goneKeys = gone.map(({ key }) => key);
    const orphans = await this.#load(inArray(sessions.parentKey, goneKeys), goneKeys.length > 0);
    const names = [...written.filter(({ isElsewhere }) => isElsewhere), ...gone].flatMap(({ path, sessionId }) => [
      path,
      sessionId,
    ]);
    const referring = await this.#load(inArray(sessions.parentReference, names), names.length > 0);
    const origins = [...traced, ...orphans].flatMap(({ origin }) => origin ?? []);
    const family = await this.#load(inArray(sessions.origin, origins), origins.length > 0);
    return [...new Set([...traced, ...orphans, ...referring, ...family])];
  }

  /** The parents of copies, by key. */
  async #forksOf(concerned: readonly Row[]): Promise<ReadonlyMap<number, number | null>> {
    const families = new Map<string, Row[]>();
    for (const row of concerned) {
      if (row.reference !== null || row.origin === null) continue;
      const name = `${row.origin}\n${folderOf(row.path)}`;
      families.set(name, [...(families.get(name) ?? []), row]);
    }
    const parents = new Map<number, number | null>();
    for (const [name, [first]] of families) {
      if (first?.origin == null) continue;
      const ofOrigin = await this.#load(eq(sessions.origin, first.origin));
      const members = ofOrigin.filter(({ origin, path }) => `${origin}\n${folderOf(path)}` === name);
      if (members.length < 2) continue;
      const found = await this.#findForks(members.map(({ key, path }) => ({ key, path })));
      for (const { key, parent } of found) parents.set(key, parent);
    }
    return parents;
  }

  /** The sessions that references may mean. */
  async #named(concerned: readonly Row[]): Promise<Row[]> {
    const references = [...new Set(concerned.flatMap(({ reference }) => reference ?? []))];
    const isId = and(inArray(sessions.sessionId, references), ne(sessions.format, "pi"));
    return this.#load(or(inArray(sessions.path, references), isId), references.length > 0);
  }

  async #resolve(row: Row, named: readonly Row[], forks: ReadonlyMap<number, number | null>): Promise<void> {
    const found = row.reference === null ? (forks.get(row.key) ?? null) : parentNamed(row, row.reference, named);
    const parent = found !== null && (await this.#isBelow(found, row.key)) ? null : found;
    const folded = row.relation === "subagent" && parent !== null;
    if (parent === row.parent && folded === row.folded) {
      // Of what is below, the sums have changed.
      if (folded) await this.#touchFrom(parent);
      return;
    }
    await this.#db.update(sessions).set({ parentKey: parent, folded }).where(eq(sessions.key, row.key));
    this.moved.add(row.key);
    this.#touch(row);
    if (row.folded) await this.#touchFrom(row.parent);
    row.parent = parent;
    row.folded = folded;
    if (folded) await this.#touchFrom(parent);
  }

  /** Whether a session is one of the other's descendants, or itself. */
  async #isBelow(key: number, other: number): Promise<boolean> {
    let at: number | null = key;
    for (let depth = 0; at !== null && depth < MAX_DEPTH; depth++) {
      if (at === other) return true;
      at = (await this.#row(at))?.parent ?? null;
    }
    return false;
  }

  /** The records of a session and of those that have started it tell of all subagents below. */
  async #touchFrom(key: number | null): Promise<void> {
    let at = key;
    for (let depth = 0; at !== null && depth < MAX_DEPTH; depth++) {
      const row: Row | null = await this.#row(at);
      if (row === null) return;
      this.#touch(row);
      at = row.folded ? row.parent : null;
    }
  }

  #touch({ key, path, id }: Row): void {
    this.#related.set(key, { key, path, sessionId: id });
  }

  async #row(key: number): Promise<Row | null> {
    if (!this.#rows.has(key)) {
      this.#rows.set(key, null);
      await this.#load(eq(sessions.key, key));
    }
    return this.#rows.get(key) ?? null;
  }

  /** Each row is loaded once, so that what is resolved is seen by what follows. */
  async #load(condition: Parameters<typeof rowsWhere>[1], isAny = true): Promise<Row[]> {
    if (!isAny) return [];
    return (await rowsWhere(this.#db, condition)).map((found) => {
      const row = this.#rows.get(found.key) ?? found;
      this.#rows.set(found.key, row);
      return row;
    });
  }
}

function rowsWhere(db: Queries, condition: ReturnType<typeof and>) {
  return db
    .select(ROW)
    .from(sessions)
    .where(and(condition, sql`${sessions.removedAt} IS NULL`));
}

function parentNamed(row: Row, reference: string, named: readonly Row[]): number | null {
  const others = named.filter(({ key }) => key !== row.key);
  if (/[\\/]/.test(reference)) return others.find(({ path }) => path === reference)?.key ?? null;
  const folder = folderOf(row.path);
  const rank = ({ relation, path }: Row) => (relation === "subagent" ? 2 : 0) + (folderOf(path) === folder ? 0 : 1);
  const candidates = others.filter(({ id, format }) => id === reference && format === row.format);
  candidates.sort((a, b) => rank(a) - rank(b) || a.created - b.created || (a.path < b.path ? -1 : 1));
  return candidates[0]?.key ?? null;
}
