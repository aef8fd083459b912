/** What all caches of a library may hold together, in bytes. */
export const CACHE_BUDGET_BYTES = 96 * 1024 * 1024;

/** Who has caches: the threads by what they do, and the main thread for its connections. */
export type CacheRole = "main" | "state" | "quick" | "long" | "scout" | "indexing" | "verification" | "vault";

/** What a thread may keep, in bytes. */
export interface CacheShare {
  /** Pages of the catalog, by SQLite. */
  catalog: number;
  /** Progress of the sessions that have grown last. */
  folds: number;
  /** Pages of each text database, by SQLite. */
  shard: number;
  /** Posting lists of each text database. */
  text: number;
}

/**
 * Hundredths of the budget, of all threads with this role and all text databases together. What writes an index comes
 * twice where a successor is built, so that it must not have more than half of what readers leave.
 */
const SHARES: Record<CacheRole, CacheShare> = {
  // Searches read the same lists again and again, in chunks that are dear to verify; to look for single pages in a full
  // cache takes longer than to read them.
  quick: { catalog: 4, folds: 0, shard: 2, text: 30 },
  long: { catalog: 4, folds: 0, shard: 0, text: 0 },
  state: { catalog: 2, folds: 0, shard: 0, text: 0 },
  main: { catalog: 4, folds: 0, shard: 0, text: 0 },
  // Appends are read here.
  scout: { catalog: 4, folds: 5, shard: 1, text: 1 },
  indexing: { catalog: 3, folds: 1, shard: 5, text: 3 },
  verification: { catalog: 1, folds: 0, shard: 1, text: 0 },
  vault: { catalog: 0, folds: 0, shard: 0, text: 0 },
};

/** What one thread with this role may keep of an index with so many text databases, each of which has one that writes it. */
export function cacheShare(role: CacheRole, shards: number): CacheShare {
  const { catalog, folds, shard, text } = SHARES[role];
  const bytes = (hundredths: number, parts: number) =>
    Math.floor((CACHE_BUDGET_BYTES * hundredths) / 100 / Math.max(1, parts));
  const threads = role === "indexing" ? shards : 1;
  return {
    catalog: bytes(catalog, threads),
    folds: bytes(folds, threads),
    shard: bytes(shard, shards),
    text: bytes(text, shards),
  };
}

/** What caches hold, in bytes. */
export interface CacheBytes {
  /** Pages of databases: what SQLite may keep of those that are open. */
  pages: number;
  folds: number;
  text: number;
}

/** What a library keeps in memory beside what it works on. */
export interface LibraryMemory {
  /** Threads that run. */
  threads: number;
  caches: CacheBytes;
  /** What the caches may hold altogether. */
  cacheBudget: number;
}

export const NO_CACHE_BYTES: Readonly<CacheBytes> = { pages: 0, folds: 0, text: 0 };

export function sumOfCaches(all: readonly Readonly<CacheBytes>[]): CacheBytes {
  const sum = (name: keyof CacheBytes) => all.reduce((total, one) => total + one[name], 0);
  return { pages: sum("pages"), folds: sum("folds"), text: sum("text") };
}
