import { dirname } from "node:path";
import type { OutlineEntry } from "../../session/outline.ts";
import type { SessionFormatName, SessionRelation } from "../../session/record.ts";
import type { SqliteDatabase } from "../storage/sqlite.ts";
import { forkParents } from "./fork-family.ts";

/** A session that has come or changed. */
export interface RelatedFile {
  key: number;
  path: string;
  id: string;
}

interface Row extends RelatedFile {
  format: SessionFormatName;
  isSession: 0 | 1;
  relation: SessionRelation | null;
  reference: string | null;
  origin: string | null;
  parent: number | null;
  folded: 0 | 1;
  created: number;
  entryCount: number;
}

/** Agents start agents that start agents; a cycle is not gone round for ever. */
const MAX_DEPTH = 64;

/**
 * Finds the parents of sessions that are named by ID or place or found by a copy, at the end of each transaction that
 * changes sessions: whatever the order in which files appear or go, the columns `parent` and `folded` are right.
 */
export class Relations {
  readonly #entries: (key: number, entryCount: number) => Iterable<OutlineEntry>;
  readonly #statements;
  readonly #changed = new Map<number, RelatedFile>();
  /** As they were. */
  readonly #gone = new Map<number, Row>();
  readonly #related = new Set<string>();
  /** Keys of sessions with another parent than before this transaction. */
  readonly moved = new Set<number>();

  /** @param entries of the outline of a session. */
  constructor(client: SqliteDatabase, entries: (key: number, entryCount: number) => Iterable<OutlineEntry>) {
    this.#entries = entries;
    this.#statements = {
      any: client.prepare<[], 1>("SELECT 1 FROM files WHERE parent_reference IS NOT NULL LIMIT 1").pluck(),
      row: client.prepare<[key: number], Row>(`${ROW_SQL} WHERE key = ?`),
      rows: client.prepare<[keys: string], Row>(`${ROW_SQL} WHERE key IN (SELECT value FROM json_each(?))`),
      ofParents: client
        .prepare<[keys: string], number>("SELECT key FROM files WHERE parent IN (SELECT value FROM json_each(?))")
        .pluck(),
      referring: client
        .prepare<[names: string], number>(
          "SELECT key FROM files WHERE parent_reference IN (SELECT value FROM json_each(?))",
        )
        .pluck(),
      ofOrigin: client.prepare<[origin: string], Row>(`${ROW_SQL} WHERE origin = ? AND +status = 'session'`),
      atPath: client.prepare<[path: string, again: string], Row>(
        `${ROW_SQL} WHERE checksum(path) = checksum(?) AND path = ? AND +status = 'session'`,
      ),
      ofId: client.prepare<[id: string, format: string], Row>(
        `${ROW_SQL} WHERE session_id = ? AND format = ? AND format <> 'pi' AND format <> '' AND +status = 'session'`,
      ),
      setParent: client.prepare<[parent: number | null, folded: number, key: number]>(
        "UPDATE files SET parent = ?, folded = ? WHERE key = ?",
      ),
    };
  }

  /** Takes note of a session that has come, or whose record has changed. */
  put(file: RelatedFile): void {
    this.#changed.set(file.key, file);
  }

  /** Takes note of a session before it goes. */
  leaving(key: number): void {
    const row = this.#statements.row.get(key);
    if (row !== undefined && !this.#gone.has(key)) this.#gone.set(key, row);
    this.#changed.delete(key);
  }

  /** Forgets a transaction that was not completed. */
  begin(): void {
    this.#changed.clear();
    this.#gone.clear();
    this.moved.clear();
  }

  /** Resolves everything that has to do with what has changed in this transaction. */
  settle(): void {
    if (this.#changed.size + this.#gone.size === 0) return;
    const concerned = this.#concerned();
    const families = new Families((row) => this.#family(row));
    const before = [...this.#gone.values()];
    for (const row of before) if (row.folded === 1) this.#touchFrom(row.parent);
    for (const key of concerned) {
      const row = this.#statements.row.get(key);
      if (row !== undefined) this.#resolve(row, families);
    }
    this.#changed.clear();
    this.#gone.clear();
  }

  /** Paths of sessions whose records have changed with other files since this was called last. */
  take(): string[] {
    const related = [...this.#related];
    this.#related.clear();
    return related;
  }

  #concerned(): Set<number> {
    const { any, rows, ofParents, referring, ofOrigin } = this.#statements;
    const changed = rows.all(JSON.stringify([...this.#changed.keys()]));
    const traced = changed.filter(({ reference, origin }) => reference !== null || origin !== null);
    const concerned = new Set(traced.map(({ key }) => key));
    const gone = [...this.#gone.values()];
    if (gone.length > 0) {
      for (const key of ofParents.all(JSON.stringify(gone.map(({ key }) => key)))) concerned.add(key);
    }
    if (any.get() !== undefined) {
      const names = [...this.#changed.values(), ...gone].flatMap(({ path, id }) => [path, id]);
      for (const key of referring.all(JSON.stringify(names))) concerned.add(key);
    }
    const origins = new Set([...traced, ...gone].flatMap(({ origin }) => origin ?? []));
    for (const origin of origins) for (const { key } of ofOrigin.all(origin)) concerned.add(key);
    return concerned;
  }

  #resolve(row: Row, families: Families): void {
    const found = row.isSession === 0 ? null : this.#parentOf(row, families);
    const parent = found !== null && this.#isBelow(found, row.key) ? null : found;
    const folded = row.relation === "subagent" && parent !== null ? 1 : 0;
    const isSame = parent === row.parent && folded === row.folded;
    if (!isSame) {
      this.#statements.setParent.run(parent, folded, row.key);
      this.moved.add(row.key);
    }
    // Of a file that was written anew, the parent is the same under another key.
    const former = row.parent === null ? null : this.#pathOf(row.parent);
    const isElsewhere = former !== (parent === null ? null : this.#pathOf(parent));
    if (isElsewhere) this.#related.add(row.path);
    if (row.folded === 1 && (isElsewhere || folded === 0)) this.#touchFrom(row.parent);
    if (folded === 1) this.#touchFrom(parent);
  }

  #parentOf(row: Row, families: Families): number | null {
    if (row.reference === null) return row.origin === null ? null : families.parentOf(row);
    if (/[\\/]/.test(row.reference)) {
      const parent = this.#statements.atPath.get(row.reference, row.reference);
      return parent === undefined || parent.key === row.key ? null : parent.key;
    }
    const folder = dirname(row.path);
    const rank = ({ relation, path }: Row) => (relation === "subagent" ? 2 : 0) + (dirname(path) === folder ? 0 : 1);
    const candidates = this.#statements.ofId.all(row.reference, row.format).filter(({ key }) => key !== row.key);
    candidates.sort((a, b) => rank(a) - rank(b) || a.created - b.created || (a.path < b.path ? -1 : 1));
    return candidates[0]?.key ?? null;
  }

  /** Sessions of one folder that begin with the same entry. */
  #family({ path, origin }: Row): Map<number, number | null> {
    const folder = dirname(path);
    const rows = origin === null ? [] : this.#statements.ofOrigin.all(origin);
    const members = rows
      .filter((row) => dirname(row.path) === folder)
      .map(({ key, path, entryCount }) => ({ key, path, entries: () => this.#entries(key, entryCount) }));
    return members.length < 2 ? new Map() : forkParents(members);
  }

  /** Whether a session is one of the other's descendants, or itself. */
  #isBelow(key: number, other: number): boolean {
    let at: number | null = key;
    for (let depth = 0; at !== null && depth < MAX_DEPTH; depth++) {
      if (at === other) return true;
      at = this.#statements.row.get(at)?.parent ?? null;
    }
    return false;
  }

  /** The records of a session and of those that have started it tell of all subagents below. */
  #touchFrom(key: number | null): void {
    let at = key;
    for (let depth = 0; at !== null && depth < MAX_DEPTH; depth++) {
      const row = this.#statements.row.get(at) ?? this.#gone.get(at);
      if (row === undefined) return;
      if (!this.#gone.has(at)) this.#related.add(row.path);
      at = row.folded === 1 ? row.parent : null;
    }
  }

  #pathOf(key: number): string | null {
    return (this.#statements.row.get(key) ?? this.#gone.get(key))?.path ?? null;
  }
}

/** The parents within families, each compared once. */
class Families {
  readonly #parents = new Map<string, Map<number, number | null>>();
  readonly #compare: (row: Row) => Map<number, number | null>;

  constructor(compare: (row: Row) => Map<number, number | null>) {
    this.#compare = compare;
  }

  parentOf(row: Row): number | null {
    const name = `${row.origin}\n${dirname(row.path)}`;
    const parents = this.#parents.get(name) ?? this.#compare(row);
    this.#parents.set(name, parents);
    return parents.get(row.key) ?? null;
  }
}

const ROW_SQL = `
SELECT key, path, session_id AS id, format, status = 'session' AS isSession, relation, parent_reference AS reference,
  origin, parent, folded, created_at AS created, entry_count AS entryCount
FROM files`;
