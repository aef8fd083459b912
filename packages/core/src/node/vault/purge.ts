import { sweep } from "./removal.ts";
import { tailIds } from "./schema.ts";
import type { VaultDatabase } from "./vault-database.ts";

export interface PurgeLimits {
  /** How long what the user has deleted is kept at least, in milliseconds. */
  deletedFor?: number;
  /** How long earlier generations are kept at least. */
  replacedFor?: number;
  /** How much the vault takes at most: the oldest of what is nowhere else goes first. */
  maxBytes?: number;
  /** Only says what would go. */
  isDryRun?: boolean;
}

/** A generation that goes, and why. */
export interface Purged {
  id: number;
  path: string;
  bytes: number;
  reason: "deleted" | "replaced" | "size";
  /** Since when it was deleted, replaced or gone. */
  since: number;
  /** Whether it is the newest of a session. */
  isSession: boolean;
}

export interface PurgeResult {
  generations: Purged[];
  /** Of the database. */
  freedBytes: number;
}

interface Candidate {
  id: number;
  path: string;
  bytes: number;
  since: number;
  isSession: 0 | 1;
}

const SELECT = "SELECT g.id, f.path, g.bytes, f.owner IS NULL AND g.replaced_at IS NULL AS isSession";
const FROM = "FROM generations g JOIN files f ON f.id = g.file WHERE g.state = 1";
/** A returned or restored session is not removed any more. */
const CAN_GO = `state = 1 AND (deleted_at IS NOT NULL OR replaced_at IS NOT NULL
  OR (SELECT vanished_at FROM files WHERE id = file) IS NOT NULL)`;

export function purge(database: VaultDatabase, limits: PurgeLimits): PurgeResult {
  const result = database.read(() => new Plan(database, limits).result);
  if (limits.isDryRun === true) return result;
  database.write(() => {
    for (const { id } of result.generations) {
      database.run(`UPDATE generations SET state = 2 WHERE id = ? AND ${CAN_GO}`, id);
    }
    database.grownAge();
  });
  sweep(database);
  return result;
}

class Plan {
  readonly result: PurgeResult = { generations: [], freedBytes: 0 };
  readonly #database: VaultDatabase;
  readonly #chosen = new Set<number>();
  /** How many uses of a chunk go. */
  readonly #uses = new Map<number, number>();

  constructor(database: VaultDatabase, { deletedFor, replacedFor, maxBytes }: PurgeLimits) {
    this.#database = database;
    const age = database.age();
    if (deletedFor !== undefined) this.#addOlder("deleted", age - deletedFor);
    if (replacedFor !== undefined) this.#addOlder("replaced", age - replacedFor);
    if (maxBytes !== undefined) this.#addOldest(database.bytesInUse() - maxBytes);
  }

  #addOlder(reason: "deleted" | "replaced", age: number): void {
    const column = `g.${reason}_at`;
    const sql = `${SELECT}, ${column} AS since ${FROM} AND ${column} IS NOT NULL AND g.${reason}_age <= ? ORDER BY g.id`;
    for (const candidate of this.#database.rows<Candidate>(sql, age)) this.#add(candidate, reason);
  }

  #addOldest(excess: number): void {
    if (this.result.freedBytes >= excess) return;
    const since = "min(coalesce(g.deleted_at, 9e15), coalesce(g.replaced_at, 9e15), coalesce(f.vanished_at, 9e15))";
    const sql = `${SELECT}, ${since} AS since ${FROM} AND (g.deleted_at IS NOT NULL OR g.replaced_at IS NOT NULL OR f.vanished_at IS NOT NULL)
      ORDER BY since, g.id`;
    for (const candidate of this.#database.rows<Candidate>(sql)) {
      if (this.result.freedBytes >= excess) return;
      this.#add(candidate, "size");
    }
  }

  #add(candidate: Candidate, reason: Purged["reason"]): void {
    const { id, path, bytes, since, isSession } = candidate;
    if (this.#chosen.has(id)) return;
    this.#chosen.add(id);
    this.result.generations.push({ id, path, bytes, reason, since, isSession: isSession === 1 });
    const chunks = this.#database.rows<{ chunk: number; uses: number; bytes: number }>(
      `SELECT p.chunk, length(c.packed) AS bytes, (SELECT count(*) FROM pieces o WHERE o.chunk = p.chunk) AS uses
       FROM pieces p JOIN chunks c ON c.id = p.chunk WHERE p.generation = ?`,
      id,
    );
    for (const chunk of chunks) {
      const gone = (this.#uses.get(chunk.chunk) ?? 0) + 1;
      this.#uses.set(chunk.chunk, gone);
      if (gone === chunk.uses) this.result.freedBytes += chunk.bytes;
    }
    const { first, end } = tailIds(id);
    const tails = "SELECT coalesce(sum(length(packed)), 0) AS bytes FROM tails WHERE id >= ? AND id < ?";
    this.result.freedBytes += this.#database.row<{ bytes: number }>(tails, first, end)?.bytes ?? 0;
  }
}
